/** How steps are shown to people, the same in every picture and table. */
import type { Plain } from '../core/data.ts'
import { printUnits } from '../core/format.ts'
import { eventOf, type Step, type SystemEvent } from './run.ts'

/** The leaves of a configuration by their paths: `{ trading: 'busy' }` is `['trading.busy']`; parallel regions have one each. */
export function leavesOf(value: Plain): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([region, inner]) => {
    const leaves = leavesOf(inner ?? null)
    return leaves.length > 0 ? leaves.map((leaf) => `${region}.${leaf}`) : [region]
  })
}

/** A configuration in a word; `-` for a machine without states, or before its start. */
export const stateName = (value: Plain): string => leavesOf(value).join(' ') || '-'

/** The name of a step's event, such as `bid from contractor@m1`, `timer evaluate:3` or `start`. */
export function handledName(step: Step): string {
  const { on } = step
  if (on.what === 'start') return 'start'
  return on.what === 'timer' ? `timer ${on.id} (${eventOf(step)})` : `${on.type} from ${on.from}`
}

/** The names of a step's sends, such as `task to contractor@m3`; recipients of a broadcast are counted: `rfb to 3`. */
export function sentNames({ sends }: Step): string[] {
  const to = new Map<string, string[]>()
  for (const { message, to: recipient } of sends) to.set(message.type, [...(to.get(message.type) ?? []), recipient])
  return [...to].map(
    ([type, recipients]) => `${type} to ${recipients.length === 1 ? recipients[0] : recipients.length}`,
  )
}

/** Remarks on a step: promises that it broke, that it crashed, that no transition took its event, that it deferred its message, that the actor stopped. */
export function remarksOf({ broken, crash, unhandled, deferred, stopped }: Step): string[] {
  return [
    ...broken.map((promise) => `breaks the promise '${promise}'`),
    ...(crash ? [`crashed: ${crash.error}: ${crash.message}`] : []),
    ...(unhandled ? ['unhandled'] : []),
    ...(deferred ? ['deferred'] : []),
    ...(stopped ? ['stopped'] : []),
  ]
}

export function systemEventName(event: SystemEvent): string {
  switch (event.type) {
    case 'spawn':
      return `spawn ${event.incarnation.who}, incarnation ${event.incarnation.incarnation + 1}`
    case 'begin':
      return `start ${event.incarnation.who}`
    case 'died':
      return `${event.incarnation.who} died: ${event.cause}: ${event.message}`
    case 'ended':
      return `${event.incarnation.who} was ended: ${event.why}`
    case 'fault':
      return `fault: ${event.fault}`
    case 'gave up':
      return `${event.who} is not restarted any more`
    case 'computed':
      return `computation ${event.id} of ${event.who} ended`
    case 'send':
      return `${event.sent.message.type} to ${event.sent.to}`
    case 'answer':
      return `${event.message} from ${event.from}`
  }
}

/** An instant in units. */
export const atName = ({ at }: { readonly at: number }): string => printUnits(at)
