/** Irwin, Grit and Chase 2004, figure 5: gain of FirstReward over FirstPrice by alpha, with unbounded penalties. */
import { rounded } from '../../lib/core/table.ts'
import { type Find, rises, type Verdict } from '../study/figure.ts'
import { FIGURE_4, FIGURE_5 } from './paper/figures-4-5.ts'
import { figureMain } from './study/main.ts'
import {
  answerOf,
  bestOf,
  casesOf,
  chartsOf,
  gainsOf,
  isQuick,
  LABELS,
  MACHINES,
  QUICK_ALPHAS,
  SKEWS,
} from './study/weights.ts'

/** The highest converged gain with bounded penalties. */
const bounded = (processors: 16 | 1, skew: number): number =>
  Math.max(
    ...FIGURE_4.filter((one) => one.processors === processors && one.decaySkew === skew && one.preempt === 0).flatMap(
      ({ gains }) => gains.map(({ ofOffered }) => ofOffered.value),
    ),
  )

const verdictsOf = (find: Find, processors: 16 | 1): Verdict[] => {
  const studies = SKEWS.map((skew) => gainsOf(find, FIGURE_5, processors, skew))
  const best = studies.map(bestOf)
  const isKnown = !best.includes(null)
  const first = studies.map(([one]) => one?.gain ?? null)
  const prefix = `${processors} processor${processors === 1 ? '' : 's'}, decay skew ${SKEWS.join(', ')}`
  const times = first.map((gain, i) => (gain === null ? null : gain / bounded(processors, SKEWS[i] ?? 0)))
  return [
    {
      says: 'with unbounded penalties only cost counts: alpha = 0 is best',
      ours: `${prefix}: best at ${best.map((one) => rounded(one, 2)).join(', ')}`,
      holds: isKnown
        ? best.every((alpha) => alpha === 0) && studies.every((gains) => rises(gains.map(({ gain }) => gain).reverse()))
        : null,
    },
    {
      says: 'the improvement is much larger with unbounded penalties',
      ours: `${prefix}: at 0 ${first.map((one) => rounded(one, 0)).join(', ')} % of the value offered; the best converged gain with bounded penalties times ${times.map((one) => rounded(one, 0)).join(', ')}`,
      holds: isKnown ? times.every((one) => (one ?? 0) >= 10) : null,
    },
  ]
}

await figureMain({
  name: 'contracts/figure-5',
  summary:
    'Figure 5 of Irwin, Grit and Chase 2004: gain of FirstReward over FirstPrice by alpha and decay skew, with unbounded penalties.',
  title:
    'Figure 5: gain in percent of the value offered; improvement in percent of the yield of FirstPrice, which is not compared',
  labels: LABELS,
  cases: casesOf(FIGURE_5),
  isQuick,
  answer: (find) => answerOf(find, QUICK_ALPHAS),
  charts: (found) => chartsOf('figure-5', 'Figure 5: FirstReward by alpha, unbounded penalties', found),
  verdicts: (find) => MACHINES.flatMap((processors) => verdictsOf(find, processors)),
})
