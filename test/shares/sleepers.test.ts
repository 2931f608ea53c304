/** Figure 3 by a processor and its messages, against what the model converges to. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FIGURE_3, INTERACTIVE, SLEEPERS, TOLERANCE } from '../../scenarios/shares/paper/figure-3.ts'
import { interactiveRuns, longRuns, manySleepers, shortRuns } from '../../scenarios/shares/sleepers/points.ts'
import { foundIn, type LivesPoint, measure } from '../../scenarios/shares/sleepers/study.ts'

const test = suite('figure 3')

const INLINE = { runtime: 'inline', seed: 1 } as const

const isNear = (measured: number, expected: number | undefined, tolerance: number, what: string) => {
  if (expected === undefined) throw new Error(`nothing is expected of ${what}`)
  assert.ok(Math.abs(measured - expected) <= tolerance, `${what}: ${measured}, expected ${expected} ± ${tolerance}`)
}

/** The rest takes a minute: `sleepers.ts --full`. */
const ASLEEP = [0.2, 0.5, 0.75, 0.8, 0.9]
const CROWDS = [2, 4]

const foundAt = async (point: LivesPoint) => foundIn(await measure(point))

test('to one of five that sleeps, in bursts of 100 quanta: within 0.02 of the converged values, 0.06 if adaptive', async () => {
  for (const [i, point] of longRuns(INLINE, 3).entries()) {
    const row = FIGURE_3[i]
    if (!row || !ASLEEP.includes(row.asleep)) continue
    for (const { policy, toSleeper } of await foundAt(point)) {
      isNear(toSleeper, row.long[policy], TOLERANCE[policy], `${policy}, asleep ${row.asleep}`)
    }
  }
})

test('in bursts of three quanta, where who goes first matters: within 0.12', async () => {
  for (const [i, point] of shortRuns(INLINE, 30).entries()) {
    const row = FIGURE_3[i]
    for (const { policy, toSleeper } of await foundAt(point)) {
      assert.ok(policy !== 'adaptive')
      isNear(toSleeper, row?.short[policy], TOLERANCE.short, `${policy}, asleep ${row?.asleep}`)
    }
  }
})

test('to each of five of whom two or four sleep half of the time they do not wait', async () => {
  for (const [i, point] of manySleepers(INLINE).entries()) {
    const row = SLEEPERS[i]
    if (!row || !CROWDS.includes(row.sleepers)) continue
    for (const { policy, toEach } of await foundAt(point)) {
      assert.ok(policy === 'none' || policy === 'system')
      for (const [client, unfair] of toEach.entries())
        isNear(unfair, row[policy][client], row.tolerance, `${policy}, ${row.sleepers} asleep, client ${client + 1}`)
    }
  }
})

test('credit halves the time until an interactive client is served', async () => {
  for (const [i, point] of interactiveRuns(INLINE, 200).entries()) {
    const row = INTERACTIVE[i]
    for (const { policy, firstRun, response } of await foundAt(point)) {
      assert.ok(row && (policy === 'none' || policy === 'system'))
      const expected = row[policy]
      isNear(firstRun, expected.firstRun, expected.firstRun / 10, `${policy}, first run of ${row.ran}`)
      isNear(response, expected.response, expected.response / 10, `${policy}, response of ${row.ran}`)
    }
  }
})

test('threads give the same numbers', async () => {
  for (const point of shortRuns(INLINE, 5).slice(8, 9))
    assert.equal(await measure({ ...point, runtime: 'threads' }), await measure(point))
})

test.run()
