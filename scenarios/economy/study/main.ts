/** The common part of the commands for the figures of Stoica et al. 1995. */
import * as study from '../../study/main.ts'
import * as sized from '../../study/sized.ts'
import { CLAIMS } from '../paper/printed.ts'
import { FULL_SEEDS, FULL_SPAN, type StudyOptions, studyFlags } from './flags.ts'
import { type Point, type Ran, ranOf } from './point.ts'

/** A point before its seeds and its span. */
export type Row = Omit<Point, 'seed' | 'span'>
export type Case = sized.Case<Row, Ran>
export type Figure = sized.Figure<Row, Ran>

type Sized = Omit<Point, 'seed'>

export const figureOf = sized.figureOf<StudyOptions, Row, Sized, Ran>({
  runner: {
    module: new URL('./point.ts', import.meta.url),
    // roughly the number of jobs, times those that wait at each pass, which are many without backfill
    costOf: ({ load, span, policy }) => load * span * (1 + (policy === 'FCFS' ? 2 : 1) * load ** 6),
    ranOf,
  },
  claims: CLAIMS,
  flags: studyFlags,
  seeds: { quick: 3, full: FULL_SEEDS },
  sizes: { quick: 5000, full: FULL_SPAN },
  sizeOf: ({ span }) => span,
  sized: (row, span) => ({ ...row, span }),
  print: (span) => `arrivals for ${span} minutes, and every job counts`,
})

/** The entry point of a figure's command. */
export const figureMain = (figure: Figure): Promise<void> => study.figureMain(figureOf(figure))
