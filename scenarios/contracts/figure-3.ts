/** Irwin, Grit and Chase 2004, figure 3: gain of PV over FirstPrice by discount rate and value skew. */
import { rounded } from '../../lib/core/table.ts'
import { type Find, type Found, meanOf, mostOf, pairedOf, type Quantity, rises, type Verdict } from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import { DISCOUNTS, FIGURE_3, FIGURE_3_OTHERWISE } from './paper/figure-3.ts'
import { type Case, figureMain, type Row } from './study/main.ts'
import { FIRST_PRICE, improvement, type Ran } from './study/point.ts'
import { figure3 } from './workload/mixes.ts'

const OF = 'improvement'

const rowOf = (valueSkew: number): Omit<Row, 'heuristic'> => ({
  processors: 1,
  load: 1,
  mix: figure3(valueSkew),
  preempt: 1,
  threshold: null,
})

const PV = (discount: number) => ({ name: 'PV', alpha: 0, discount }) as const

/** PV and FirstPrice with all else equal. */
const pairOf = (row: Omit<Row, 'heuristic'>, discount: number): Row[] => [
  { ...row, heuristic: PV(discount) },
  { ...row, heuristic: FIRST_PRICE },
]

const gained =
  (converged: Quantity['converged']) =>
  (own: readonly Ran[] = [], firstPrice: readonly Ran[] = []): Quantity[] => [
    { of: OF, ours: pairedOf(own, firstPrice, improvement), converged, paper: null },
  ]

/** The case of a skew and a rate. The first rate of each skew also has the yield of FirstPrice. */
const paper: Case[] = FIGURE_3.flatMap(({ valueSkew, firstPrice, improvements }) =>
  DISCOUNTS.map((discount, i) => ({
    labels: ['as drawn', valueSkew, discount],
    load: 1,
    rows: pairOf(rowOf(valueSkew), discount),
    quantities: (own = [], other = []) => [
      ...gained(improvements[discount])(own, other),
      ...(i === 0
        ? [{ of: 'FirstPrice', ours: meanOf(other, (one) => one.yield), converged: firstPrice, paper: null }]
        : []),
    ],
  })),
)

const SKEWEST = 9
const RATE = 0.01

const otherwise = (label: string, change: Partial<Row>, converged: Quantity['converged']): Case => ({
  labels: [label, SKEWEST, RATE],
  load: 1,
  rows: pairOf({ ...rowOf(SKEWEST), ...change }, RATE),
  quantities: gained(converged),
})

const cases: Case[] = [
  ...paper,
  otherwise('16 processors', { processors: 16 }, FIGURE_3_OTHERWISE.processors),
  otherwise('mean value kept', { mix: figure3(SKEWEST, 'all') }, FIGURE_3_OTHERWISE.mean),
  otherwise('no preemption', { preempt: 0 }, FIGURE_3_OTHERWISE.preempt),
]

const at = (find: Find, valueSkew: number, discount: number) => find(OF, 'as drawn', valueSkew, discount)

function verdicts(find: Find): Verdict[] {
  const all = FIGURE_3.map(({ valueSkew }) => DISCOUNTS.map((rate) => at(find, valueSkew, rate)))
  const isKnown = !all.flat().includes(null)
  const best = all.map(mostOf)
  const low = all.flatMap((row) => row.slice(0, 2))
  return [
    {
      says: 'PV earns modestly more than FirstPrice as the discount rate rises',
      ours: `at rates up to 0.001 ${low.map((one) => rounded(one, 1)).join(', ')} %; best ${best.map((one) => rounded(one, 1)).join(', ')} %`,
      holds: isKnown ? low.every((one) => (one ?? 0) > 0) && best.every((one) => (one ?? 0) < 10) : null,
    },
    {
      says: 'the improvement of PV is larger for higher value skews',
      ours: `best by skew: ${best.map((one) => rounded(one, 1)).join(', ')} %`,
      holds: isKnown ? rises(best) : null,
    },
  ]
}

const chart = (found: readonly Found[]) => ({
  title: 'Figure 3: gain of PV over FirstPrice, by discount rate',
  x: { label: 'discount rate', log: true },
  y: { label: 'improvement', unit: '%' },
  series: FIGURE_3.map(({ valueSkew }) =>
    seriesOf(
      `value skew ${valueSkew}`,
      found.filter(({ of, labels: [mix, skew] }) => of === OF && mix === 'as drawn' && skew === valueSkew),
      ({ labels }) => Number(labels[2]),
    ),
  ),
})

await figureMain({
  name: 'contracts/figure-3',
  summary: 'Figure 3 of Irwin, Grit and Chase 2004: gain of PV over FirstPrice by discount rate and value skew.',
  title: 'Figure 3: improvement in percent of the yield of FirstPrice, and that yield in dollars',
  labels: [{ name: 'mix', align: 'left' }, { name: 'value skew' }, { name: 'discount' }],
  cases,
  isQuick: ({ labels: [mix, skew] }) => mix === 'as drawn' && (skew === 1 || skew === SKEWEST),
  charts: (found) => [{ name: 'figure-3', chart: chart(found) }],
  verdicts,
})
