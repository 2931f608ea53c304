import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { register } from '../../lib/core/code-registry.ts'
import { ENGINES, type EngineName } from '../../lib/engine/engine.ts'
import { Divergence } from '../../lib/replay/divergence.ts'
import { Replay, type Replayed } from '../../lib/replay/replay.ts'
import { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { type Trace, traceOf } from '../../lib/trace/read.ts'
import { PROTOCOLS } from '../../scenarios/bidding/model.ts'
import { stepAt } from '../../scenarios/lab/replay/moment.ts'
import { sampled } from '../repeats.ts'
import { does, fixture, later, nextRuntimes, note, PUPPET } from '../system/harness.ts'
import { linesOf, marketLines } from '../trace/traces.ts'

/** Makes a trace of lines as if they had been read from a file. */
const traceIn = (lines: readonly Line[]): Trace => traceOf(lines.map((line) => JSON.parse(JSON.stringify(line))))

async function replayed(trace: Trace, only?: string, engine?: EngineName): Promise<Replayed[]> {
  const replay = await Replay.open(trace, only, engine)
  const steps = [...replay]
  const own = replay.run.steps.filter(({ who }) => only === undefined || who === only)
  assert.equal(
    steps.map(({ step }) => step.index),
    own.map(({ index }) => index),
  )
  return steps
}

/** Replays a run with all actors together, and then with each actor alone. */
async function replaysWhole(lines: readonly Line[], least: number): Promise<Replayed[]> {
  const trace = traceIn(lines)
  const steps = await replayed(trace)
  assert.ok(steps.length >= least, `${steps.length} steps`)
  for (const who of new Set(steps.map(({ step }) => step.who))) await replayed(trace, who)
  return steps
}

async function divergenceOf(trace: Trace): Promise<Divergence> {
  const replay = await Replay.open(trace)
  try {
    for (const _ of replay) {
    }
  } catch (error) {
    if (error instanceof Divergence) return error
    throw error
  }
  throw new Error('the replay did not diverge')
}

const ROUGH = { latency: units(1), jitter: units(0.5), loss: 0.1, duplicate: 0.1 }
const FAULTS = ['restart contractor@m2 at 30', 'kill @m1 at 40', 'restart @m1 at 60', 'pause client@c1 for 9 at 20']
const PARTITION = 'partition m1 | m2,m3,c1,c2 at 10 until 30'

test('a run on any engine can be replayed on each engine', async () => {
  for (const engine of ENGINES) {
    const trace = traceIn(await marketLines({ engine, network: ROUGH, faults: [...FAULTS, PARTITION] }))
    for (const other of ENGINES) assert.ok((await replayed(trace, undefined, other)).length > 100)
  }
})

for (const runtime of nextRuntimes()) {
  for (const protocol of runtime === 'inline' ? PROTOCOLS : sampled(PROTOCOLS)) {
    test(`a market of ${protocol} is replayed byte for byte, with deaths, pauses, partitions, loss and duplication (${runtime})`, async () => {
      await replaysWhole(await marketLines({ runtime, protocol, network: ROUGH, faults: [...FAULTS, PARTITION] }), 100)
    })
  }

  test(`a run with reliable delivery is replayed, with its ids, deaths and ends (${runtime})`, async () => {
    const faults = [...FAULTS, PARTITION]
    await replaysWhole(await marketLines({ runtime, network: ROUGH, reliable: true, faults }), 100)
  })

  test(`a message that was handled although it had been given up is replayed (${runtime})`, async () => {
    const reliable = { timeout: units(1), cap: units(1), attempts: 2 }
    const lines = await linesOf({ runtime, reliable }, async (system) => {
      for (const who of ['a@m1', 'b@m2']) await system.spawn(who, PUPPET)
      await system.run()
      await system.pause('b@m2', units(9))
      await system.tell('a@m1', does(note('b@m2', 1)))
      await system.run()
    })
    const told = lines.flatMap(({ t, id }) => (id === '1.0.0' && (t === 'dead' || t === 'deliver') ? [t] : []))
    assert.equal(told, ['dead', 'deliver'])
    await replaysWhole(lines, 4)
  })

  test(`joins, departures, persisted records, crashes and ends are replayed (${runtime})`, async () => {
    const lines = await linesOf({ runtime }, eventful)
    const steps = await replaysWhole(lines, 20)
    const seen = new Set(lines.map(({ t }) => t))
    for (const t of ['joined', 'left', 'crash', 'stopped', 'persist', 'unhandled', 'dead', 'timer'])
      assert.ok(seen.has(t), t)
    assert.ok(steps.some(({ record }) => record.crash))
  })
}

/** Runs an actor once through each kind of event. */
async function eventful(system: System): Promise<void> {
  await system.spawn('a@m1', PUPPET, { start: [later(units(2), { type: 'note', n: 5 })] }, { restart: 'transient' })
  await system.spawn('b@m1', PUPPET)
  for (const i of [1, 2]) await system.spawn(`member@m${i}`, fixture('member.ts'))
  await system.tell(
    'a@m1',
    does({ act: 'persist', record: { n: 1 } }, { act: 'look', key: 'k' }, note('b@m1', 1), note('x@y', 2)),
  )
  await system.run()
  await system.spawn('member@m3', fixture('member.ts'))
  await system.tell('member@m1', { type: 'call', n: 1 })
  await system.tell('a@m1', does(note('b@m1', 3), { act: 'throw', text: 'on purpose' }))
  await system.tell('b@m1', { type: 'nobody knows this' })
  await system.run()
  await system.tell('a@m1', does({ act: 'tell function', to: 'b@m1' }))
  await system.run()
  await system.restart('b@m1')
  await system.ask('b@m1', { type: 'question', n: 4 }, { deadline: units(5) })
  await system.tell('b@m1', { type: 'stop' })
  await system.run()
  await system.tell('member@m1', { type: 'call', n: 2 })
  await system.tell('a@m1', does({ act: 'count' }, note('b@m1', 9)))
  await system.run()
}

const inRealTime = async (runtime: 'threads' | 'pool'): Promise<void> => {
  const add = { module: new URL('../fixtures/modules/calls.ts', import.meta.url).href, export: 'add', args: [2, 3] }
  const lines = await linesOf({ runtime, time: 'real' }, async (system) => {
    for (const who of ['a@m1', 'b@m2', 'c@m3']) await system.spawn(who, PUPPET)
    const notes = Array.from({ length: 20 }, (_, n) => note('c@m3', n))
    await system.tell('a@m1', does({ act: 'compute', id: 'sum', call: add }, { act: 'persist', record: 7 }, ...notes))
    await system.tell('b@m2', does(...notes, later(units(3), { type: 'note', n: 3 })))
    await system.run()
    await system.restart('a@m1')
    await system.tell('a@m1', does(note('b@m2', 1)))
    await system.run()
    await system.kill('c@m3')
    await system.tell('a@m1', does(note('c@m3', 1)))
    await system.run()
  })
  const steps = await replaysWhole(lines, 50)
  const { id, outcome, took } = lines.find(({ t }) => t === 'computed') ?? { t: '' }
  assert.equal(outcome, { result: 5 })
  const computed = steps.find(({ step }) => step.on.what === 'mail' && step.on.type === 'computed')
  assert.equal(computed?.incoming, { event: { type: 'computed', id, outcome, took }, from: 'system' })
}

test('a run in real time on threads is replayed, with computations, kills and restarts', () => inRealTime('threads'))
test('a run in real time in a pool is replayed, with computations, kills and restarts', () => inRealTime('pool'))

/** Applies `change` to the first line that it accepts; returns the trace and the step of this line. */
function changed(trace: Trace, change: (line: Line) => Line | undefined, from = 0): { trace: Trace; step: number } {
  const at = trace.lines.findIndex((line, i) => i >= from && change(line) !== undefined)
  const line = trace.lines[at]
  assert.ok(line)
  const who = line['from'] ?? line['who']
  const before = trace.lines.slice(0, at + 1).filter(({ t }) => t === 'start' || t === 'timer' || t === 'deliver')
  const steps = before.filter((other) => other['who'] !== 'system')
  const own = steps.findLastIndex((other) => other['who'] === who)
  return { trace: { ...trace, lines: trace.lines.with(at, change(line) ?? line) }, step: own }
}

const MARKET = marketLines({ network: ROUGH, faults: FAULTS, tasks: 4 })

const CHANGES: readonly (readonly [what: string, change: (line: Line) => Line | undefined])[] = [
  [
    'the message of a send',
    (line) =>
      line.t === 'send' && line['from'] !== 'system' && hasNumber(line['message'])
        ? { ...line, message: swapped(line['message']) }
        : undefined,
  ],
  [
    'the recipient of a send',
    (line) => (line.t === 'send' && line['from'] !== 'system' ? { ...line, to: 'client@c9' } : undefined),
  ],
  [
    'the cause of a send',
    (line) => (line.t === 'send' && line['from'] !== 'system' ? { ...line, cause: '9.9.9' } : undefined),
  ],
  [
    'a due time before the sending',
    (line) =>
      line.t === 'send' && Number(line['due']) > Number(line['at'])
        ? { ...line, due: Number(line['at']) - 1 }
        : undefined,
  ],
  [
    'a fact',
    (line) => (line.t === 'fact' && hasNumber(line['fact']) ? { ...line, fact: swapped(line['fact']) } : undefined),
  ],
  ['a state', (line) => (line.t === 'state' ? { ...line, value: 'elsewhere' } : undefined)],
  ['the event of a timer', (line) => (line.t === 'timer' ? { ...line, event: { type: 'other' } } : undefined)],
  ['the number of a timer', (line) => (line.t === 'timer' ? { ...line, n: Number(line['n']) + 1 } : undefined)],
  [
    'an instant before a timer is due',
    (line) => (line.t === 'timer' ? { ...line, at: Number(line['at']) - 1 } : undefined),
  ],
]

const hasNumber = (message: unknown): boolean => /:\d/.test(JSON.stringify(message))

/** Changes the first digit of the first number in a message. */
const swapped = (message: unknown) =>
  JSON.parse(JSON.stringify(message).replace(/:(\d)/, (_, digit) => `:${digit === '1' ? '2' : '1'}`))

for (const [what, change] of CHANGES) {
  test(`a replay diverges exactly at the step whose record was changed: ${what}`, async () => {
    const whole = traceIn(await MARKET)
    for (const from of [0, Math.floor(whole.lines.length / 2)]) {
      const { trace, step } = changed(whole, change, from)
      const drift = await divergenceOf(trace)
      assert.is(drift.step.index, step, drift.message)
      assert.match(drift.message, /^step \d+ \(\S+, its step \d+\): recorded .+, came .+$/)
    }
  })
}

test('a missing line of a step, or an additional one, is a divergence at that step', async () => {
  const whole = traceIn(await MARKET)
  const at = whole.lines.findIndex(({ t }) => t === 'fact')
  const less = await divergenceOf({ ...whole, lines: whole.lines.toSpliced(at, 1) })
  assert.match(less.came, /^\{"t":"fact"/)
  const more = await divergenceOf({ ...whole, lines: whole.lines.toSpliced(at, 0, ...whole.lines.slice(at, at + 1)) })
  assert.match(more.recorded, /^\{"t":"fact"/)
  for (const { message } of [less, more]) assert.ok(message.length < 250, message)
})

test('a replayed step has the states before and after it, its event and its effects, and another event can be tried from there', async () => {
  const steps = await replayed(traceIn(await MARKET))
  const last = new Map<string, unknown>()
  for (const { step, before, after, replica } of steps) {
    const key = `${step.slot}.${step.incarnation}`
    assert.is(before, last.get(key) ?? null)
    assert.ok(after)
    last.set(key, after)
    assert.equal(step.state, replica.engine.view(after).value)
  }
  const bid = steps.find(({ step }) => step.on.what === 'mail' && step.on.type === 'bid')
  assert.ok(bid?.before && bid.incoming)
  const { state, effects } = bid.replica.attempt(bid.before, bid.incoming, bid.step.at)
  assert.equal(bid.replica.engine.view(state).context, bid.after && bid.replica.engine.view(bid.after).context)
  assert.equal(effects, bid.effects)
})

test('a replay that stops at a step shows the timers and the mail of its actor', async () => {
  const replay = await Replay.open(traceIn(await MARKET))
  const step = replay.run.steps.find(({ on }) => on.what === 'mail' && on.type === 'bid')
  assert.ok(step)
  for (const { step: one, timers } of replay) {
    if (one.index !== step.index) continue
    const { who, at, line } = step
    const handled = new Set(
      replay.run.steps
        .filter(({ index }) => index <= step.index)
        .flatMap(({ on }) => (on.what === 'mail' ? [on.id] : [])),
    )
    const dead = new Set(replay.run.deadLetters.filter((letter) => letter.line < line).map(({ id }) => id))
    const sent = [...replay.run.sends.values()].filter(
      (one) => one.to === who && one.due !== null && (one.step ?? 0) <= step.index && one.line < line + 1,
    )
    const open = sent.filter(({ id }) => !handled.has(id) && !dead.has(id)).map(({ id }) => id)
    assert.equal(
      replay.mailboxOf(who).map(({ id }) => id),
      open,
    )
    assert.ok(timers.every(({ due }) => due >= at))
    break
  }
})

test('a trace that cannot be replayed is refused in one line', async () => {
  const trace = traceIn(await MARKET)
  const refusal = async (act: () => Promise<unknown>): Promise<string> => {
    try {
      await act()
    } catch (error) {
      assert.instance(error, Error)
      if (error instanceof Error) return `${error.name}: ${error.message}`
    }
    return 'none'
  }
  assert.match(
    await refusal(() => Replay.open(trace, 'nobody@m1')),
    /^UsageError: unknown actor "nobody@m1" in trace; known: .+$/,
  )
  const lines = trace.lines.map((line) => (line.t === 'spawn' ? { ...line, module: 'actors/nowhere.ts' } : line))
  assert.match(
    await refusal(() => Replay.open({ ...trace, lines })),
    /^UsageError: trace, line 2: "actors\/nowhere.ts" is not a registered module .+$/,
  )
  register({ actors: [new URL('../../actors/nowhere.ts', import.meta.url)] })
  assert.match(
    await refusal(() => Replay.open({ ...trace, lines })),
    /^UsageError: trace, line 2: cannot load the module actors\/nowhere.ts: .+$/,
  )
  const unsent = changed(trace, (line) => (line.t === 'deliver' ? { ...line, id: `${line['id']}9999` } : undefined))
  assert.match(
    await refusal(() => Replay.open(unsent.trace)),
    /^UsageError: trace, line \d+: "id" must be a message .+, but is "[\d.]+9999"$/,
  )
  const begin = trace.lines.map((line) => (line.t === 'begin' ? { ...line, slots: 99 } : line))
  const open = async () => [...(await Replay.open({ ...trace, lines: begin }))]
  assert.match(
    await refusal(open),
    /^UsageError: trace, line \d+: "slots" includes slot \d+, but the trace spawns no actor there$/,
  )
})

for (const runtime of nextRuntimes()) {
  test(`a recording in memory equals the trace, line by line (${runtime})`, async () => {
    let kept: Line[] = []
    const lines = await linesOf({ runtime, record: true, network: ROUGH }, async (system) => {
      await eventful(system)
      kept = [...system.recorded()]
    })
    assert.equal(
      [...kept, { t: 'end' }].map((line) => JSON.stringify(line)),
      lines.map((line) => JSON.stringify(line)),
    )
    let alone: Line[] = []
    const system = new System({ runtime, record: true, network: ROUGH, memoryMB: 16 })
    system.onDeath(() => {})
    try {
      await eventful(system)
      alone = [...system.recorded()]
    } finally {
      await system.stop()
    }
    assert.equal(
      alone.map((line) => JSON.stringify(line)),
      kept.map((line) => JSON.stringify(line)),
    )
    await replaysWhole(alone, 20)
  })
}

test('a trace in memory ends at its limit of bytes and says so', async () => {
  const system = new System({ runtime: 'inline', record: true, traceBytes: 4000, memoryMB: 8 })
  try {
    await system.spawn('a@m1', PUPPET)
    await system.tell('a@m1', does(...Array.from({ length: 99 }, (_, n) => note('a@m1', n))))
    await system.run()
    assert.equal([...system.recorded()].at(-1), { t: 'truncated', limit: 4000, option: 'traceBytes' })
  } finally {
    await system.stop()
  }
})

test('a step is named by its index in the run, or by its actor and its number, in a later incarnation also by the incarnation', async () => {
  const { run } = await Replay.open(traceIn(await MARKET))
  assert.is(stepAt(run, '3', undefined), 3)
  const second = run.incarnations.find(({ who, incarnation }) => who === 'contractor@m2' && incarnation === 1)
  assert.is(stepAt(run, '0', 'contractor@m2'), run.steps.find(({ who }) => who === 'contractor@m2')?.index)
  assert.is(stepAt(run, '1.1', 'contractor@m2'), second?.steps[1]?.index)
  assert.throws(() => stepAt(run, '99999', undefined), /--until must be a step of this run \(0 to \d+\), not "99999"/)
  assert.throws(
    () => stepAt(run, '2.0', 'contractor@m2'),
    /--until must be a step of contractor@m2 \(0 to \d+, 1.0 to \d+\), not "2.0"/,
  )
})

test.run()
