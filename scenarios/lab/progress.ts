/** Progress of a search that may end because its time is up. */
import type { Progress } from '../../lib/cli/index.ts'

/**
 * Tells progress towards a number of runs, or towards a limit of time in seconds where that is nearer. A share of the time says
 * that it is one. The time begins with the first call.
 */
export function progressWithin(
  progress: Progress['progress'],
  total: number,
  seconds: number | undefined,
  now: () => number = () => performance.now(),
): (done: number, what: string) => void {
  let began: number | undefined
  return (done, what) => {
    began ??= now()
    const spent = (now() - began) / 1000
    if (seconds === undefined || spent / seconds <= done / total) progress(done, total, what)
    else progress(spent, seconds, shareOfTime('--seconds', what))
  }
}

/** What is told next to a per cent of the time that a flag limits. */
export const shareOfTime = (flag: string, what: string): string => `of the time (${flag}), ${what}`
