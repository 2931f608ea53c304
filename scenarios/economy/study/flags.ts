/** The flags of the studies of the figures. */
import {
  commonFlags,
  integer,
  number,
  type OptionsOf,
  optional,
  positiveNumbers,
  text,
  toggle,
} from '../../../lib/cli.ts'
import { reportFlags, sweepFlags } from '../../sweep-flags.ts'

/** So many minutes of arrivals the values are of that the model converges to. */
export const FULL_SPAN = 500_000
export const FULL_SEEDS = 20

export const studyFlags = {
  ...commonFlags,
  full: toggle(`all loads with ${FULL_SEEDS} seeds and ${FULL_SPAN} minutes of arrivals: hours; keep them with --keep`),
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: `runs of each row; their spread gives the intervals (default 3, with --full ${FULL_SEEDS})`,
  }),
  span: optional({
    metavar: 'MINUTES',
    parse: number({ min: 100, max: 1_000_000 }),
    help: `in which jobs arrive (default 5000, with --full ${FULL_SPAN}); only runs of ${FULL_SPAN} are held against the values that the model converges to`,
  }),
  loads: optional({
    metavar: 'L,...',
    parse: positiveNumbers,
    help: 'only these of the loads of the figure (default 0.9, for figures 3 and 4 also 0.4; with --full all)',
  }),
  only: optional({ metavar: 'TEXT', parse: text, help: 'only the rows whose labels, joined by spaces, contain TEXT' }),
  ...sweepFlags,
  ...reportFlags,
}
export type StudyOptions = OptionsOf<typeof studyFlags>
