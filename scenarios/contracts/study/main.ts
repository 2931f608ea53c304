/** The common part of the commands for the figures of Irwin, Grit and Chase 2004. */
import * as study from '../../study/main.ts'
import * as sized from '../../study/sized.ts'
import { CLAIMS } from '../paper/claims.ts'
import { FULL_SEEDS, FULL_TASKS, type StudyOptions, studyFlags } from './flags.ts'
import { type Point, type Ran, ranOf } from './point.ts'

/** A point before its seeds and its number of tasks. */
export type Row = Omit<Point, 'seed' | 'tasks'>
export type Case = sized.Case<Row, Ran>
export type Figure = sized.Figure<Row, Ran>

type Sized = Omit<Point, 'seed'>

export const figureOf = sized.figureOf<StudyOptions, Row, Sized, Ran>({
  runner: {
    module: new URL('./point.ts', import.meta.url),
    // roughly the number of tasks, times those that wait at each decision if none is refused
    costOf: ({ load, tasks, threshold }) =>
      tasks * (100 + (threshold === null ? tasks * Math.max(0.05, 1 - 1 / load) : 0)),
    ranOf,
  },
  claims: CLAIMS,
  flags: studyFlags,
  seeds: { quick: 2, full: FULL_SEEDS },
  sizes: { quick: 200, full: FULL_TASKS },
  sizeOf: ({ tasks }) => tasks,
  sized: (row, tasks) => ({ ...row, tasks }),
  print: (tasks) => `${tasks} tasks, to the end of the last`,
})

/** The entry point of a figure's command. */
export const figureMain = (figure: Figure): Promise<void> => study.figureMain(figureOf(figure))
