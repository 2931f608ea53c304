import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Scheduler } from '../../lib/actor/schedule.ts'
import { type Time, units } from '../../lib/core/time.ts'
import { execute } from '../../lib/explore/execution.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { bounded, type Specification } from '../../lib/scenario/specification.ts'

const test = suite('what must come in the end')
const plain = fifo({ seed: 1, run: 0, decisions: 0 })
const COMES = 'the ball comes to rest'

interface Playing {
  readonly latency?: Time
  readonly faults?: readonly string[]
  /** The work that is left at a time. */
  readonly left?: (now: Time) => number
  readonly livelock?: number
}

/** Two actors that play ball for ever, and a lamp that is lit at 250. */
function ball({ latency = units(1), faults = [], left = () => 1, livelock }: Playing): Specification {
  const specification: Specification = {
    options: { seed: 1, network: { latency } },
    faults: faults.map((fault) => parseFault(fault)),
    until: units(5000),
    addresses: ['a@m1', 'b@m2', 'l@m3'],
    tasks: 0,
    only: () => ball({}),
    async open(system) {
      for (const who of ['a@m1', 'b@m2']) {
        await system.spawn(who, new URL('../fixtures/actors/echo.ts', import.meta.url))
      }
      await system.spawn('l@m3', new URL('../fixtures/actors/lamp.ts', import.meta.url))
      system.at(units(250), () => system.tell('l@m3', { type: 'press' }))
      await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
      const isOpen = () => left(system.now) > 0
      return {
        outcome: () => '',
        left: () => left(system.now),
        violations: () => (isOpen() ? [{ property: COMES, text: 'it did not', eventually: true }] : []),
      }
    },
  }
  return livelock === undefined ? specification : bounded(specification, { livelock })
}

test('is violated after more steps without progress than its limit, and the limit is named', async () => {
  for (const latency of [units(1), 0]) {
    const { violations, result: played } = await execute(ball({ latency, livelock: 300 }), plain)
    const text = 'it did not, in 300 steps without a fault or any progress (limit livelock)'
    assert.equal(violations, [{ property: COMES, text, eventually: true }])
    assert.ok(played.steps > 300 && played.steps < 320, `${played.steps}`)
  }
})

test('a run that goes on without facts is stopped at the limit, although its oracle does not say what is left', async () => {
  const endless: Specification = {
    ...bounded(ball({ latency: 0 }), { livelock: 300 }),
    until: undefined,
    open: async (system) => {
      await ball({ latency: 0 }).open(system)
      return { violations: () => [] }
    },
  }
  const { violations, result: played } = await execute(endless, plain)
  assert.equal(
    violations.map(({ property }) => property),
    ['every run comes to rest'],
  )
  assert.match(
    violations[0]?.text ?? '',
    'it went on for 300 steps without a fault, or a fact at a later instant (limit livelock)',
  )
  assert.ok(played.steps < 1000, `${played.steps}`)
})

test('a run that observes facts for ever, and never moves on in time, is stopped at the limit too', async () => {
  const chatter: Specification = {
    ...bounded(ball({}), { livelock: 300 }),
    until: undefined,
    open: async (system) => {
      await system.spawn('a@m1', new URL('../fixtures/actors/chatters.ts', import.meta.url))
      return { violations: () => [] }
    },
  }
  const { violations, result: played } = await execute(chatter, plain)
  assert.equal(
    violations.map(({ property }) => property),
    ['every run comes to rest'],
  )
  assert.ok(played.steps < 1000, `${played.steps}`)
})

test('a run that goes on although nothing is left is stopped at the limit, unless it has an end', async () => {
  const done = ball({ livelock: 300, left: () => 0 })
  assert.equal((await execute(done, plain)).violations, [])
  const { violations, result: played } = await execute({ ...done, until: undefined }, plain)
  const text = 'it went on for 300 steps although nothing was left to come (limit livelock)'
  assert.equal(
    violations.map((one) => [one.property, one.text.slice(0, text.length)]),
    [['every run comes to rest', text]],
  )
  assert.ok(played.steps < 1000, `${played.steps}`)
})

