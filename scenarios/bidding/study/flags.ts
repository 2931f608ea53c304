/** The flags of every study. */
import { integer, type OptionsOf, oneOf, optional, seedFlags, text, toggle } from '../../../lib/cli/index.ts'
import { reportFlags, sweepFlags } from '../../sweep-flags.ts'
import { RUNTIMES } from './cell.ts'

export const studyFlags = {
  ...seedFlags,
  quick: toggle('run few tasks per cell, inline unless --runtime is given; takes seconds'),
  full: toggle('run as many tasks per cell as a correct interval needs, with at least the precision of the paper'),
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 100, max: 1_000_000 }),
    help: 'tasks of every cell, instead of the number for its load',
  }),
  runtime: optional({
    metavar: RUNTIMES.join('|'),
    parse: oneOf(...RUNTIMES),
    help: 'run each actor in a worker thread (default without --quick), or a cell in one thread: same numbers, several times faster',
  }),
  only: optional({
    metavar: 'TEXT',
    parse: text,
    help: 'run only the cells whose labels, joined by spaces, contain TEXT',
  }),
  ...sweepFlags,
  ...reportFlags,
}
export type StudyOptions = OptionsOf<typeof studyFlags>
