/**
 * When a thing is handled within its instant, as far as one actor can tell: an instant's phases (lib/core/time.ts) come round
 * again while there is anything to do in them, and a timer that is set for the same instant waits for the next phase of its
 * kind.
 */
import { PHASES, type Phase, type Time } from '../core/time.ts'

export interface Instant {
  readonly at: Time
  /** How often the phases had come round before. */
  readonly lap: number
  readonly phase: number
}

const MAIL = PHASES.indexOf('mail')

/** In which the machines are told to start. */
export const BEGINNING: Instant = { at: 0, lap: 0, phase: MAIL }

/** When something is due at `at` that is set or sent at `now`. A phase of mail goes on until there is none. */
export function dueAfter(now: Instant, at: Time, kind: Phase): Instant {
  const phase = PHASES.indexOf(kind)
  if (at > now.at) return { at, lap: 0, phase }
  const isToCome = phase > now.phase || (phase === MAIL && now.phase === MAIL)
  return { at: now.at, lap: isToCome ? now.lap : now.lap + 1, phase }
}

export const compareInstants = (one: Instant, other: Instant): number =>
  one.at - other.at || one.lap - other.lap || one.phase - other.phase

export const later = (one: Instant, other: Instant): Instant => (compareInstants(one, other) < 0 ? other : one)
