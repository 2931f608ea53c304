/** Retry with exponential back-off: a message is said again until it is answered, after pauses that double. */
import type { Message } from '../core/data.ts'
import { type Time, units } from '../core/time.ts'
import { type Effect, timer } from './effect.ts'

/** The longest pause. After it nothing is repeated: the actor waits for the news that the other one is back. */
export const LONGEST_PAUSE: Time = units(1_000_000)

/**
 * Sets the timer of the next repetition, and returns the pause after it.
 *
 * @param id the id of the timer; `cancel(id)` ends the repetitions
 * @param pause the pause before the repetition; null: nothing is ever repeated
 * @param event comes back to this machine, which then says its message again
 */
export function retry<M extends Message>(
  id: string,
  pause: Time | null,
  event: M,
): readonly [next: Time | null, ...Effect[]] {
  if (pause === null) return [null]
  return pause > LONGEST_PAUSE ? [pause] : [2 * pause, timer(id, pause, event)]
}