test('a run that need not end is stopped without a failure, and only if its oracle says so', async () => {
  const goesOn = (needNotEnd: boolean): Specification => ({
    ...bounded(ball({}), { livelock: 100_000, unfair: 300 }),
    options: { seed: 1, network: { latency: units(1) }, rounds: 3000 },
    until: undefined,
    open: async (system) => {
      await ball({}).open(system)
      return { left: () => 1, violations: () => [], needNotEnd: () => needNotEnd }
    },
  })
  const excused = await execute(goesOn(true), plain)
  assert.equal(excused.violations, [])
  assert.ok(excused.result.steps < 400, `${excused.result.steps} steps`)
  assert.equal(
    (await execute(goesOn(false), plain)).violations.map(({ property }) => property),
    ['every run comes to rest'],
  )
})

test('a run that goes on without progress or a broken promise is stopped, but only when what is missing had time to come', async () => {
  const waits = (livelock: number): Specification => ({
    ...bounded(ball({}), { livelock }),
    options: { seed: 1, network: { latency: units(1) } },
    until: undefined,
    open: async (system) => {
      await ball({}).open(system)
      return { left: () => 1, violations: () => [] }
    },
  })
  for (const [livelock, most] of [
    [300, 100_300],
    [120_000, 120_000],
  ] as const) {
    const { violations, result: played } = await execute(waits(livelock), plain)
    assert.equal(
      violations.map(({ property }) => property),
      ['every run comes to rest'],
    )
    assert.match(
      violations[0]?.text ?? '',
      /^it went on for \d+ steps without a fault or any progress \(limit livelock\)/,
    )
    assert.ok(played.steps > 100_000 && played.steps < most + 20, `${played.steps} steps`)
  }
})

test('a run is cut off when the time is up, and breaks no promise then', async () => {
  const late = new AbortController()
  const endless: Specification = {
    ...ball({}),
    until: undefined,
    open: async (system) => {
      await ball({}).open(system)
      system.at(units(100), async () => late.abort())
      return { left: () => 1, violations: () => [{ property: COMES, text: 'it did not' }] }
    },
  }
  const { violations, isCut, result } = await execute(endless, plain, [], late.signal)
  assert.equal([violations, isCut], [[], true])
  assert.ok(result.steps < 300, `${result.steps} steps`)
})

test('is waited for as long as there is progress', async () => {
  const left = (now: Time) => 6 - Math.floor(now / units(200))
  assert.equal((await execute(ball({ livelock: 300, left }), plain)).violations, [])
})

test('is waited for until the last planned fault is over', async () => {
  for (const fault of ['pause a@m1 for 100 at 900', 'partition m3 | m4 at 10 until 1000', 'kill l@m3 at 1000']) {
    const { steps, end } = (await execute(ball({ livelock: 300, faults: [fault] }), plain)).result
    assert.ok(end.now >= units(1299) && end.now <= units(1310), `${fault}: ${end.now}`)
    assert.ok(steps > 1190, `${fault}: ${steps}`)
  }
})

test('gets the whole limit again after a fault at a logical point or a duplicate message', async () => {
  const specification = ball({ livelock: 300, faults: ['kill l@m3 when l@m3 enters on'] })
  const { now } = (await execute(specification, plain)).result.end
  assert.ok(now >= units(549) && now <= units(560), `${now}`)
  let passed = 0
  const outcomeOf = () => (++passed === 200 ? 'twice' : 'once')
  const { steps } = (await execute(ball({ livelock: 300 }), { ...plain, outcomeOf })).result
  assert.ok(steps > 498 && steps < 520, `${steps}`)
})

test('is not violated while a schedule holds an event back that it may need', async () => {
  const starving: Scheduler = { next: ({ slot }) => (slot === 3 ? -1 : 0), outcomeOf: () => 'once' }
  let isLit = false
  const pressed: Specification = {
    ...ball({}),
    // the lamp is pressed at 250, and handles that at 1250
    limits: { livelock: 300, longestHold: units(1000) },
    async open(system) {
      const oracle = await ball({}).open(system)
      system.onDelivery(({ who, type }) => {
        isLit ||= who === 'l@m3' && type === 'press'
      })
      return { ...oracle, left: () => (isLit ? 0 : 1), violations: (end) => (isLit ? [] : oracle.violations(end)) }
    },
  }
  assert.equal((await execute(pressed, starving)).violations, [])
  assert.ok(isLit)
})

test('is not checked without a promise', async () => {
  const specification = ball({ livelock: 300 })
  const open: Specification['open'] = async (system) => ({
    ...(await specification.open(system)),
    violations: () => [],
  })
  const { result: played, violations } = await execute({ ...specification, open }, plain)
  assert.equal(violations, [])
  assert.is(played.end.ended, 'until')
})

test.run()
