/**
 * How long a search may hold an event back. It must be long enough for an event to lose against every timeout, and not much
 * longer: an actor with periodic timers would be starved for as long.
 */
import { HOLD_BOUNDS } from '../actor/schedule.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import { Replay } from '../replay/replay.ts'
import type { Trace } from '../trace/read.ts'

/**
 * Twice the longest timer that was set in a recorded run, whether it fired or was cancelled. In a run that came to rest by
 * itself it is at least the length of the run, since a late event may wait for a later part of it. It is the default of schedules
 * if there is neither, or if the run cannot be replayed, since actors used the clocks of the process.
 */
export async function longestHoldOf(trace: Trace, isIdle: boolean): Promise<Time> {
  let longest = 0
  try {
    for (const { step, timers } of await Replay.open(trace)) {
      for (const { due } of timers) longest = Math.max(longest, 2 * (due - step.at))
      if (isIdle) longest = Math.max(longest, step.at)
    }
  } catch (error) {
    if (!(error instanceof BourseError)) throw error
    return HOLD_BOUNDS.longest
  }
  return longest || HOLD_BOUNDS.longest
}
