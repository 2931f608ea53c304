/** One stay of a process on the processor: at most a quantum, after the switch to it. */
import { cancel, type Effect, type Time } from '../../lib/actor.ts'
import { timer } from './node.ts'
import { limitOf, type Process } from './process.ts'
import type { Sharing } from './sharing.ts'
import { charge } from './stride.ts'

export interface Slice {
  readonly began: Time
  /** When the switch is over and the quantum begins. */
  readonly works: Time
  readonly ends: Time
  /** The time until which the process has been charged. */
  readonly charged: Time
}

/** The first event of a slice: its burst is completed, or its quantum or its time for spinning expires. */
export interface Alarm {
  readonly at: Time
  readonly type: 'completed' | 'expired'
}

/** The slice of a process that gets the processor. `last`: the process that had it last and has not slept since. */
export function sliceFor({ name }: Process, last: string | null, now: Time, { quantum, switching }: Sharing): Slice {
  const works = now + (name === last ? 0 : switching)
  return { began: now, works, ends: works + quantum, charged: now }
}

/** Charges the process of a slice for the time until now. */
export function paid({ works, charged }: Slice, process: Process, now: Time, sharing: Sharing): Process {
  // a process is charged for the switch to it, but the switch is no work.
  const client = charge(process, now - charged, sharing)
  const used = now - Math.max(charged, Math.min(works, now))
  const { doing, cpu, burst } = process
  // in real time it may have had the processor for longer than it needed.
  const left =
    doing.type === 'computing' && doing.left !== null ? { ...doing, left: Math.max(0, doing.left - used) } : doing
  return { ...client, cpu: cpu + used, burst: burst + used, doing: left }
}

/** The time that the process had and the time of the switch to it, if the slice ends now. */
export const spent = ({ began, works }: Slice, now: Time): { readonly used: Time; readonly switching: Time } => ({
  used: Math.max(0, now - works),
  switching: Math.min(now, works) - began,
})

/** When the slice needs attention again; null: not before another event. */
export function alarmOf({ works, charged, ends }: Slice, process: Process): Alarm | null {
  const { doing } = process
  const computes = doing.type === 'computing' && doing.left !== null
  const done = computes ? Math.max(works, charged) + doing.left : Number.POSITIVE_INFINITY
  const stops = Math.min(ends, Math.max(works, limitOf(process)))
  const alarm: Alarm = done <= stops ? { at: done, type: 'completed' } : { at: stops, type: 'expired' }
  return Number.isFinite(alarm.at) ? alarm : null
}

const SLICE = 'slice'

/** The effects that set the timer to `alarm`, given the alarm it is `set` to; null is no alarm. */
export function armed(set: Alarm | null, alarm: Alarm | null, now: Time): Effect[] {
  if (!alarm) return set ? [cancel(SLICE)] : []
  if (set?.at === alarm.at && set.type === alarm.type && set.at > now) return []
  const kind = alarm.type === 'completed' ? 'completion' : 'protocol'
  // in real time it may be late already.
  return [timer(SLICE, Math.max(0, alarm.at - now), { type: alarm.type }, kind)]
}
