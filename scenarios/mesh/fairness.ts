/** McCann 1994, figures 5.4 and 5.5: the largest and the smallest share of a job over the mean share. */
import { EQUI_RULES } from '../../actors/mesh/equi.ts'
import { type Fraction, fraction, fractionText } from '../../actors/mesh/fraction.ts'
import { isPowerOfTwo, meshText } from '../../actors/mesh/mesh.ts'
import { type OptionsOf, type Parser, UsageError, value } from '../../lib/cli/index.ts'
import { quoted } from '../../lib/core/format.ts'
import type { ResultTable } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { calculated, known, type Numbers, type Quantity } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { from1To } from './efficiency/values.ts'
import { fairnessOf, type Range, rotatingFairness } from './formulas/fairness.ts'
import { policiesOf } from './formulas/policies.ts'
import { jobsFlag, jobsOn, modelFlags, outFlags } from './model-flags.ts'
import { FAIRNESS } from './paper/converged.ts'
import { FACTS, openUnless, verdictsOf } from './paper/facts.ts'

const fractionsOf: Parser<readonly Fraction[]> = (given, flag) =>
  given.split(',').map((one) => {
    const [numerator, denominator = 1] = (/^(\d{1,6})(?:\/(\d{1,6}))?$/.exec(one)?.slice(1) ?? []).map((digits) =>
      digits === undefined ? undefined : Number(digits),
    )
    if (!numerator || !denominator) throw UsageError.invalid(flag, 'fractions above 0, such as 8/15,1/2', quoted(given))
    return fraction(numerator, denominator)
  })

const flags = {
  ...modelFlags,
  jobs: jobsFlag,
  intervals: value({
    metavar: 'Q,...',
    fallback: '8/15,4/15',
    parse: fractionsOf,
    help: 'intervals between rotations, divided by the time that a job takes alone',
  }),
  ...outFlags,
}
type Options = Omit<OptionsOf<typeof flags>, 'jobs'> & { readonly jobs: number }

interface Line {
  readonly name: string
  readonly of: (jobs: number) => Range
}

/** Policies with fixed partitions, then folding by interval. */
function linesOf({ mesh, rules, intervals }: Options): {
  readonly still: readonly Line[]
  readonly rotating: readonly Line[]
} {
  const policies = Object.entries(policiesOf(EQUI_RULES[rules]))
  return {
    still: policies.map(([name, policy]) => ({ name, of: (jobs) => fairnessOf(mesh, policy, jobs) })),
    rotating: intervals.map((q) => ({
      name: `FOLD ${fractionText(q)}`,
      of: (jobs: number) => rotatingFairness(mesh, jobs, q),
    })),
  }
}

const tableOf = ({ mesh, jobs: most }: Options, lines: readonly Line[]): ResultTable => ({
  title: `Load of the fullest processor over the number of jobs on ${meshText(mesh)}: 1 is a fair share, above 1 is less`,
  columns: [
    { name: 'jobs', align: 'right' },
    ...lines.flatMap(({ name }) => [`${name} least`, `${name} most`].map((one) => ({ name: one, digits: 4 }))),
  ],
  rows: from1To(most).map((jobs) => [
    jobs,
    ...lines.flatMap(({ of }) => {
      const { least, most: largest } = of(jobs)
      return [least, largest]
    }),
  ]),
  notes: [
    'FOLD with a fraction rotates after that part of the time that a job takes alone. Without a fraction it never rotates.',
  ],
})

const chartOf = (title: string, { jobs: most }: Options, lines: readonly Line[]): Chart => ({
  title,
  x: { label: 'jobs', min: 0 },
  y: { label: 'load over fair load', min: 0 },
  series: lines.flatMap(({ name, of }) =>
    (['least', 'most'] as const).map((end) => ({
      name: `${name}, ${end}`,
      points: from1To(most).map((jobs) => ({ x: jobs, y: of(jobs)[end] })),
    })),
  ),
})

/** Columns of reference values; capitals are for the largest share. */
const COLUMNS = new Map([
  ['EQUI', 'equi'],
  ['EQUI+', 'equiPlus'],
  ['FOLD', 'fold'],
  ['FOLD 8/15', 'fold8/15'],
  ['FOLD 4/15', 'fold4/15'],
])

function knownOf({ mesh, jobs: most, rules }: Options, lines: readonly Line[]): Quantity[] {
  if (meshText(mesh) !== '16x16' || rules !== 'standard') return []
  return FAIRNESS.flatMap(({ jobs = 0, ...row }) => {
    if (jobs > most) return []
    return lines.flatMap(({ name, of }) => {
      const column = COLUMNS.get(name)
      const [least, largest] = [row[column ?? ''], row[column?.toUpperCase() ?? '']]
      if (least === undefined || largest === undefined) return []
      const range = of(jobs)
      return [
        known(`${name}, ${jobs} jobs, least`, range.least, least, 1e-5),
        known(`${name}, ${jobs} jobs, most`, range.most, largest, 1e-5),
      ]
    })
  })
}

function factsOf({ mesh, jobs: most, rules }: Options, [equi]: readonly Line[]): Numbers {
  const width = (jobs: number): number => {
    const range = equi?.of(jobs)
    return range ? range.most - range.least : Number.NaN
  }
  const uneven = from1To(most).filter((jobs) => width(jobs) > 0)
  return openUnless(meshText(mesh) === '16x16' && rules === 'standard' && most > 2, {
    N1: {
      ours: `EQUI is uneven for ${uneven.join(', ')} jobs`,
      holds:
        uneven.some((jobs) => jobs % 2 === 0) &&
        from1To(most).every((jobs) => isPowerOfTwo(jobs) !== uneven.includes(jobs)),
    },
  })
}

await figureMain({
  name: 'mesh/fairness',
  summary:
    'How even the shares of jobs are under EQUI, EQUI+ and folding, by number of jobs (McCann 1994, figures 5.4 and 5.5).',
  flags,
  claims: FACTS,
  plan: (given) => {
    const options: Options = { ...given, jobs: jobsOn(given.mesh, given.jobs) }
    const { still, rotating } = linesOf(options)
    const lines = [...still, ...rotating]
    return {
      cases: [calculated(knownOf(options, lines))],
      show: () => ({
        tables: [tableOf(options, still), tableOf(options, rotating)],
        values: tableOf(options, lines),
        charts: [
          { name: 'fairness', chart: chartOf('Least and largest load of a job over the fair one', options, still) },
          {
            name: 'fairness-rotating',
            chart: chartOf('The same under folding, by interval between rotations', options, rotating),
          },
        ],
        verdicts: verdictsOf(factsOf(options, still)),
      }),
    }
  },
})
