/** The shrinking of failing runs: its result, its bound in time, and tasks whose envelopes have other names without others. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DeviationScheduler, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { caseOf, caseText } from '../../lib/explore/counterexample.ts'
import { traced } from '../../lib/explore/execution.ts'
import { type ShrinkProgress, shrink } from '../../lib/explore/shrink.ts'
import { eventOf, thingOf } from '../../lib/trace/run.ts'
import auditing from '../fixtures/auditing/auditing.ts'

const test = suite('shrinking a failing run')

const specification = auditing.specification(new Map())
const PROMISE = 'a task is checked after it has begun'

/** The failing run in which one task begins late, with some deviations that do not matter. */
async function failureOf(task: number) {
  const { run } = await traced(specification, new DeviationScheduler(NO_DEVIATIONS))
  const handled = (type: string) => {
    const step = run.steps.find(
      (one) => eventOf(one) === type && one.on.what === 'mail' && one.on.message['task'] === task,
    )
    if (!step) throw new Error(`${type} ${task} was not handled`)
    return step
  }
  const [begin, check] = [handled('begin'), handled('check')]
  const noise = run.steps.flatMap((step) => (step.on.what === 'timer' ? [{ thing: thingOf(step), until: step.n }] : []))
  const holds = [...noise, { thing: thingOf(begin), until: check.n + 1 }]
  return { run: 7, violations: [{ property: PROMISE, text: '' }], deviations: { ...NO_DEVIATIONS, holds }, faults: [] }
}

test('leaves one task of five, although its envelopes have other names without the others', async () => {
  const shrunk = await shrink(specification, await failureOf(3))
  assert.equal([shrunk.tasks.length, shrunk.isCut], [1, false])
  assert.equal(shrunk.deviations, { ...NO_DEVIATIONS, holds: [{ thing: '1.0.0', until: 2 }] })
})

test('gives the smallest run so far when the time is up, and tells how far it is', async () => {
  const stop = new AbortController()
  const seen: ShrinkProgress[] = []
  const onProgress = (progress: ShrinkProgress): void => {
    seen.push(progress)
    if (progress.deviations < 4) stop.abort()
  }
  const failure = await failureOf(4)
  const options = { late: stop.signal, onProgress }
  const shrunk = await shrink(specification, failure, options)
  assert.ok(shrunk.isCut)
  assert.equal([shrunk.deviations.holds.length < 4, shrunk.tasks.length], [true, 5])
  assert.equal(
    seen.map(({ runs }) => runs),
    Array.from({ length: shrunk.runs }, (_, i) => i + 1),
  )
  const untouched = await shrink(specification, failure, { late: AbortSignal.abort() })
  assert.equal([untouched.isCut, untouched.runs, untouched.deviations], [true, 0, failure.deviations])
})

test('says that the time was up', async () => {
  const stop = new AbortController()
  const quest = { given: [], limits: {} }
  const options = { late: stop.signal, onProgress: () => stop.abort() }
  const found = await caseOf({ name: 'auditing', path: 'a.ts', scenario: auditing }, quest, await failureOf(2), options)
  assert.ok(found.isCut)
  assert.match(
    caseText(found),
    /\n {2}found in run \d+, shrunk to 5 tasks in 1 run, until the time was up \(--shrink-seconds\):\n/,
  )
})

test('prints the seed of a run whose seed is another than the search began with', async () => {
  const quest = { given: [['seed', ['3']] as const], limits: {} }
  const failure = { ...(await failureOf(2)), seed: 9 }
  const { command } = await caseOf({ name: 'auditing', path: 'a.ts', scenario: auditing }, quest, failure)
  assert.match(command, /^npx tsx scenarios\/lab\/run\.ts a\.ts --seed 9 /)
})

test('cuts the end of a long run by bisection, and shortens each hold by bisection', async () => {
  const failure = await failureOf(1)
  const [last] = failure.deviations.holds.slice(-1)
  if (!last) throw new Error('no hold')
  const noise = Array.from({ length: 5000 }, (_, i) => ({ thing: `1.0.t${1000 + i}`, until: 9 }))
  const holds = [{ ...last, until: 1_000_000 }, ...noise]
  const shrunk = await shrink(specification, { ...failure, deviations: { ...NO_DEVIATIONS, holds } })
  assert.is(shrunk.deviations.holds.length, 1)
  assert.ok(shrunk.runs < 80, `${shrunk.runs}`)
})

test.run()
