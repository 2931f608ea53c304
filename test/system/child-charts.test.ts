/** Child charts in a run: in its trace, its replay, and the faults that wait for them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { ENGINES } from '../../lib/engine/engine.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { Graph } from '../../lib/report/graph.ts'
import { shownRun } from '../../lib/report/model.ts'
import { planFaults, requireConditions } from '../../lib/scenario/fault-injector.ts'
import { parseFault, printFault } from '../../lib/scenario/faults.ts'
import type { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { coverageReport } from '../../scenarios/lab/trace/coverage.ts'
import { fixture, nextRuntimes, withSystem } from './harness.ts'

const AUCTIONEER = fixture('auctioneer.ts')
register({ actors: [AUCTIONEER] })

const SALE: readonly Message[] = [
  { type: 'offer', lot: 1, reserve: 5 },
  { type: 'offer', lot: 2, reserve: 5 },
  { type: 'bid', lot: 1, price: 7 },
]

async function sell(system: System): Promise<void> {
  await system.spawn('auctioneer@m1', AUCTIONEER)
  for (const message of SALE) await system.tell('auctioneer@m1', message)
  await system.run()
}

const ENTERED = ['1 open.quiet', '2 open.quiet', '1 open.contested', '1 sold', '2 unsold']

const textsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ t, key, state }) => (t === 'entered' ? [`${key} ${state}`] : []))

for (const runtime of nextRuntimes()) {
  for (const engine of ENGINES) {
    test(`the trace tells the states that conversations enter, and is replayed (${engine}, ${runtime})`, () =>
      withSystem({ runtime, engine, record: true }, async (system) => {
        await sell(system)
        const lines = [...system.recorded()]
        assert.equal(textsOf(lines), ENTERED)
        const replay = await Replay.open(traceOf(lines))
        assert.equal(
          [...replay].flatMap(({ step }) => step.entered.map(({ key, state }) => `${key} ${state}`)),
          ENTERED,
        )
      }))
  }

  test(`a fault waits until a conversation enters a state (${runtime})`, () =>
    withSystem({ runtime, record: true }, async (system) => {
      const faults = ['kill auctioneer@m1 when auctioneer@m1 lot 1 enters contested'].map((text) => parseFault(text))
      await system.spawn('auctioneer@m1', AUCTIONEER)
      await requireConditions(system, faults)
      const missed = planFaults(system, faults)
      for (const message of SALE) await system.tell('auctioneer@m1', message)
      await system.run()
      assert.equal(missed(), [])
      assert.equal(textsOf([...system.recorded()]), ENTERED.slice(0, 3))
    }))
}

test('a report draws the child charts of an actor, and knows the state of each conversation at each event', () =>
  withSystem({ runtime: 'inline', record: true }, async (system) => {
    await sell(system)
    const run = await shownRun({ name: '', lines: [...system.recorded()] })
    const [lot] = run.machines[0]?.charts ?? []
    assert.is(lot?.module, 'lot')
    assert.equal(
      lot?.moves.map(([from, event, to, count]) => [lot.states[from]?.path, event, lot.states[to]?.path, count]),
      [
        ['open.quiet', 'bid', 'open.contested', 1],
        ['open.contested', 'close', 'sold', 1],
        ['open.quiet', 'close', 'unsold', 1],
      ],
    )
    assert.equal(lot?.missing, ['settled'])
    const graph = new Graph(run)
    const [lane] = run.lanes.flatMap(({ name }, place) => (name === 'auctioneer@m1' ? [place] : []))
    const statesAt = (event: number) =>
      [...graph.conversations(lane ?? -1, event)].map(([name, { state }]) => `${name} ${state}`)
    assert.equal(statesAt(graph.count - 1), ['lot 1 sold', 'lot 2 unsold'])
    const bid = Array.from({ length: graph.count }, (_, event) => event).find((event) => graph.name(event) === 'bid')
    assert.equal(statesAt(bid ?? -1), ['lot 1 open.contested', 'lot 2 open.quiet'])
  }))

test('coverage counts the states of child charts that no conversation entered', () =>
  withSystem({ runtime: 'inline', record: true }, async (system) => {
    await sell(system)
    const { results, text } = await coverageReport([runOf(traceOf([...system.recorded()]))], 10)
    assert.match(JSON.stringify(results), /"neverEntered":\["lot: settled"\]/)
    assert.match(text, /never entered by a conversation in \S+auctioneer.ts\n\s+lot: settled/)
  }))

test('a fault that names a conversation is printed as it is read', () => {
  const text = 'restart auctioneer@m1 when @m1 lot 1 enters open.contested'
  const fault = parseFault(text)
  assert.equal('when' in fault && fault.when, {
    type: 'enters',
    who: '@m1',
    child: { chart: 'lot', key: '1' },
    state: 'open.contested',
  })
  assert.is(printFault(fault), text)
})

for (const [text, said] of [
  ['kill auctioneer@m1 when auctioneer@m1 lots 1 enters sold', /unknown child chart of auctioneer@m1 "lots".*lot/],
  ['kill auctioneer@m1 when auctioneer@m1 lot 1 enters bought', /unknown state of auctioneer@m1 lot "bought".*unsold/],
  ['kill auctioneer@m1 when auctioneer@m1 enters sold', /unknown state of auctioneer@m1 "sold"/],
] as const) {
  test(`a fault that no conversation can meet is refused: ${text}`, () =>
    withSystem({ runtime: 'inline' }, async (system) => {
      await system.spawn('auctioneer@m1', AUCTIONEER)
      const failure = await requireConditions(system, [parseFault(text)]).catch((error: unknown) => error)
      assert.ok(failure instanceof Error)
      assert.match(failure.message, said)
    }))
}

test.run()
