/**
 * Figures 3 to 6 on a smaller machine and for a shorter time, so that a test can run them: the results of one seed.
 * `npx tsx test/economy/small/measure.ts` prints the results of many seeds; measured.ts keeps them.
 */
import { replicationSeed } from '../../../lib/experiment/replications.ts'
import type { Economy } from '../../../scenarios/economy/model.ts'
import { TARGETS, type Target } from '../../../scenarios/economy/paper/figure-6.ts'
import { economyRun } from '../../../scenarios/economy/run.ts'
import { economyOf, measuresOf, type Point, type Ran, STANDARD } from '../../../scenarios/economy/study/point.ts'
import { over } from '../../../scenarios/study/figure.ts'

/** The size of the machine. Jobs are narrower in the same proportion (`classesOf`). */
const PROCESSORS = 32
const SPAN = 40_000

export type Row = Pick<Point, 'seed'> & Partial<Omit<Point, 'seed' | 'load'>>

export const smallEconomy = (row: Row): Economy => economyOf({ ...STANDARD, load: 0.9, span: SPAN, ...row }, PROCESSORS)

const run = async (row: Row): Promise<Ran> =>
  measuresOf(await economyRun.run(smallEconomy(row), { seed: row.seed, runtime: 'inline' }), SPAN)

/** The readings: presets and rates. */
export const READINGS = (['paper', 'literal'] as const).flatMap((preset) =>
  (['weighted', 'unweighted'] as const).map((rates) => ({ preset, rates })),
)
export const WANTED: readonly Target[] = ['1:2:2', '1:1:2']

/** The quantities by name. */
export type Quantities = ReadonlyMap<string, number>

class Ratios {
  readonly all = new Map<string, number>()

  put(name: string, one: number | null, other: number | null): void {
    this.all.set(name, over(one, other) ?? Number.NaN)
  }
}

/** Figures 3 to 5. All runs have the same jobs. */
export async function byPolicyAndIncome(replication: number): Promise<Quantities> {
  const seed = replicationSeed(1, replication)
  const ratios = new Ratios()
  const res = await run({ seed, policy: 'RES' })
  const paper = await run({ seed })
  const literal = await run({ seed, preset: 'literal' })
  for (const of of ['S', 'U'] as const) {
    ratios.put(`${of}: paper / RES`, paper[of], res[of])
    ratios.put(`${of}: literal / RES`, literal[of], res[of])
    ratios.put(`${of}: paper / literal`, paper[of], literal[of])
  }
  for (const income1 of [50, 200]) ratios.put(`W: ${income1} / 100`, (await run({ seed, income1 })).W, paper.W)
  return ratios.all
}

/** Figure 6: with coefficients adapted to targets. */
export async function byTarget(replication: number): Promise<Quantities> {
  const seed = replicationSeed(1, replication)
  const ratios = new Ratios()
  let steered = 0
  for (const { preset, rates } of READINGS) {
    for (const target of WANTED) {
      const { U1, U2, U3 } = await run({ seed, preset, rates, targets: TARGETS[target] })
      ratios.put(`${preset}, ${rates}, ${target}: U2 / U1`, U2, U1)
      ratios.put(`${preset}, ${rates}, ${target}: U3 / U1`, U3, U1)
      const sign = target === '1:2:2' ? 1 : -1
      steered += (sign * Math.log(over(U2, U1) ?? Number.NaN)) / READINGS.length
    }
  }
  ratios.put('all readings: U2 / U1 at 1:2:2 / at 1:1:2', Math.exp(steered), 1)
  return ratios.all
}
