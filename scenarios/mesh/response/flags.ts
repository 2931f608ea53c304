/** The flags of the study of response times. */
import { integer, type OptionsOf, optional } from '../../../lib/cli/index.ts'
import { figureFlags } from '../../study/flags.ts'

/** The number of jobs of each row, which is compared with reference values. */
export const FULL_JOBS = 20_000

export const responseFlags = {
  ...figureFlags(`all rows with ${FULL_JOBS} jobs: an hour and more; keep them with --keep`),
  seeds: optional({ metavar: 'N', parse: integer({ min: 1, max: 1000 }), help: 'runs of each row (default 1)' }),
  jobs: optional({
    metavar: 'N',
    parse: integer({ min: 10, max: 1_000_000 }),
    help: `jobs that arrive (default 2000, with --full ${FULL_JOBS}); only runs of ${FULL_JOBS} are compared with known values`,
  }),
}
export type ResponseOptions = OptionsOf<typeof responseFlags>
