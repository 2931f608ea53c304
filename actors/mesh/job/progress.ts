/** How far a job has come: what is left of its work, and since when it is being done at what pace. */
import type { Time } from '../../../lib/actor.ts'

export type Work = {
  /** As long as it takes alone on the whole machine; of the last time that the pace changed. */
  readonly left: number
  /** Work done per time: the efficiency of its share times that share, 1 alone. 0: it stands still. */
  readonly pace: number
  readonly since: Time
}

/** Counted up to now, and from now on at this pace. */
export function paced({ left, pace, since }: Work, now: Time, then: number): Work {
  return { left: Math.max(0, left - pace * (now - since)), pace: then, since: now }
}

/** From the last change of pace to its end; null: it stands still. */
export const timeLeft = ({ left, pace }: Work): Time | null => (pace > 0 ? Math.ceil(left / pace) : null)
