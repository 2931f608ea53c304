/** The flags of the studies of the figures. */
import { number, type OptionsOf, optional } from '../../../lib/cli/index.ts'
import { figureFlags, loadsFlag, seedsFlag } from '../../study/flags.ts'

/** The minutes of arrivals in the runs that gave the converged values. */
export const FULL_SPAN = 500_000
export const FULL_SEEDS = 20

export const studyFlags = {
  ...figureFlags(
    `all loads with ${FULL_SEEDS} seeds and ${FULL_SPAN} minutes of arrivals: hours; keep them with --keep`,
  ),
  seeds: seedsFlag(`default 3, with --full ${FULL_SEEDS}`),
  loads: loadsFlag('default 0.9, for figures 3 and 4 also 0.4; with --full all'),
  span: optional({
    metavar: 'MINUTES',
    parse: number({ min: 100, max: 1_000_000 }),
    help: `minutes of arrivals (default 5000, with --full ${FULL_SPAN}); only runs of ${FULL_SPAN} are compared with the converged values`,
  }),
}
export type StudyOptions = OptionsOf<typeof studyFlags>
