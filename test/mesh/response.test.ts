/** The study of section 5.4: rows, comparisons with reference values, and statements. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SIMULATED } from '../../scenarios/mesh/paper/simulated.ts'
import { CASES, heldAgainst, labelsOf, pooled } from '../../scenarios/mesh/response/cases.ts'
import { CLAIMS, verdicts } from '../../scenarios/mesh/response/claims.ts'
import { multicomputerOf, type Point, type Ran, ranOf, runPoint } from '../../scenarios/mesh/response/point.ts'
import type { Find } from '../../scenarios/study/figure.ts'
import { runScenario } from '../bidding/command.ts'

const FOLD: Omit<Point, 'seed' | 'jobs'> = {
  policy: 'fold',
  deal: null,
  short: 0.5,
  limit: null,
  overhead: null,
  interval: null,
  isPerJob: false,
  isCharged: false,
}

const run = (setting: Partial<Point>, jobs: number): Promise<Ran> => runPoint({ ...FOLD, seed: 5, jobs, ...setting })

const meanOf = (estimate: { readonly mean: number } | null) => estimate?.mean ?? Number.NaN

test('every row occurs once, and its run has its parameters', () => {
  assert.is(SIMULATED.length, 126)
  assert.is(new Set(CASES.map(({ labels }) => labels.join(' '))).size, 126)
  const [first] = SIMULATED
  assert.equal(first && labelsOf(first), ['FOLD', 0.5, 'none', '-', 'free'])
  const row = SIMULATED.find(({ policy, limit, overhead }) => policy === 'equi+' && limit === 3 && overhead === 0.03)
  assert.ok(row)
  const { multicomputer } = multicomputerOf({ ...row, seed: 1, jobs: 10 })
  assert.equal(
    [
      multicomputer.allocator.limit,
      multicomputer.allocator.swaps,
      multicomputer.job.mapping,
      multicomputer.job.model.charged,
    ],
    [3, { every: 10_000_000, takes: 300_000 }, 'snake', false],
  )
})

test('a row does not depend on other runs, and its result survives coding and decoding', async () => {
  const [one, again] = [await run({}, 60), await run({}, 60)]
  assert.equal(one, again)
  assert.equal(ranOf(JSON.parse(JSON.stringify(one))), one)
})

test('with the same jobs rotations help short ones and hardly delay long ones, moving costs little, and EQUI delays all', async () => {
  const [still, rotating, paid, equi] = [
    await run({}, 450),
    await run({ interval: 50 }, 450),
    await run({ interval: 50, isCharged: true }, 450),
    await run({ policy: 'equi', deal: 'random' }, 450),
  ]
  assert.ok(meanOf(rotating.short) < 0.97 * meanOf(still.short), `${rotating.short?.mean} ${still.short?.mean}`)
  assert.ok(Math.abs(meanOf(rotating.long) / meanOf(still.long) - 1) < 0.01)
  const ratio = meanOf(paid.all) / meanOf(rotating.all)
  assert.ok(ratio > 1.001 && ratio < 1.02, String(ratio))
  assert.ok(meanOf(equi.all) > 1.05 * meanOf(still.all))
})

test('with the same jobs a limit of one with swaps delays long ones, and blow-ups vary far more', async () => {
  const [still, inTurn] = [await run({ seed: 6 }, 300), await run({ seed: 6, limit: 1, overhead: 0.03 }, 300)]
  assert.ok(meanOf(inTurn.long) > 1.02 * meanOf(still.long), `${inTurn.long?.mean} ${still.long?.mean}`)
  assert.ok(inTurn.variation > 2 * still.variation, `${inTurn.variation} ${still.variation}`)
})

const ran = (mean: number, halfWidth: number | null): Ran => ({
  short: { mean, halfWidth },
  long: null,
  all: null,
  'blow-up': null,
  variation: 0,
  alone: 1,
  messages: 0,
})

test('means of independent runs are pooled, and compared with reference values by both half-widths', () => {
  const ours = pooled([ran(10, 3), ran(20, 4)], ({ short }) => short)
  assert.equal(ours, { mean: 15, halfWidth: 2.5 })
  assert.equal(heldAgainst(ours, { mean: 12, halfWidth: 6 }), { value: 12, tolerance: 13 })
  assert.is(heldAgainst({ mean: 1, halfWidth: null }, { mean: 1, halfWidth: 1 }), null)
  assert.is(pooled([ran(10, null)], ({ short }) => short)?.halfWidth, null)
  assert.is(
    pooled([ran(1, 1)], ({ long }) => long),
    null,
  )
})

test('the statements of the thesis are judged by the numbers found', () => {
  const open = verdicts(() => null)
  assert.equal(
    open.map(({ says, holds }) => [says, holds]),
    CLAIMS.map(({ says }) => [says, null]),
  )
})

/** The values of the row with these labels, from a million jobs. */
const known: Find = (of, ...labels) => {
  const row = SIMULATED.find((one) => labelsOf(one).join() === labels.join())
  if (!row) return null
  const { all, variation } = row.also
  const alone = 30 * row.short + 900 * (1 - row.short)
  const values: Readonly<Record<string, number>> = {
    all,
    variation,
    short: row.of.short.mean,
    long: row.of.long.mean,
    'all / alone': all / alone,
  }
  return values[of] ?? null
}

test('B3, S1, S3 and S4 hold with a million jobs, and S2, that rotations never help, does not', () => {
  assert.equal(
    verdicts(known).map(({ ours, holds }) => `${ours}: ${holds}`),
    [
      'response over time alone of FOLD, EQUI+, EQUI 1.963, 2.150, 2.195; the model 1.951, 2.140, 2.185: true',
      'all jobs: 0.913 of EQUI+: true',
      'rotating every 15 J s over not at all: short 0.908, long 1.000: false',
      'FOLD, EQUI+, FCFS 0.760, 0.714, 10.225: true',
      'over no limit: FOLD with one at once 1.041, EQUI+ with two 0.933: true',
    ],
  )
})

test('the command runs only the requested rows, and short runs are not compared with reference values', async () => {
  const args = ['--jobs', '30', '--only', 'EQUI+ arrival', '--parallel', '1', '--json']
  const { code, stdout, stderr } = await runScenario('mesh/response', args)
  assert.is(code, 0, stderr)
  const { checks, results } = JSON.parse(stdout)
  assert.equal(checks, [])
  assert.is(results.values.rows.length, 6)
  assert.ok(results.values.rows.every((row: { ours: { mean: number } }) => row.ours.mean > 0))
  const wrong = await runScenario('mesh/response', ['--only', 'LIFO'])
  assert.is(wrong.code, 2)
})

test.run()
