/**
 * The statements B3 and S1 to S4 of section 5.4 in short runs. Every policy has the same jobs, so that ratios are sharper
 * than means. BOURSE_FULL adds longer runs and limits on running jobs; `mesh/response --full` has 20,000 jobs per row.
 */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PolicyName } from '../../scenarios/mesh/formulas/policies.ts'
import { pooled, type Row } from '../../scenarios/mesh/response/cases.ts'
import { modelled } from '../../scenarios/mesh/response/claims.ts'
import { type Ran, runPoint } from '../../scenarios/mesh/response/point.ts'

const isFull = process.env['BOURSE_FULL'] !== undefined
const [JOBS, SEEDS] = isFull ? [2000, [1, 2]] : [1000, [1]]

const FOLD: Row = {
  policy: 'fold',
  deal: null,
  short: 0.5,
  limit: null,
  overhead: null,
  interval: null,
  isPerJob: false,
  isCharged: false,
}
const EQUI_PLUS: Row = { ...FOLD, policy: 'equi+', deal: 'random' }
const EQUI: Row = { ...EQUI_PLUS, policy: 'equi' }
const FCFS: Row = { ...FOLD, policy: 'fcfs', limit: 1 }

const runs = new Map<Row, readonly Ran[]>()

/** The results of a row for all seeds. Each row is run once. */
async function ran(row: Row): Promise<readonly Ran[]> {
  const before = runs.get(row)
  if (before) return before
  const those: Ran[] = []
  for (const seed of SEEDS) those.push(await runPoint({ ...row, seed, jobs: JOBS }))
  runs.set(row, those)
  return those
}

const meanOf = (those: readonly Ran[], of: (one: Ran) => number): number =>
  those.reduce((sum, one) => sum + of(one), 0) / those.length

/** Ratios of mean responses, over all seeds. */
async function ratio(one: Row, other: Row, of: 'all' | 'short' | 'long' = 'all'): Promise<number> {
  const [ours, theirs] = [await ran(one), await ran(other)]
  const mean = (those: readonly Ran[]) => meanOf(those, (run) => run[of]?.mean ?? Number.NaN)
  return mean(ours) / mean(theirs)
}

const variation = async (row: Row): Promise<number> => meanOf(await ran(row), (one) => one.variation)

const isBetween = (value: number, low: number, high: number, what: string) =>
  assert.ok(value > low && value < high, `${what}: ${value}, not between ${low} and ${high}`)

const MODELS: readonly (readonly [PolicyName, Row])[] = [
  ['FOLD', FOLD],
  ['EQUI+', EQUI_PLUS],
  ['EQUI', EQUI],
]

test('B3: blow-ups agree with the birth-death model, and ratios of policies within 3 %', async () => {
  for (const [policy, row] of MODELS) {
    const those = await ran(row)
    const ours = pooled(
      those,
      ({ all, alone }) =>
        all && { mean: all.mean / alone, halfWidth: all.halfWidth === null ? null : all.halfWidth / alone },
    )
    const model = modelled(policy)
    const tolerance = 2 * (ours?.halfWidth ?? Number.NaN)
    assert.ok(Math.abs((ours?.mean ?? Number.NaN) - model) <= tolerance, `${policy}: ${ours?.mean}, not ${model}`)
    const [beside, expected] = [await ratio(row, FOLD), model / modelled('FOLD')]
    assert.ok(Math.abs(beside / expected - 1) < 0.03, `${policy} over FOLD: ${beside}, not ${expected}`)
  }
  // EQUI+ and EQUI differ from six jobs on, which are rare
  isBetween(await ratio(EQUI_PLUS, EQUI), 0.94, 0.999, 'EQUI+ over EQUI')
})

test('S1: folding without rotations responds about 10 % sooner than EQUI+', async () => {
  isBetween(await ratio(FOLD, EQUI_PLUS), 0.88, 0.94, 'FOLD over EQUI+')
})

test('S2: rotations help short jobs, and hardly delay long ones', async () => {
  const rotating: Row = { ...FOLD, interval: 15, isPerJob: true }
  isBetween(await ratio(rotating, FOLD, 'short'), 0.86, 0.96, 'short')
  isBetween(await ratio(rotating, FOLD, 'long'), 0.985, 1.015, 'long')
})

test('S3: under space sharing blow-ups vary about as in processor sharing, and far more under FCFS', async () => {
  const [fold, equi, fcfs] = [await variation(FOLD), await variation(EQUI_PLUS), await variation(FCFS)]
  isBetween(fold, 0.6, 0.9, 'FOLD')
  isBetween(equi, 0.6, 0.9, 'EQUI+')
  assert.ok(fcfs > 5 * Math.max(fold, equi), `FCFS: ${fcfs}`)
})

if (isFull) {
  test('S4: a limit of one delays jobs that fold, and a limit of two helps EQUI+; blow-ups vary more', async () => {
    const one: Row = { ...FOLD, limit: 1, overhead: 0.01 }
    const two: Row = { ...EQUI_PLUS, limit: 2, overhead: 0.01 }
    isBetween(await ratio(one, FOLD), 1.02, 1.07, 'FOLD')
    isBetween(await ratio(two, EQUI_PLUS), 0.9, 0.97, 'EQUI+')
    assert.ok((await variation(one)) > 2 * (await variation(FOLD)))
  })
}

test.run()
