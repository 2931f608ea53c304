/** The flags of the studies of the figures. */
import { integer, type OptionsOf, optional } from '../../../lib/cli/index.ts'
import { figureFlags, loadsFlag, seedsFlag } from '../../study/flags.ts'

/** The number of tasks and of traces in the runs that gave the converged values. */
export const FULL_TASKS = 5000
export const FULL_SEEDS = 12

export const studyFlags = {
  ...figureFlags(`all rows with ${FULL_SEEDS} seeds and ${FULL_TASKS} tasks: up to hours; keep them with --keep`),
  seeds: seedsFlag(`default 2, with --full ${FULL_SEEDS}`),
  loads: loadsFlag('default: some rows of the figure; with --full all'),
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 10, max: 100_000 }),
    help: `tasks that arrive (default 200, with --full ${FULL_TASKS}); only runs of ${FULL_TASKS} are compared with the converged values`,
  }),
}
export type StudyOptions = OptionsOf<typeof studyFlags>
