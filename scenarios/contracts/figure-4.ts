import { type Find, listedNumbers, rises, type Verdict } from '../study/figure.ts'
import { FIGURE_4 } from './paper/figures-4-5.ts'
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

const verdictsOf = (find: Find, processors: 16 | 1): Verdict[] => {
  const studies = SKEWS.map((skew) => gainsOf(find, FIGURE_4, processors, skew))
  const at = (alpha: number) => studies.map((gains) => gains.find((one) => one.alpha === alpha)?.gain ?? null)
  const best = studies.map(bestOf)
  const isKnown = !best.includes(null)
  const prefix = `${processors} processor${processors === 1 ? '' : 's'}, decay skew ${SKEWS.join(', ')}`
  return [
    {
      says: 'with bounded penalties FirstReward earns most at an alpha of about 0.3, and always below 0.5',
      ours: `${prefix}: best at ${listedNumbers(best, 2)}`,
      holds: isKnown ? best.every((alpha) => alpha !== null && alpha >= 0.2 && alpha < 0.5) : null,
    },
    {
      says: 'the improvement grows with the decay skew',
      ours: `${prefix}: at 0.3 ${listedNumbers(at(0.3), 2)} % of the value offered`,
      holds: isKnown ? rises(at(0.3)) : null,
    },
    {
      says: 'SWPT (alpha = 0) is a good approximation with bounded penalties, too',
      ours: `${prefix}: at 0 ${listedNumbers(at(0), 2)} % of the value offered`,
      holds: isKnown ? at(0).every((gain) => (gain ?? 0) > 0) : null,
    },
  ]
}

await figureMain({
  name: 'contracts/figure-4',
  summary:
    'Figure 4 of Irwin, Grit and Chase 2004: gain of FirstReward over FirstPrice by alpha and decay skew, without penalties.',
  title: 'Figure 4: improvement in percent of the yield of FirstPrice, and gain in percent of the value offered',
  labels: LABELS,
  cases: casesOf(FIGURE_4),
  isQuick,
  answer: (find) => answerOf(find, QUICK_ALPHAS),
  charts: (found) => chartsOf('figure-4', 'Figure 4: FirstReward by alpha, bounded penalties', found),
  verdicts: (find) => MACHINES.flatMap((processors) => verdictsOf(find, processors)),
})
