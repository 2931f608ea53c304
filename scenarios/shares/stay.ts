/** Who had a processor from when to when, as processors say it. */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'

/** One stay of a process on a processor, without the switch before it; empty if it lost the processor during that. */
export interface Stay {
  readonly job: string
  readonly machine: string
  readonly from: Time
  readonly until: Time
}

/** As `stayOf`, with the switch before it: what stride charges the process for. */
export function chargedStayOf(fact: Message, who: Address, at: Time): Stay | undefined {
  const stay = stayOf(fact, who, at)
  const { switching } = fact
  return stay && typeof switching === 'number' ? { ...stay, from: stay.from - switching } : stay
}

/** The stay whose end a fact tells; undefined if it tells something else. */
export function stayOf({ type, job, used }: Message, who: Address, at: Time): Stay | undefined {
  if (type !== 'ran' || roleOf(who) !== 'processor' || typeof job !== 'string' || typeof used !== 'number') return
  return { job, machine: machineOf(who), from: at - used, until: at }
}
