/**
 * Figure 3 of Arpaci-Dusseau & Culler 1997: how fair a processor is to a job that sleeps, depending on its credit for
 * that.
 */
import { integer, type OptionsOf, optional } from '../../lib/cli/index.ts'
import { plainOf } from '../../lib/core/table.ts'
import type { Chart, Series } from '../../lib/experiment/chart.ts'
import { type Figure, type Found, finder } from '../study/figure.ts'
import { figureFlags, runtimeFlag } from '../study/flags.ts'
import { figureMain } from '../study/main.ts'
import { FACTS } from './paper/facts.ts'
import { FIGURE_3 } from './paper/figure-3.ts'
import { POLICIES, type Ran, type Row, ranOf } from './sleepers/study.ts'
import {
  CURVE_NAMES,
  curvesAt,
  interactive,
  longBursts,
  type Part,
  severalSleepers,
  shortBursts,
  verdictsOf,
} from './sleepers/tables.ts'

const flags = {
  ...figureFlags('run more cycles, and also bursts of three quanta, several sleepers and interactive clients'),
  cycles: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'cycles of sleeping and running in each setting (default 6, with --full 30)',
  }),
  runtime: runtimeFlag,
}
type Options = OptionsOf<typeof flags>

const QUICK = 6
const FULL = 30
const SERVED = 200

function partsOf({ runtime, full, cycles = full ? FULL : QUICK }: Options): readonly Part[] {
  const figure = longBursts(runtime, cycles)
  if (!full) return [figure]
  return [figure, shortBursts(runtime, cycles), severalSleepers(runtime), interactive(runtime, SERVED)]
}

const PERCENT = Array.from({ length: 96 }, (_, percent) => percent)

function chartOf(found: readonly Found[]): Chart {
  const curves = CURVE_NAMES.map((name, i): Series => {
    return { name, points: PERCENT.map((x) => ({ x, y: curvesAt(x / 100)[i] ?? null })), marks: false }
  })
  const find = finder(found)
  const [part = ''] = found[0]?.labels ?? []
  const measured = POLICIES.map((policy): Series => {
    const points = FIGURE_3.map(({ asleep }) => {
      return { x: 100 * asleep, y: find(policy, part, Math.round(100 * asleep)) }
    })
    return { name: policy, points, line: false }
  })
  return {
    title: 'Figure 3: unfairness to one of five that sleeps',
    x: { label: 'asleep', unit: '%', min: 0, max: 100 },
    y: { label: 'unfairness', min: 0 },
    series: [...curves, ...measured],
  }
}

const figure: Figure<Options, Row, Ran> = {
  name: 'shares/sleepers',
  summary:
    'Figure 3 of Arpaci-Dusseau & Culler 1997: fairness of a processor to a job that sleeps, with and without credit.',
  usage: 'Times are in milliseconds of the model. Exit 1 if a value differs from the converged value of the model.',
  flags,
  claims: FACTS,
  runner: { module: new URL('./sleepers/study.ts', import.meta.url), costOf: ({ until }) => until, ranOf },
  plan: (options) => {
    const parts = partsOf(options)
    return {
      cases: parts.flatMap(({ cases }) => cases),
      show: (measured) => {
        const tables = parts.flatMap(({ cases, tableOf }) => {
          const own = measured.filter((one) => cases.includes(one.case))
          return own.length > 0 ? [tableOf(own)] : []
        })
        const figure = measured.flatMap(({ case: one, found }) => (parts[0]?.cases.includes(one) ? found : []))
        const [first = { columns: [], rows: [] }, ...others] = tables
        return {
          tables,
          values: first,
          csv: tables,
          results: { others: others.map(plainOf) },
          charts: figure.length > 0 ? [{ name: 'figure-3', chart: chartOf(figure) }] : [],
          verdicts: figure.length > 0 ? verdictsOf(figure) : [],
        }
      },
    }
  },
}

await figureMain(figure)
