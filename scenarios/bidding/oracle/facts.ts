/** How the facts of a market are read. */
import { machineOf } from '../../../lib/actor.ts'
import type { ObservedFact } from '../../../lib/scenario/oracle.ts'

export const taskOf = ({ fact }: ObservedFact): number => Number(fact['task'])

/** Reads the task of a fact, if an actor of this role tells one of these types. */
export function taskIn(role: string, ...types: readonly string[]): (observed: ObservedFact) => string | undefined {
  const told = new Set(types)
  const teller = `${role}@`
  return (observed) =>
    told.has(observed.fact.type) && observed.who.startsWith(teller) ? `task ${taskOf(observed)}` : undefined
}

export const isStart = taskIn('processor', 'started')
export const isEnd = taskIn('processor', 'finished', 'aborted')
export const isOver = taskIn('client', 'done', 'ended')

/** A task, its attempt and a machine, as one key. */
export const placeOf = ({ fact }: ObservedFact, machine: string): string =>
  `task ${fact['task']}, attempt ${fact['attempt']}, on ${machine}`

const isPlacing = taskIn('client', 'awarded', 'moved', 'replaced')

/** The machine with which a client has placed a task; undefined for other facts. */
export const placedOn = (observed: ObservedFact): string | undefined =>
  isPlacing(observed) && machineOf(String(observed.fact['contractor']))

/** The machine from which a client has moved a task; undefined for other facts, and if the task stays. */
export function leftBy(observed: ObservedFact): string | undefined {
  const { previous } = observed.fact
  const machine = placedOn(observed)
  if (machine === undefined || previous === undefined) return undefined
  const before = machineOf(String(previous))
  return before === machine ? undefined : before
}
