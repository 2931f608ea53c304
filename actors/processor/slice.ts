/** One stay on the processor: a quantum at most, after the switch to its process. */
import { cancel, type Effect, type Time, timer } from '../../lib/actor.ts'
import { limitOf, type Process } from './process.ts'
import type { Sharing } from './sharing.ts'
import { charge } from './stride.ts'

export interface Slice {
  readonly began: Time
  /** When the switch is over and the quantum begins. */
  readonly works: Time
  readonly ends: Time
  /** Until when its process is charged. */
  readonly charged: Time
  readonly alarm: Alarm | null
}

/** What comes first: its burst ends, or its quantum or its patience. */
interface Alarm {
  readonly at: Time
  readonly type: 'completed' | 'expired'
}

/** A process gets the processor; `last`: who had it last and has not slept since. */
export function sliceFor({ name }: Process, last: string | null, now: Time, { quantum, switching }: Sharing): Slice {
  const works = now + (name === last ? 0 : switching)
  return { began: now, works, ends: works + quantum, charged: now, alarm: null }
}

/** Its process, with what it used until now on its account. */
export function paid({ works, charged }: Slice, process: Process, now: Time, sharing: Sharing): Process {
  // a switch is on the account of whom it is for, but it is no work
  const client = charge(process, now - charged, sharing)
  const used = now - Math.max(charged, Math.min(works, now))
  const { doing, cpu, burst } = process
  // in real time it may have had the processor for longer than it needed
  const left =
    doing.type === 'computing' && doing.left !== null ? { ...doing, left: Math.max(0, doing.left - used) } : doing
  return { ...client, cpu: cpu + used, burst: burst + used, doing: left }
}

/** What its process had, and what the switch to it took, if it ends now. */
export const spent = ({ began, works }: Slice, now: Time): { readonly used: Time; readonly switching: Time } => ({
  used: Math.max(0, now - works),
  switching: Math.min(now, works) - began,
})

/** When to look after its process again; null: not until something else happens. */
export function alarmOf({ works, charged, ends }: Slice, process: Process): Alarm | null {
  const { doing } = process
  const computes = doing.type === 'computing' && doing.left !== null
  const done = computes ? Math.max(works, charged) + doing.left : Number.POSITIVE_INFINITY
  const stops = Math.min(ends, Math.max(works, limitOf(process)))
  const alarm: Alarm = done <= stops ? { at: done, type: 'completed' } : { at: stops, type: 'expired' }
  return Number.isFinite(alarm.at) ? alarm : null
}

const SLICE = 'slice'

/** What sets the timer to an alarm, where it was `set` for another or none; null: for none. */
export function armed(set: Alarm | null, alarm: Alarm | null, now: Time): Effect[] {
  if (!alarm) return set ? [cancel(SLICE)] : []
  if (set?.at === alarm.at && set.type === alarm.type && set.at > now) return []
  const kind = alarm.type === 'completed' ? 'completion' : 'protocol'
  // in real time it may be late already
  return [timer(SLICE, Math.max(0, alarm.at - now), { type: alarm.type }, kind)]
}
