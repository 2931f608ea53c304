/** McCann 1994, figures 5.2 and 5.3: the work of all jobs that share a mesh over that of one job alone. */
import { svgOf } from '../../lib/experiment/chart.ts'
import { factsOf, heldOf } from './efficiency/known.ts'
import { byDelta, byJobs, byShare, chartsOf } from './efficiency/tables.ts'
import { flags, linesOf, type Options, valuesOf } from './efficiency/values.ts'
import { jobsOn } from './study/flags.ts'
import { calculationMain } from './study/main.ts'

await calculationMain({
  name: 'mesh/efficiency',
  summary:
    'Efficiency preservation of EQUI, EQUI+ and folding by number of jobs (McCann 1994, figures 5.2 and 5.3, and the idea of 3.2).',
  flags,
  calculate: (given) => {
    const options: Options = { ...given, jobs: jobsOn(given.mesh, given.jobs) }
    const values = valuesOf(options)
    const charts = Object.entries(chartsOf(options, values))
    return {
      tables: [byJobs(options, values), byDelta(options, values), byShare(options, values)],
      values: linesOf(options, values),
      drawings: Object.fromEntries(charts.map(([name, chart]) => [name, svgOf(chart)])),
      held: heldOf(options, values),
      facts: factsOf(options, values),
    }
  },
})
