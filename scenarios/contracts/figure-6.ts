import { figure } from '../../lib/core/table.ts'
import { type Find, type Found, listedNumbers, meanOf, rises, type Verdict } from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import { ALPHAS, FIGURE_6, type Loaded, THRESHOLD } from './paper/figure-6.ts'
import { type Case, figureMain, type Row } from './study/main.ts'
import { firstReward } from './study/point.ts'
import { FIGURES_6_AND_7 } from './workload/mixes.ts'

const GUARDED = 'rate, admission control'
const OPEN = 'rate, all accepted'

const caseOf = ({ processors, load, accepted, rates }: Loaded, alpha: (typeof ALPHAS)[number]): Case => {
  const site: Omit<Row, 'threshold'> = {
    processors,
    load,
    mix: FIGURES_6_AND_7,
    preempt: 0,
    heuristic: firstReward(alpha),
  }
  return {
    labels: [processors, load, alpha],
    load,
    rows: [
      { ...site, threshold: THRESHOLD },
      { ...site, threshold: null },
    ],
    quantities: (guarded = [], open = []) => [
      { of: GUARDED, ours: meanOf(guarded, ({ rate }) => rate), converged: rates[alpha].admitting, paper: null },
      { of: OPEN, ours: meanOf(open, ({ rate }) => rate), converged: rates[alpha].takingAll, paper: null },
      {
        of: 'accepted',
        ours: meanOf(guarded, (one) => one.accepted),
        paper: null,
        converged: alpha === 0.3 ? accepted : null,
      },
    ],
  }
}

const MACHINES = [1, 16] as const
const LOADS = [...new Set(FIGURE_6.map(({ load }) => load))]

function verdictsOf(find: Find, processors: (typeof MACHINES)[number]): Verdict[] {
  const rates = (of: string, alpha: number) => LOADS.map((load) => find(of, processors, load, alpha))
  const all = ALPHAS.flatMap((alpha) => [...rates(GUARDED, alpha), ...rates(OPEN, alpha)])
  const isKnown = !all.includes(null)
  const heavy = (of: string) => ALPHAS.map((alpha) => find(of, processors, 2, alpha))
  const prefix = `${processors} processor${processors === 1 ? '' : 's'}`
  const [least = null, ...others] = heavy(GUARDED)
  return [
    {
      says: 'admission control is critical to maintain the yield rate under heavy load',
      ours: `${prefix}, load 2, alpha ${ALPHAS.join(', ')}: ${listedNumbers(heavy(GUARDED), 2)} with it, ${listedNumbers(heavy(OPEN), 2)} without`,
      holds: isKnown
        ? heavy(OPEN).every((rate) => (rate ?? 0) < 0) && heavy(GUARDED).every((rate) => (rate ?? 0) > 0)
        : null,
    },
    {
      says: 'with admission control the yield rate rises with the load',
      ours: `${prefix}, alpha 0.3, load ${LOADS.join(', ')}: ${listedNumbers(rates(GUARDED, 0.3), 2)}`,
      holds: isKnown ? ALPHAS.every((alpha) => rises(rates(GUARDED, alpha))) : null,
    },
    {
      says: 'even with admission control it matters more to order tasks by their cost',
      ours: `${prefix}, load 2: alpha 0 is ahead of ${ALPHAS.slice(1).join(', ')} by ${listedNumbers(
        others.map((one) => (one && least ? 100 * (least / one - 1) : null)),
        2,
      )} %`,
      holds: isKnown ? others.every((one) => (least ?? 0) > (one ?? 0)) : null,
    },
  ]
}

/** The yield rates under the heaviest load that was run, for each number of processors. */
function answerOf(find: Find, judged: Find): string[] {
  return MACHINES.flatMap((processors) => {
    const rate = (of: string, load: number) => find(of, processors, load, 0.3)
    const load = LOADS.findLast((one) => rate(GUARDED, one) !== null && rate(OPEN, one) !== null)
    if (load === undefined) return []
    const on = processors === 1 ? 'one processor' : `${processors} processors`
    const isJudged = [GUARDED, OPEN].every((of) => judged(of, processors, load, 0.3) !== null)
    if (!isJudged) {
      const isMore = (rate(GUARDED, load) ?? 0) > (rate(OPEN, load) ?? 0)
      return [
        `At a load of ${load}, ${on} and alpha 0.3, tasks yield ${isMore ? 'more' : 'less'} with admission control than if all are accepted; these runs are too short to say how much.`,
      ]
    }
    return [
      `At a load of ${load}, ${on} and alpha 0.3, tasks yield ${figure(rate(GUARDED, load))} dollars per unit of time with admission control, and ${figure(rate(OPEN, load))} if all are accepted.`,
    ]
  })
}

const chartOf = (found: readonly Found[], processors: (typeof MACHINES)[number]) => ({
  title: `Figure 6: yield rate by load, ${processors === 1 ? 'one processor' : `${processors} processors`}`,
  x: { label: 'load', min: 0 },
  // the losses without admission control would stretch the axis too far
  y: { label: 'yield rate', unit: 'dollars per unit', min: 0, cut: { below: -processors } },
  series: ALPHAS.flatMap((alpha) =>
    ([GUARDED, OPEN] as const).map((of) =>
      seriesOf(
        `alpha ${alpha}, ${of === GUARDED ? `slack of ${THRESHOLD}` : 'all accepted'}`,
        found.filter((one) => one.of === of && one.labels[0] === processors && one.labels[2] === alpha),
        ({ labels }) => Number(labels[1]),
      ),
    ),
  ),
})

await figureMain({
  name: 'contracts/figure-6',
  summary: `Figure 6 of Irwin, Grit and Chase 2004: yield per unit of time by load, with a least slack of ${THRESHOLD} and without.`,
  title: 'Figure 6: yield in dollars per unit of time, and share of the tasks that are accepted',
  labels: [{ name: 'processors' }, { name: 'load' }, { name: 'alpha' }],
  cases: FIGURE_6.flatMap((one) => ALPHAS.map((alpha) => caseOf(one, alpha))),
  isQuick: ({ labels: [processors, , alpha] }) => processors === 1 && alpha === 0.3,
  charts: (found) =>
    MACHINES.map((processors) => ({ name: `figure-6-${processors}`, chart: chartOf(found, processors) })),
  answer: answerOf,
  verdicts: (find) => MACHINES.flatMap((processors) => verdictsOf(find, processors)),
})
