/** The own flags of the command that runs fault plans; those of the scenario are added. */
import { integer, type OptionsOf, optional, text, toggle, value } from '../../../lib/cli/index.ts'
import { placeFlags, sweepFlags } from '../../sweep-flags.ts'
import { shrinkSeconds } from '../shrinking.ts'
import { subjectFlags } from '../subject.ts'

/** The plans of each kind with `--full`; some of them also run on threads. */
export const FULL = { plans: 300, threads: 20 }

export const planFlags = {
  plans: value({
    metavar: 'N',
    fallback: '10',
    parse: integer({ min: 1, max: 100_000 }),
    help: 'number of plans of each kind, run in one thread',
  }),
  from: value({
    metavar: 'N',
    fallback: '0',
    parse: integer({ min: 0, max: 1_000_000_000 }),
    help: 'number of the first plan',
  }),
  threads: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 0, max: 10_000 }),
    help: 'run the first N plans again with a thread per actor',
  }),
  only: optional({ metavar: 'TEXT', parse: text, help: 'run only the kinds whose name contains TEXT' }),
  ...placeFlags,
  keep: sweepFlags.keep,
}

export const faultFlags = {
  ...subjectFlags,
  seed: { ...subjectFlags.seed, help: 'seed of all plans' },
  ...planFlags,
  shrinkSeconds: { ...shrinkSeconds, help: 'with --report: shrink the failing plan on the page for at most S seconds' },
  full: toggle(`run ${FULL.plans} plans of each kind, and ${FULL.threads} of them with threads`),
}

export type FaultOptions = OptionsOf<typeof faultFlags>
