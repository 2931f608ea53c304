/** The event graph of a page: the events of a run, their causes and their places. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { counterpart, twinsOf } from '../../lib/report/counterpart.ts'
import { EVERYTHING, eventsIn, type Filter, lanesIn, sendsIn } from '../../lib/report/filter.ts'
import { Graph } from '../../lib/report/graph.ts'
import { shownRun } from '../../lib/report/model.ts'
import type { System } from '../../lib/system.ts'
import { Causality } from '../../lib/trace/causality.ts'
import { type Line, TRACE_VERSION } from '../../lib/trace/lines.ts'
import { stateName } from '../../lib/trace/names.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { eventOf, incarnationName, type Run, type Step } from '../../lib/trace/run.ts'
import { runOf } from '../../lib/trace/steps.ts'
import workshop from '../fixtures/workshop/workshop.ts'
import { marketLines } from '../trace/traces.ts'

const FAULTS = ['kill @m1 at 60', 'restart @m1 at 120', 'kill client@c2 at 150', 'partition m2 | c1 at 90 until 110']

const graphOf = async (lines: readonly Line[]): Promise<Graph> => new Graph(await shownRun({ name: '', lines }))

/** A market with deaths, restarts and lost mail: its trace and its page. */
async function both() {
  const lines = await marketLines({ tasks: 12, faults: FAULTS })
  const run = runOf(traceOf(lines))
  const graph = await graphOf(lines)
  const ordered = [...run.steps, ...run.system].sort((one, other) => one.line - other.line)
  const places = new Map(ordered.map((event, i) => [event, i]))
  const placeOf = (step: Step): number => places.get(step) ?? -1
  return { run, graph, placeOf }
}

test('the past and the future of every step agree with vector clocks', async () => {
  const { run, graph, placeOf } = await both()
  const causality = new Causality(run)
  const marked = (marks: Uint8Array, step: Step) => run.steps.filter((one) => one !== step && marks[placeOf(one)])
  for (const step of run.steps) {
    const of = `${incarnationName(step)} ${step.n}`
    assert.equal(marked(graph.past(placeOf(step)), step).map(nameOf), causality.past(step).map(nameOf), `past of ${of}`)
    const future = marked(graph.future(placeOf(step)), step)
    assert.equal(future.map(nameOf), causality.future(step).map(nameOf), `future of ${of}`)
  }
  assert.ok(run.steps.length > 200 && run.incarnations.some(({ incarnation }) => incarnation > 0))
})

test('the chain of causes of a result goes back over messages and timers to the start of its client', async () => {
  const { run, graph, placeOf } = await both()
  const result = run.steps.find((step) => eventOf(step) === 'result' && step.who === 'client@c1')
  assert.ok(result)
  const chain = graph.chain(placeOf(result)).map((event) => graph.name(event))
  assert.equal(chain.slice(0, 7), ['result', 'finished', 'slice', 'run', 'task', 'evaluate:0', 'start'])
  assert.is(chain.at(-1), 'start client@c1')
})

test('a chain of causes lies within the causal past, and what comes of an event within its causal future', async () => {
  const { run, graph, placeOf } = await both()
  const counts = { chain: 0, past: 0 }
  for (const step of run.steps) {
    const event = placeOf(step)
    const [past, future] = [graph.past(event), graph.future(event)]
    assert.ok(graph.chain(event).every((one) => past[one] === 1))
    assert.ok(graph.consequences(event).every((mark, one) => mark === 0 || future[one] === 1))
    for (const [one, mark] of graph.consequences(event).entries())
      assert.is(graph.chain(one).includes(event), mark === 1)
    counts.chain += graph.chain(event).length
    counts.past += past.reduce((sum, mark) => sum + mark, 0)
  }
  // what the picture highlights is a small part of all that came before
  assert.ok(counts.chain < counts.past / 10, JSON.stringify(counts))
})

const nameOf = ({ index }: Step): number => index

