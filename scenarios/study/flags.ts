/** The flags of commands that reproduce figures of a paper. */
import { choice, integer, optional, positiveNumbers, seedFlags, text, toggle } from '../../lib/cli/index.ts'
import { RUNTIMES } from '../../lib/scenario/fault-plans.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'

/** The flags of every figure that runs actors; `full` describes `--full` in the help. */
export const figureFlags = (full: string) => ({
  ...seedFlags,
  quick: toggle('run some rows, for a short time (the default)'),
  full: toggle(full),
  only: optional({
    metavar: 'TEXT',
    parse: text,
    help: 'run only the rows whose labels, joined by spaces, contain TEXT',
  }),
  ...sweepFlags,
  ...reportFlags,
})

/** The flag that says where the actors of each run live. */
export const runtimeFlag = choice({
  of: RUNTIMES,
  fallback: 'inline',
  help: 'run all actors in one thread, or each in a worker thread: same results, several times slower',
})

/** The flag for the number of runs of each row; `says` describes its default in the help. */
export const seedsFlag = (says: string) =>
  optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: `runs of each row, whose spread gives the intervals (${says})`,
  })

/** The flag for the loads of a figure; `says` describes its default in the help. */
export const loadsFlag = (says: string) =>
  optional({ metavar: 'L,...', parse: positiveNumbers, help: `run only these loads of the figure (${says})` })
