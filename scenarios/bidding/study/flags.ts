/** The flags of every study. */
import { integer, type OptionsOf, oneOf, optional, seedFlags, text, toggle } from '../../../lib/cli/index.ts'
import { reportFlags, sweepFlags } from '../../sweep-flags.ts'
import { RUNTIMES } from './cell.ts'

export const studyFlags = {
  ...seedFlags,
  quick: toggle('few tasks per cell, inline unless --runtime says otherwise: seconds'),
  full: toggle('as many tasks per cell as its interval needs to be right: at least the precision of the paper'),
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 100, max: 1_000_000 }),
    help: 'tasks of every cell, in place of the number for its load',
  }),
  runtime: optional({
    metavar: RUNTIMES.join('|'),
    parse: oneOf(...RUNTIMES),
    help: 'a worker thread per actor (the default without --quick), or all actors of a cell in one: the same numbers, several times faster',
  }),
  only: optional({ metavar: 'TEXT', parse: text, help: 'only the cells whose labels, joined by spaces, contain TEXT' }),
  ...sweepFlags,
  ...reportFlags,
}
export type StudyOptions = OptionsOf<typeof studyFlags>