test('children are below their parents, also those that were spawned later, and a filter keeps this order', async () => {
  let system: System | undefined
  const options = { runtime: 'inline', record: true, trace: true } as const
  await workshop.run(workshop.modelOf(new Map()), options, [], { onSystem: (opened) => (system = opened) })
  const graph = await graphOf([...(system?.recorded() ?? [])])
  const shown = (filter: Filter) => lanesIn(graph, filter).map((lane) => [graph.laneName(lane), graph.depth(lane)])
  const crew = [
    ['owner.shop.crew@s', 2],
    ['owner.shop.crew.press@s', 3],
    ['owner.shop.crew.1@s', 3],
    ['owner.shop.crew.2@s', 3],
  ]
  assert.equal(shown(EVERYTHING), [
    ['system', 0],
    ['owner@s', 0],
    ['owner.shop@s', 1],
    ['owner.shop.store@s', 2],
    ...crew,
    ['customer@c1', 0],
    ['customer@c2', 0],
    ['customer@c3', 0],
  ])
  assert.equal(shown({ ...EVERYTHING, actors: 'crew' }), crew)
})

test('an event has its counterpart in another run: the same event, or the last one of its actor up to its time', async () => {
  const [calm, faulty] = await Promise.all([
    marketLines({ tasks: 12 }).then(graphOf),
    marketLines({ tasks: 12, faults: ['kill @m1 at 60'] }).then(graphOf),
  ])
  const twins = twinsOf(faulty, calm)
  const parting = faulty.lastAt(59e6)
  const same = Array.from({ length: parting + 1 }, (_, event) => event)
  assert.equal(
    same.map((event) => counterpart(twins, event, faulty, calm)),
    same,
  )
  assert.ok(same.every((event) => twins.alike[event] === 1))
  assert.ok(parting > 50)
  const death = faulty.at.findIndex((_, event) => faulty.kind(event) === 'died')
  assert.is(twins.of[death], -1, 'only the run with the fault has the death')
  const dead = faulty.laneName(faulty.about[death] ?? 0)
  const lane = calm.run.lanes.findIndex(({ name }) => name === dead)
  assert.is(counterpart(twins, death, faulty, calm), calm.lastAt(60e6, [lane]))
})

test('the same event is found where another schedule has moved it to another place', async () => {
  const [one, other] = await Promise.all([
    marketLines({ tasks: 12 }).then(graphOf),
    marketLines({ tasks: 12, network: { latency: units(2), jitter: 0, loss: 0, duplicate: 0 } }).then(graphOf),
  ])
  const { of, alike } = twinsOf(one, other)
  const moved = [...of.keys()].filter((event) => !alike[event] && (of[event] ?? -1) >= 0)
  assert.ok(moved.length > 100)
  for (const event of moved) {
    assert.is(one.name(event), other.name(of[event] ?? -1))
    assert.is(one.laneName(one.lane(event)), other.laneName(other.lane(of[event] ?? -1)))
  }
})

test('of two events that two runs handle in another order, the one whose message took longer was held', async () => {
  /** A register handles the write of a client and the read of another one, in this order and at these instants. */
  const registerRun = (...handled: readonly (readonly [type: string, at: number])[]): Promise<Graph> => {
    const [clients, register] = [['write@m', 'read@m'], 'r@m']
    const begin = { t: 'spawn', at: 0, life: 0, module: 'nowhere.ts', input: null }
    return graphOf([
      { t: 'trace', version: TRACE_VERSION, seed: 1 },
      ...[...clients, register].map((who, i) => ({ ...begin, who, slot: i + 1 })),
      ...clients.flatMap((who, i) => {
        const message = { type: who.replace('@m', '') }
        const send = { t: 'send', at: 0, id: `${i + 1}.0.0`, from: who, to: register, cause: null, message }
        return [{ t: 'start', at: 0, who }, send]
      }),
      { t: 'start', at: 0, who: register },
      ...handled.map(([type, at]) => {
        const id = type === 'write' ? '1.0.0' : '2.0.0'
        return { t: 'deliver', at, who: register, id, type }
      }),
      { t: 'end' },
    ])
  }
  const movedIn = (one: Graph, other: Graph): string[] =>
    [...twinsOf(one, other).moved].map(([event, moved]) => `${one.name(event)} ${moved}`)
  const [calm, held, even, later] = await Promise.all([
    registerRun(['write', 1], ['read', 2]),
    registerRun(['read', 2], ['write', 3]),
    registerRun(['write', 1], ['read', 1]),
    registerRun(['read', 1], ['write', 1]),
  ])
  assert.equal(movedIn(held, calm), ['write held'])
  assert.equal(movedIn(calm, held), ['write not held'])
  assert.equal(movedIn(later, even), ['write later'], 'only the order differs')
  assert.equal(movedIn(calm, calm), [])
})

