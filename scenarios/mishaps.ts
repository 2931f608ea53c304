/** What befell a run, for its results and for people. */
import { printFault } from '../lib/scenario/faults.ts'
import type { RunResult } from '../lib/scenario/run-scenario.ts'

export const mishapsOf = ({ deadLetters, missed }: Pick<RunResult, 'deadLetters' | 'missed'>) => ({
  deadLetters: Object.fromEntries(deadLetters),
  faultsThatNeverHappened: missed.map(printFault),
})

/** The faults that never happened, if any. */
export const missedLines = ({ missed }: Pick<RunResult, 'missed'>): string[] =>
  missed.length > 0 ? [`faults that never happened: ${missed.map(printFault).join('; ')}`] : []
