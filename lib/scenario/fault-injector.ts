/** Carries out a list of faults on a system: at their instants, or when their counts or states are reached. */
import type { Address } from '../core/address.ts'
import { requireSpan } from '../core/check-options.ts'
import { keyed } from '../core/random.ts'
import type { System } from '../system/system.ts'
import { isNamed } from '../trace/entries.ts'
import type { Line } from '../trace/lines.ts'
import { type Fault, type KillRandom, printFault, type Who, whoMatches } from './faults.ts'

/**
 * Plans the faults. Call it once, when the actors that they name have been spawned. Returns those that have not
 * happened when it is asked: of a run that is over, those that never did.
 */
export function planFaults(system: System, faults: readonly Fault[]): () => readonly Fault[] {
  const outstanding = new Set(faults)
  for (const fault of faults) plan(system, fault, () => outstanding.delete(fault))
  return () => [...outstanding]
}

/** A fault that happens once and for all at an instant. */
export type Strike = Exclude<Fault, KillRandom>

function plan(system: System, fault: Fault, onHappened: () => void): void {
  if (fault.type === 'kill random') {
    requireSpan('kill random: every', fault.every)
    return killRandomly(system, fault, 1, onHappened)
  }
  const act = async (): Promise<void> => {
    onHappened()
    await strike(system, fault)
  }
  if (fault.type === 'pause' || fault.type === 'partition') return system.at(fault.at, act)
  const { when } = fault
  if (when.type === 'at') system.at(when.time, act)
  else if (when.type === 'after') afterHandling(system, fault.who, when.count, when.message, act)
  else onEntering(system, when.who, when.state, act)
}

/** Has a fault happen now, and says so in the trace, with `by` whom if not by plan. */
export async function strike(system: System, fault: Strike, by?: 'hand'): Promise<void> {
  const note = (): void => system.note({ t: 'fault', at: system.now, fault: printFault(fault), by })
  if (fault.type === 'partition') {
    // refused where there are too many; then nothing has happened
    const heal = await system.cut(fault.sides)
    note()
    return system.at(fault.until, heal)
  }
  note()
  const act = (who: Address) => (fault.type === 'pause' ? system.stall(who, fault.duration) : system[fault.type](who))
  for (const who of whoMatches(fault.who, addressesOf(system))) await act(who)
}

const addressesOf = ({ actors }: System): Address[] => actors.map(({ address }) => address)

/** Acts at the end of the round in which the actors have handled `count` messages of a type between them. */
function afterHandling(system: System, who: Who, count: number, type: string, act: () => Promise<void>): void {
  let left = count
  const stopWatching = system.onDelivery((line: Line) => {
    if (line['type'] !== type || !whoMatches(who, [String(line['who'])]).length || --left > 0) return
    stopWatching()
    system.at(system.now, act)
  })
}

/** Acts at the end of the round in which one of the actors first enters a state. */
function onEntering(system: System, who: Who, state: string, act: () => Promise<void>): void {
  const stopWatching = system.onEntry((entered) => {
    if (!whoMatches(who, [entered.who]).length || !entered.states.some((path) => isNamed(path, state))) return
    stopWatching()
    system.at(system.now, act)
  })
}

/** Every so often kills one of those alive, while the system has anything else to do. */
function killRandomly(system: System, fault: KillRandom, n: number, onHappened: () => void): void {
  const { every, until = Number.POSITIVE_INFINITY } = fault
  if (n * every > until) return
  system.at(n * every, async () => {
    const alive = system.actors.filter(({ status }) => status.type === 'alive')
    const victim = alive[Math.floor(keyed(system.options.seed, 'kill random', n) * alive.length)]
    if (!victim || system.quiet) return
    onHappened()
    system.note({ t: 'fault', at: system.now, fault: printFault(fault) })
    await system.kill(victim.address)
    killRandomly(system, fault, n + 1, onHappened)
  })
}
