/** How the facts of a market are read. */
import { type Message, machineOf } from '../../../lib/actor.ts'
import type { ObservedFact } from '../../../lib/scenario/oracle.ts'

export const taskOf = ({ fact }: ObservedFact): number => Number(fact['task'])

/** Names what a fact is about. Many promises read one fact before the next one comes, and get the same text, made once. */
function madeOnce(name: (fact: Message, machine: string) => string) {
  let last: { readonly fact: Message; readonly machine: string; readonly text: string } | undefined
  return (fact: Message, machine: string): string => {
    if (last?.fact !== fact || last.machine !== machine) last = { fact, machine, text: name(fact, machine) }
    return last.text
  }
}

const taskName = madeOnce(({ task }) => `task ${task}`)
const placeName = madeOnce(({ task, attempt }, machine) => `task ${task}, attempt ${attempt}, on ${machine}`)

/** Reads the task of a fact, if an actor of this role tells one of these types. */
export function taskIn(role: string, ...types: readonly string[]): (observed: ObservedFact) => string | undefined {
  const told = new Set(types)
  const teller = `${role}@`
  return (observed) =>
    told.has(observed.fact.type) && observed.who.startsWith(teller) ? taskName(observed.fact, '') : undefined
}

export const isStart = taskIn('processor', 'started')
export const isEnd = taskIn('processor', 'finished', 'aborted')
export const isOver = taskIn('client', 'done', 'ended')

/** A task, its attempt and a machine, as one key. */
export const placeOf = ({ fact }: Pick<ObservedFact, 'fact'>, machine: string): string => placeName(fact, machine)

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
