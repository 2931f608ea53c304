/**
 * A place within an instant of virtual time, as one actor sees it. The phases of an instant (lib/core/time.ts) are
 * repeated while there is anything to do in them. A timer that is set for the same instant waits for the next phase of
 * its kind.
 */
import { PHASES, type Phase, type Time } from '../core/time.ts'

export interface Instant {
  readonly at: Time
  /** The number of times that the phases had been repeated before. */
  readonly lap: number
  readonly phase: number
}

const MAIL = PHASES.indexOf('mail')

/** The instant when all machines start. */
export const BEGINNING: Instant = { at: 0, lap: 0, phase: MAIL }

/** The place within its instant of an event that is set or sent at `now` for `at`. A phase of mail lasts until there is none. */
export function dueAfter(now: Instant, at: Time, kind: Phase): Instant {
  const phase = PHASES.indexOf(kind)
  if (at > now.at) return { at, lap: 0, phase }
  const isToCome = phase > now.phase || (phase === MAIL && now.phase === MAIL)
  return { at: now.at, lap: isToCome ? now.lap : now.lap + 1, phase }
}

export const compareInstants = (one: Instant, other: Instant): number =>
  one.at - other.at || one.lap - other.lap || one.phase - other.phase

export const later = (one: Instant, other: Instant): Instant => (compareInstants(one, other) < 0 ? other : one)
