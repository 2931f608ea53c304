/** Trials of strategies: what a search costs until it finds something, and how the costs of two strategies compare. */
import { stream } from '../../lib/core/random.ts'
import { sum } from '../../lib/core/tally.ts'

/** One search with one seed. */
export interface Trial {
  readonly schedules: number
  /** The CPU seconds of the schedules, without the set-up. */
  readonly cpu: number
  readonly isFound: boolean
}

export type CostOf = (trial: Trial) => number
export type Range = readonly [low: number, high: number]

/**
 * The mean cost until something is found, if a search that ends in vain is repeated with another seed: the cost of all trials for
 * each one that found it. It is infinite if none did.
 */
export const meanCost = (trials: readonly Trial[], costOf: CostOf): number =>
  sum(trials, costOf) / trials.filter(({ isFound }) => isFound).length

/** The interval of the mean cost. */
export const costRange = (trials: readonly Trial[], costOf: CostOf): Range =>
  bootstrap(trials.length, (drawn) => meanCost(drawn(trials), costOf))

/** The interval of the mean cost of `ours` divided by that of `theirs`. Trial i of both has the same seed, and so the same faults. */
export const ratioRange = (ours: readonly Trial[], theirs: readonly Trial[], costOf: CostOf): Range =>
  bootstrap(ours.length, (drawn) => {
    const [own, other] = [meanCost(drawn(ours), costOf), meanCost(drawn(theirs), costOf)]
    return own === other ? 1 : own / other
  })

/** How many times the cost of the best strategy is as good as the best. */
export const NEAR = 1.2

/** Whether a strategy is near the best: all intervals of its ratios say so, one denies it, or neither. */
export type Nearness = 'near' | 'open' | 'far'

export function nearnessOf(ratios: readonly Range[]): Nearness {
  if (ratios.some(([low]) => low > NEAR)) return 'far'
  return ratios.every(([, high]) => high <= NEAR) ? 'near' : 'open'
}

const RESAMPLES = 1000
/** The share of resamples below, and above, an interval of 95 %. */
const TAIL = 0.025

/**
 * How often a strategy is near the best by its means if all are equally good: in a share of resamples, in which `others` more strategies
 * have the costs of `trials`. More means from few trials have a lower minimum by chance, so the share is far below 1.
 */
export function nearByChance(trials: readonly Trial[], others: number, costOf: CostOf): number {
  const draw = stream(1, 'equal strategies')
  const mean = (): number =>
    meanCost(
      trials.flatMap(() => trials[Math.floor(draw() * trials.length)] ?? []),
      costOf,
    )
  const isNear = (): boolean => mean() <= NEAR * Math.min(...Array.from({ length: others }, mean))
  return Array.from({ length: RESAMPLES }, isNear).filter(Boolean).length / RESAMPLES
}

/** The percentile interval of a statistic by the bootstrap (Efron 1979): `drawn` takes the same random sample of any `n` values. */
function bootstrap(n: number, statistic: (drawn: <T>(values: readonly T[]) => T[]) => number): Range {
  const draw = stream(1, 'bootstrap')
  const resampled = (): number => {
    const places = Array.from({ length: n }, () => Math.floor(draw() * n))
    return statistic((values) => places.flatMap((place) => values.slice(place, place + 1)))
  }
  const statistics = Array.from({ length: RESAMPLES }, resampled).sort((a, b) => a - b)
  const quantile = (share: number): number => statistics[Math.round(share * (RESAMPLES - 1))] ?? Number.NaN
  return [quantile(TAIL), quantile(1 - TAIL)]
}
