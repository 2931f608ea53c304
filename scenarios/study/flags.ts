/** The flags of studies that reproduce figures of a paper. */
import { integer, type OptionsOf, optional, positiveNumbers, seedFlags, text, toggle } from '../../lib/cli/index.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'

/** Makes the flags; `says` describes the defaults and `--full` in the help. */
export const figureFlags = (says: { readonly full: string; readonly seeds: string; readonly loads: string }) => ({
  ...seedFlags,
  full: toggle(says.full),
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: `runs of each row, whose spread gives the intervals (${says.seeds})`,
  }),
  loads: optional({
    metavar: 'L,...',
    parse: positiveNumbers,
    help: `run only these loads of the figure (${says.loads})`,
  }),
  only: optional({
    metavar: 'TEXT',
    parse: text,
    help: 'run only the rows whose labels, joined by spaces, contain TEXT',
  }),
  ...sweepFlags,
  ...reportFlags,
})
type AllOptions = OptionsOf<ReturnType<typeof figureFlags>>
/** The options of a figure; one with a single load has no `loads`. */
export type FigureOptions = Omit<AllOptions, 'loads'> & Partial<Pick<AllOptions, 'loads'>>
