/** McCann 1994, figures 5.2 and 5.3: the work of all jobs that share a mesh over that of one job alone. */
import { calculated } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { factsOf, knownOf } from './efficiency/known.ts'
import { byDelta, byJobs, byShare, chartsOf } from './efficiency/tables.ts'
import { flags, linesOf, type Options, valuesOf } from './efficiency/values.ts'
import { jobsOn } from './model-flags.ts'
import { FACTS, verdictsOf } from './paper/facts.ts'

await figureMain({
  name: 'mesh/efficiency',
  summary:
    'Efficiency preservation of EQUI, EQUI+ and folding by number of jobs (McCann 1994, figures 5.2 and 5.3, and the idea of 3.2).',
  flags,
  claims: FACTS,
  plan: (given) => {
    const options: Options = { ...given, jobs: jobsOn(given.mesh, given.jobs) }
    const values = valuesOf(options)
    return {
      cases: [calculated(knownOf(options, values))],
      show: () => ({
        tables: [byJobs(options, values), byDelta(options, values), byShare(options, values)],
        values: linesOf(options, values),
        charts: chartsOf(options, values),
        verdicts: verdictsOf(factsOf(options, values)),
      }),
    }
  },
})
