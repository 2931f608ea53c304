/** The common part of figures 4 and 5 of Irwin, Grit and Chase 2004: FirstReward compared with FirstPrice, by alpha. */
import type { Chart } from '../../../lib/experiment/chart.ts'
import { type Find, type Found, pairedOf, rankedText } from '../../study/figure.ts'
import { seriesOf } from '../../study/series.ts'
import type { Weighted } from '../paper/figures-4-5.ts'
import { figures4And5 } from '../workload/mixes.ts'
import type { Case, Row } from './main.ts'
import { FIRST_PRICE, firstReward, gainOfOffered, improvement } from './point.ts'

/** The names of two quantities: the improvement over FirstPrice, and the gain of the value offered. */
const IMPROVEMENT = 'improvement'
const GAIN = 'gain of offered'

export const LABELS = [
  { name: 'processors' },
  { name: 'preemption' },
  { name: 'decay skew' },
  { name: 'alpha' },
] as const

export const casesOf = (figure: readonly Weighted[]): Case[] =>
  figure.flatMap(({ processors, bound, decaySkew, preempt, gains }) => {
    const site: Omit<Row, 'heuristic'> = {
      processors,
      load: 1,
      mix: figures4And5(decaySkew, bound, processors),
      preempt,
      threshold: null,
    }
    return gains.map(
      ({ alpha, improvement: converged, ofOffered }): Case => ({
        labels: [processors, preempt, decaySkew, alpha],
        load: 1,
        rows: [
          { ...site, heuristic: firstReward(alpha) },
          { ...site, heuristic: FIRST_PRICE },
        ],
        quantities: (own = [], other = []) => [
          // without a bound FirstPrice may yield next to nothing, so percentages of its yield are not compared
          {
            of: IMPROVEMENT,
            ours: pairedOf(own, other, improvement),
            paper: null,
            converged: bound === null ? null : converged,
          },
          { of: GAIN, ours: pairedOf(own, other, gainOfOffered), converged: ofOffered, paper: null },
        ],
      }),
    )
  })

/** The gain of the value offered by alpha, for one mix without preemption. */
export const gainsOf = (
  find: Find,
  figure: readonly Weighted[],
  processors: Weighted['processors'],
  decaySkew: number,
): { readonly alpha: number; readonly gain: number | null }[] =>
  figure
    .filter((one) => one.processors === processors && one.decaySkew === decaySkew && one.preempt === 0)
    .flatMap(({ gains }) => gains.map(({ alpha }) => ({ alpha, gain: find(GAIN, processors, 0, decaySkew, alpha) })))

export const SKEWS = [3, 5, 7] as const
export const MACHINES = [16, 1] as const

/** The alpha with the highest gain; null if a gain is missing. */
export function bestOf(gains: ReturnType<typeof gainsOf>): number | null {
  if (gains.some(({ gain }) => gain === null)) return null
  const most = Math.max(...gains.map(({ gain }) => gain ?? Number.NaN))
  return gains.find(({ gain }) => gain === most)?.alpha ?? null
}

/** The gains by alpha on the machine and with the decay skew that every run includes. */
export const answerOf = (find: Find, alphas: readonly number[]): string[] =>
  rankedText(
    'Gain of FirstReward over FirstPrice on one processor with a decay skew of 5, in percent of the value offered',
    alphas.map((alpha) => ({ name: `at alpha ${alpha}`, value: find(GAIN, 1, 0, 5, alpha) })),
    { better: 'more' },
  )

/** The alphas that every run includes. */
export const QUICK_ALPHAS = [0, 0.3, 0.7, 1]

/** A chart for each number of processors. */
export const chartsOf = (name: string, title: string, found: readonly Found[]): { name: string; chart: Chart }[] =>
  MACHINES.map((processors) => ({
    name: `${name}-${processors}`,
    chart: {
      title: `${title}, ${processors === 1 ? 'one processor' : `${processors} processors`}`,
      x: { label: 'alpha', min: 0, max: 1 },
      y: { label: 'gain over FirstPrice', unit: '% of the value offered' },
      series: SKEWS.map((skew) =>
        seriesOf(
          `decay skew ${skew}`,
          found.filter(({ of, labels: [p, mode, s] }) => of === GAIN && p === processors && mode === 0 && s === skew),
          ({ labels }) => Number(labels[3]),
        ),
      ),
    },
  }))

/** Whether a case belongs to a run without flags. */
export const isQuick = ({ labels: [processors, preemption, skew, alpha] }: Case): boolean =>
  processors === 1 && preemption === 0 && skew === 5 && QUICK_ALPHAS.includes(Number(alpha))
