/** Section 5.4 as it is run: rows, what they are held against, and what comes of them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SIMULATED } from '../../scenarios/mesh/paper/simulated.ts'
import { CASES, heldAgainst, labelsOf, pooled } from '../../scenarios/mesh/response/cases.ts'
import { CLAIMS, verdicts } from '../../scenarios/mesh/response/claims.ts'
import { type Point, type Ran, ranOf, runPoint, sceneOf } from '../../scenarios/mesh/response/point.ts'
import { runScenario } from '../bidding/command.ts'

const FOLD: Omit<Point, 'seed' | 'jobs'> = {
  ...{ policy: 'fold', deal: null, short: 0.5, limit: null, overhead: null },
  ...{ interval: null, isPerJob: false, isCharged: false },
}

const run = (setting: Partial<Point>, jobs: number): Promise<Ran> => runPoint({ ...FOLD, seed: 5, jobs, ...setting })

const meanOf = (estimate: { readonly mean: number } | null) => estimate?.mean ?? Number.NaN

test('every row is there once, and is run as it says', () => {
  assert.is(SIMULATED.length, 126)
  assert.is(new Set(CASES.map(({ labels }) => labels.join(' '))).size, 126)
  const [first] = SIMULATED
  assert.equal(first && labelsOf(first), ['FOLD', 0.5, 'none', '-', 'free'])
  const row = SIMULATED.find(({ policy, limit, overhead }) => policy === 'equi+' && limit === 3 && overhead === 0.03)
  assert.ok(row)
  const { scene } = sceneOf({ ...row, seed: 1, jobs: 10 })
  assert.equal(
    [scene.allocator.limit, scene.allocator.swaps, scene.job.mapping, scene.job.model.charged],
    [3, { every: 10_000_000, takes: 300_000 }, 'snake', false],
  )
})

test('a row is what it is, whatever runs beside it, and comes back whole from another process', async () => {
  const [one, again] = [await run({}, 60), await run({}, 60)]
  assert.equal(one, again)
  assert.equal(ranOf(JSON.parse(JSON.stringify(one))), one)
})

test('the same jobs: rotations help short ones and hardly delay the long ones, what moving costs is small and paid, and EQUI delays all', async () => {
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

test('the same jobs: a limit of one that goes in turn delays the long ones, and what jobs wait varies far more', async () => {
  const [still, inTurn] = [await run({ seed: 6 }, 300), await run({ seed: 6, limit: 1, overhead: 0.03 }, 300)]
  assert.ok(meanOf(inTurn.long) > 1.02 * meanOf(still.long), `${inTurn.long?.mean} ${still.long?.mean}`)
  assert.ok(inTurn.variation > 2 * still.variation, `${inTurn.variation} ${still.variation}`)
})

const ran = (mean: number, halfWidth: number | null): Ran => ({
  ...{ short: { mean, halfWidth }, long: null, all: null, 'blow-up': null },
  ...{ variation: 0, alone: 1, messages: 0 },
})

test('means of independent runs are pooled, and held against what is known by both half-widths', () => {
  const ours = pooled([ran(10, 3), ran(20, 4)], ({ short }) => short)
  assert.equal(ours, { mean: 15, halfWidth: 2.5 })
  assert.equal(heldAgainst(ours, { mean: 12, halfWidth: 6 }, 2), { value: 12, tolerance: 13, ofSeeds: 2, seeds: 1 })
  assert.is(heldAgainst({ mean: 1, halfWidth: null }, { mean: 1, halfWidth: 1 }, 1), null)
  assert.is(pooled([ran(10, null)], ({ short }) => short)?.halfWidth, null)
  assert.is(
    pooled([ran(1, 1)], ({ long }) => long),
    null,
  )
})

test('what the thesis says is judged by the numbers found', () => {
  const open = verdicts(() => null)
  assert.equal(
    open.map(({ says, holds }) => [says, holds]),
    CLAIMS.map(({ says }) => [says, null]),
  )
  const numbers = new Map([
    ['all FOLD none', 910],
    ['all EQUI+ random none', 1000],
    ['short FOLD none', 64],
    ['short FOLD 15J none', 58],
    ['long FOLD none', 1760],
    ['long FOLD 15J none', 1760],
    ['variation FOLD none', 0.76],
    ['variation EQUI+ random none', 0.71],
    ['variation FCFS 1', 10],
    ['all FOLD 1', 950],
    ['all EQUI+ random 2', 933],
    ['all / alone FOLD none', 1.95],
    ['all / alone EQUI+ random none', 2.14],
    ['all / alone EQUI random none', 2.18],
  ])
  const found = verdicts((of, policy, _, limit) => numbers.get(`${of} ${policy} ${limit}`) ?? null)
  assert.equal(
    found.map(({ holds }) => holds),
    [true, true, false, true, true],
  )
})

test('the command: only what is asked for, and short runs are held against nothing', async () => {
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
