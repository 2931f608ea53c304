/** The flags of every table and figure. */
import { integer, type OptionsOf, oneOf, optional, toggle } from '../../../lib/cli/index.ts'
import { RUNTIMES } from '../../../lib/scenario/fault-plans.ts'
import { figureFlags } from '../../study/flags.ts'

export const studyFlags = {
  ...figureFlags('run as many tasks per cell as a correct interval needs, with at least the precision of the paper'),
  quick: toggle('run few tasks per cell, inline unless --runtime is given; takes seconds'),
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
}
export type StudyOptions = OptionsOf<typeof studyFlags>
