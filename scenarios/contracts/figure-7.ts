/** Irwin, Grit and Chase 2004, figure 7: yield rate by slack threshold and load. */
import { rounded } from '../../lib/core/table.ts'
import { type Find, type Found, meanOf, rankedText, rises, type Verdict } from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import { FIGURE_7, type Guarded, THRESHOLDS } from './paper/figure-7.ts'
import { type Case, figureMain } from './study/main.ts'
import { firstReward } from './study/point.ts'
import { FIGURES_6_AND_7 } from './workload/mixes.ts'

const RATE = 'rate'
const ALPHA = 0.3

const casesOf = ({ processors, load, rates }: Guarded): Case[] =>
  rates.map(({ threshold, rate }) => ({
    labels: [processors, load, threshold],
    load,
    rows: [{ processors, load, mix: FIGURES_6_AND_7, preempt: 0, heuristic: firstReward(ALPHA), threshold }],
    quantities: (ran = []) => [{ of: RATE, ours: meanOf(ran, (one) => one.rate), converged: rate, paper: null }],
  }))

const MACHINES = [1, 16] as const
const LOADS = [...new Set(FIGURE_7.map(({ load }) => load))]

/** The threshold with the highest rate, and the loss at the lowest threshold; null if a rate is missing. */
function bestOf(find: Find, processors: number, load: number) {
  const rates = THRESHOLDS.map((threshold) => find(RATE, processors, load, threshold))
  if (rates.includes(null)) return null
  const most = Math.max(...rates.map((rate) => rate ?? Number.NaN))
  return { threshold: THRESHOLDS[rates.indexOf(most)] ?? Number.NaN, loss: 100 * (1 - (rates[0] ?? 0) / most) }
}

function verdictsOf(find: Find, processors: (typeof MACHINES)[number]): Verdict[] {
  const best = LOADS.map((load) => bestOf(find, processors, load))
  const isKnown = !best.includes(null)
  const thresholds = best.map((one) => one?.threshold ?? null)
  const losses = best.map((one) => one?.loss ?? null)
  const prefix = `${processors} processor${processors === 1 ? '' : 's'}, load ${LOADS.join(', ')}`
  const isRising = thresholds.every((one, i) => (one ?? 0) >= (thresholds[i - 1] ?? Number.NEGATIVE_INFINITY))
  return [
    {
      says: 'the ideal slack threshold rises with the load',
      ours: `${prefix}: best at ${thresholds.map((one) => rounded(one, 0)).join(', ')}`,
      holds: isKnown ? isRising && (thresholds.at(-1) ?? 0) > (thresholds[0] ?? 0) : null,
    },
    {
      says: 'it matters more to set the threshold correctly at higher loads',
      ours: `${prefix}: at ${THRESHOLDS[0]} ${losses.map((one) => rounded(one, 0)).join(', ')} % less than at the best`,
      holds: isKnown ? rises(losses) : null,
    },
  ]
}

const chartOf = (found: readonly Found[], processors: (typeof MACHINES)[number]) => ({
  title: `Figure 7: yield rate by slack threshold, ${processors === 1 ? 'one processor' : `${processors} processors`}`,
  x: { label: 'threshold', unit: 'units of slack' },
  y: { label: 'yield rate', unit: 'dollars per unit', min: 0 },
  series: LOADS.map((load) =>
    seriesOf(
      `load ${load}`,
      found.filter((one) => one.labels[0] === processors && one.labels[1] === load),
      ({ labels }) => Number(labels[2]),
    ),
  ),
})

await figureMain({
  name: 'contracts/figure-7',
  summary: 'Figure 7 of Irwin, Grit and Chase 2004: yield per unit of time by slack threshold and load.',
  title: 'Figure 7: yield in dollars per unit of time',
  labels: [{ name: 'processors' }, { name: 'load' }, { name: 'threshold' }],
  cases: FIGURE_7.flatMap(casesOf),
  isQuick: ({ load, labels: [processors, , threshold] }) =>
    processors === 1 && (load === 0.5 || load === 2) && [-400, 0, 180, 500, 1000].includes(Number(threshold)),
  charts: (found) =>
    MACHINES.map((processors) => ({ name: `figure-7-${processors}`, chart: chartOf(found, processors) })),
  answer: (find) =>
    [0.5, 2].flatMap((load) =>
      rankedText(
        `Yield rate by slack threshold on one processor at a load of ${load}, in dollars per unit`,
        THRESHOLDS.map((threshold) => ({ name: `at ${threshold}`, value: find(RATE, 1, load, threshold) })),
        { better: 'more', digits: 3 },
      ),
    ),
  verdicts: (find) => MACHINES.flatMap((processors) => verdictsOf(find, processors)),
})
