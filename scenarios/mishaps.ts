/** The dead letters of a run and its faults that never happened, for results and output. */
import { printFault } from '../lib/scenario/faults.ts'
import type { RunResult } from '../lib/scenario/run-scenario.ts'

export const mishapsOf = ({ deadLetters, missed }: Pick<RunResult, 'deadLetters' | 'missed'>) => ({
  deadLetters: Object.fromEntries(deadLetters),
  faultsThatNeverHappened: missed.map(printFault),
})

/** A line that names the faults that never happened; none if all did. */
export const missedLines = ({ missed }: Pick<RunResult, 'missed'>): string[] =>
  missed.length > 0 ? [`faults that never happened: ${missed.map(printFault).join('; ')}`] : []
