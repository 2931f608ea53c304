/** Stoica et al. 1995, figure 5: the wait of a user with half or twice the income of the others. */
import { rounded } from '../../lib/core/table.ts'
import { type Find, type Found, meanOf, type Quantity, rankedText, ratioOf, type Verdict } from '../study/figure.ts'
import { seriesOf } from '../study/series.ts'
import { FIGURE_5, INCOMES, type Incomes } from './paper/figure-5.ts'
import { INCOME_RATIOS } from './paper/printed.ts'
import { type Case, figureMain } from './study/main.ts'
import { type Ran, STANDARD } from './study/point.ts'

const UNEVEN = [50, 200] as const

const waitOf = ({ W }: Ran) => W

function caseOf({ preset, load, waits, others, ratios }: Incomes): Case {
  const isPrinted = preset === 'paper' && load === 0.9
  return {
    labels: [preset, load],
    load,
    rows: INCOMES.map((income1) => ({ ...STANDARD, preset, load, income1 })),
    quantities: (...ran) => {
      const at = (income: (typeof INCOMES)[number]) => ran[INCOMES.indexOf(income)] ?? []
      return [
        ...INCOMES.map(
          (income): Quantity => ({
            of: `W at ${income}`,
            converged: waits[income],
            paper: null,
            ours: meanOf(at(income), waitOf),
          }),
        ),
        ...UNEVEN.map(
          (income): Quantity => ({
            of: `others at ${income}`,
            converged: others[income],
            paper: null,
            ours: meanOf(at(income), (one) => one.others),
          }),
        ),
        ...UNEVEN.map(
          (income): Quantity => ({
            of: `W ${income} / 100`,
            converged: ratios[income],
            paper: isPrinted ? String(INCOME_RATIOS[income]) : null,
            ours: ratioOf(at(income), at(100), waitOf),
          }),
        ),
      ]
    },
  }
}

const chart = (found: readonly Found[]) => ({
  title: 'Figure 5: mean wait of user 1 by load and income (preset paper)',
  x: { label: 'load', min: 0.5, max: 1 },
  y: { label: 'wait', unit: 'minutes', min: 0 },
  series: INCOMES.map((income) =>
    seriesOf(
      `income ${income}`,
      found.filter(({ of, labels }) => of === `W at ${income}` && labels[0] === 'paper'),
      ({ labels }) => Number(labels[1]),
    ),
  ),
})

/** Whether a ratio is within a fifth of the stated one. */
const isNearly = (ratio: number, said: number) => Math.abs(ratio / said - 1) <= 0.2

function verdicts(find: Find): Verdict[] {
  const half = find('W 50 / 100', 'paper', 0.9)
  const double = find('W 200 / 100', 'paper', 0.9)
  return [
    {
      says: 'the wait of a user goes nearly as the inverse of his income',
      ours: `at load 0.9, half the income ${rounded(half, 2)} of the wait, twice the income ${rounded(double, 2)}`,
      holds: half === null || double === null ? null : isNearly(half, 2) && isNearly(double, 0.5),
    },
  ]
}

await figureMain({
  name: 'economy/figure-5',
  summary:
    'Figure 5 of Stoica et al. 1995: mean wait of one user by income, among nine users with 100 dollars a minute.',
  title: 'Figure 5',
  labels: [{ name: 'preset' }, { name: 'load' }],
  answer: (find) =>
    rankedText(
      'Mean wait of the user at a load of 0.9, in minutes',
      [50, 100, 200].map((income) => ({
        name: `with an income of ${income} dollars`,
        value: find(`W at ${income}`, 'paper', 0.9),
      })),
      { better: 'less' },
    ),
  cases: FIGURE_5.map(caseOf),
  isQuick: ({ load }) => load === 0.9,
  charts: (found) => [{ name: 'figure-5', chart: chart(found) }],
  verdicts,
})