test('an actor is dead from its death to the start of its next incarnation', async () => {
  const { graph } = await both()
  const lane = graph.run.lanes.findIndex(({ name }) => name === 'processor@m1')
  const at = (time: number): number => graph.lastAt(time * 1e6)
  assert.equal(
    [at(59), at(61), at(119), at(121)].map((event) => graph.isDead(lane, event)),
    [false, true, true, false],
  )
})

test('every step has its actor, instant, event, states and messages', async () => {
  const { run, graph, placeOf } = await both()
  for (const step of run.steps) {
    const event = placeOf(step)
    assert.is(graph.laneName(graph.lane(event)), step.who)
    assert.is(graph.at[event], step.at)
    assert.is(graph.state(event), stateName(step.state))
    assert.is(graph.stateBefore(event), step.on.what === 'start' ? '' : stateName(step.before))
    if (step.on.what === 'mail') assert.is(graph.name(event), eventOf(step))
    const sent = graph.sentBy(event).map((send) => graph.laneName(graph.run.sends.to[send] ?? 0))
    assert.equal(
      sent,
      step.sends.map(({ to }) => (graph.run.lanes.some(({ name }) => name === to) ? to : 'system')),
    )
  }
  assert.is(graph.count, run.steps.length + run.system.length)
})

test('a message that was not handled has the reason of its loss', async () => {
  const { run, graph } = await both()
  const { reason } = graph
  const lost = [...reason.keys()].filter((send) => (reason[send] ?? 0) > 0)
  const expected = run.deadLetters.filter(({ id }) => run.sends.has(id))
  assert.is(lost.length, expected.length)
  assert.ok(lost.length > 0, 'nothing was lost')
  assert.ok(lost.every((send) => graph.handler[send] === -1))
  assert.equal([...new Set(lost.map((send) => graph.text(reason[send])))].sort(), reasonsOf(run))
})

const reasonsOf = ({ deadLetters }: Run): string[] => [...new Set(deadLetters.map(({ reason }) => reason))].sort()

test('columns increase along every lane and every message, and never against time', async () => {
  const { graph } = await both()
  for (let event = 0; event < graph.count; event++) {
    for (const cause of [graph.before[event] ?? -1, graph.cause[event] ?? -1]) {
      // an answer is drawn before the step that sent it
      if (cause >= 0 && cause < event) assert.ok((graph.column[cause] ?? 0) < (graph.column[event] ?? 0))
    }
  }
  const order = [...graph.column.keys()].sort((a, b) => (graph.column[a] ?? 0) - (graph.column[b] ?? 0))
  assert.ok(order.every((event, i) => i === 0 || (graph.at[order[i - 1] ?? 0] ?? 0) <= (graph.at[event] ?? 0)))
})

test('a filter leaves the events of its actors, messages and tasks', async () => {
  const { graph } = await both()
  const filter = { actors: 'contractor, c1', type: 'task', topic: '3' }
  assert.equal(
    lanesIn(graph, filter).map((lane) => graph.laneName(lane)),
    ['contractor@m1', 'contractor@m2', 'contractor@m3', 'client@c1'],
  )
  const sends = sendsIn(graph, filter)
  assert.ok(sends.some(Boolean))
  for (const [send, isIt] of sends.entries()) {
    const { type, topic } = graph.run.sends
    assert.is(isIt === 1, graph.text(type[send]) === 'task' && graph.text(topic[send]) === '3')
  }
  const events = [...eventsIn(graph, filter, sends).entries()].filter(([, isIt]) => isIt)
  assert.ok(events.length >= 1 && events.length < 10, `${events.length} events`)
  const all = eventsIn(graph, EVERYTHING, sendsIn(graph, EVERYTHING))
  assert.ok(all.every((isIt) => isIt === 1))
  assert.not(sendsIn(graph, { ...EVERYTHING, type: 'no such type' }).some(Boolean))
})

test('the last event of a lane up to an instant is found', async () => {
  const { graph } = await both()
  const lane = graph.run.lanes.findIndex(({ name }) => name === 'contractor@m2')
  const own = graph.lanes[lane] ?? []
  const [third = 0, fourth = 0] = own.slice(3, 5)
  assert.is(graph.lastOf(lane, third), third)
  assert.is(graph.lastOf(lane, fourth - 1), third)
  assert.is(graph.lastAt(-1), -1)
  assert.is(graph.lastAt(Number.POSITIVE_INFINITY), graph.count - 1)
  assert.is(graph.lastAt(Number.POSITIVE_INFINITY, [lane]), own.at(-1))
})

test.run()
