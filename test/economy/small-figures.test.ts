/**
 * Figures 3 to 6 in small, compared with the same runs in other seeds. A machine of 32 processors and 40,000 minutes
 * of arrivals have other ratios than 128 and 500,000, which the commands use with --full. More seeds are run with
 * BOURSE_FULL. reference.test.ts checks such runs job by job.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MEASURED, SEEDS } from './small/measured.ts'
import { byPolicyAndIncome, byTarget, type Quantities } from './small/runs.ts'

const isFull = process.env['BOURSE_FULL'] !== undefined

/** Three standard errors of the difference of both means, as for converged values. */
const errorsOf = (seeds: number) => 3 * Math.sqrt(1 / seeds + 1 / (SEEDS.last - SEEDS.first + 1))

/** @returns how many ratios were compared */
async function compare(quantitiesOf: (replication: number) => Promise<Quantities>, seeds: number): Promise<number> {
  const sums = new Map<string, number>()
  for (let i = 0; i < seeds; i++) {
    for (const [name, value] of await quantitiesOf(i)) sums.set(name, (sums.get(name) ?? 0) + value)
  }
  for (const [name, sum] of sums) {
    const measured = MEASURED.find(({ of }) => of === name)
    assert.ok(measured, `${name} was never measured`)
    const { mean, deviation } = measured
    const tolerance = errorsOf(seeds) * deviation
    const text = `${name}: ${sum / seeds}, in other seeds ${mean}, tolerance ${tolerance}`
    assert.ok(Math.abs(sum / seeds - mean) <= tolerance, text)
  }
  return sums.size
}

test('ratios of S and U to RES, and waits by income, agree with other seeds', async () => {
  assert.is(await compare(byPolicyAndIncome, isFull ? 8 : 3), 8)
})

test('slowdowns of the classes by target, preset and rates agree with other seeds', async () => {
  assert.is(await compare(byTarget, isFull ? 5 : 2), 17)
})

test.run()
