/** Stoica et al. 1995, figure 6: users adapt coefficients to bring their classes to the slowdowns that they want. */
import { rounded } from '../../lib/core/table.ts'
import { type Find, type Found, meanOf, over, type Quantity, type Verdict } from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import { type Adapted, FIGURE_6, TARGETS, type Target } from './paper/figure-6.ts'
import { USER_RATIOS } from './paper/printed.ts'
import { type Case, figureMain } from './study/main.ts'
import { STANDARD } from './study/point.ts'

const labelOf = (target: Target | null): string => target ?? 'none'

/** The value that the paper draws, for any reading of its rules. */
const printedOf = ({ target, load }: Adapted, index: 0 | 1): number | null =>
  target !== null && load === 0.9 ? USER_RATIOS[target][index] : null

function caseOf(adapted: Adapted): Case {
  const { preset, rates, target, load, ratios, U1 = null } = adapted
  const ratio = (of: 'U2' | 'U3', index: 0 | 1) => ({
    of: `${of} / U1`,
    converged: ratios[index],
    paper: printedOf(adapted, index),
  })
  return {
    labels: [preset, rates, labelOf(target), load],
    load,
    rows: [{ ...STANDARD, preset, rates, load, targets: target && TARGETS[target] }],
    quantities: (ran = []): Quantity[] => [
      { of: 'U1', ours: meanOf(ran, (one) => one.U1), converged: U1, paper: null },
      { ...ratio('U2', 0), ours: meanOf(ran, ({ U1: first, U2 }) => over(U2, first)) },
      { ...ratio('U3', 1), ours: meanOf(ran, ({ U1: first, U3 }) => over(U3, first)) },
    ],
  }
}

const READINGS = [
  ['paper', 'weighted'],
  ['paper', 'unweighted'],
  ['literal', 'weighted'],
  ['literal', 'unweighted'],
] as const

/** The class whose ratio to class 1 a quantity is. */
const CLASSES: Readonly<Record<string, number>> = { 'U2 / U1': 2, 'U3 / U1': 3 }

const chartOf = (found: readonly Found[], target: Target) => ({
  title: `Figure 6: mean response over service of each class over that of class 1, target ${target}`,
  x: { label: '', names: ['class 1', 'class 2', 'class 3'] },
  y: { label: 'U over U1', min: 0 },
  series: [
    {
      name: 'target',
      points: TARGETS[target].map((y, i) => ({ x: i + 1, y })),
      paper: [1, ...USER_RATIOS[target]].map((y, i) => ({ x: i + 1, y })),
    },
    ...READINGS.map(([preset, rates]) => ({
      ...seriesOf(
        `${preset}, ${rates}`,
        found.filter(({ of, labels }) => of in CLASSES && labels.join() === [preset, rates, target, 0.9].join()),
        ({ of }) => CLASSES[of] ?? 0,
      ),
      paper: [],
    })),
  ],
})

/** Whether a ratio is within a fifth of the wanted one. */
const isNear = (ratio: number, wanted: number) => Math.abs(ratio / wanted - 1) <= 0.2

const WANTED = ['1:2:2', '1:1:2'] as const

/** A verdict for each reading of the paper. */
const verdicts = (find: Find): Verdict[] =>
  READINGS.map(([preset, rates]) => {
    const reached = WANTED.map((target) => {
      const [, ...wanted] = TARGETS[target]
      const ratios = (['U2 / U1', 'U3 / U1'] as const).map((of) => find(of, preset, rates, target, 0.9))
      return { ratios, isReached: wanted.every((one, i) => isNear(ratios[i] ?? Number.NaN, one)) }
    })
    const text = reached.map(({ ratios }) => [1, ...ratios.map((one) => rounded(one, 2))].join(':')).join(' and ')
    const isKnown = reached.every(({ ratios }) => !ratios.includes(null))
    return {
      says: 'coefficients adapted every 2000 minutes bring the classes to the ratios wanted',
      ours: `${preset}, ${rates}: ${text}`,
      holds: isKnown ? reached.every(({ isReached }) => isReached) : null,
    }
  })

await figureMain({
  name: 'economy/figure-6',
  summary: 'Figure 6 of Stoica et al. 1995: effect of adapting coefficients to a target on the slowdowns of classes.',
  title: 'Figure 6',
  labels: [{ name: 'preset' }, { name: 'rates', align: 'left' }, { name: 'target', align: 'left' }, { name: 'load' }],
  cases: FIGURE_6.map(caseOf),
  isQuick: ({ load }) => load === 0.9,
  charts: (found) =>
    WANTED.map((target) => ({
      name: `figure-6-${target.replaceAll(':', '-')}`,
      chart: chartOf(found, target),
    })),
  verdicts,
})
