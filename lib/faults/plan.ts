/** Carries out a list of faults on a system: at their instants, or when their counts or states are reached. */

import { keyed } from '../random.ts'
import type { System } from '../system.ts'
import type { Time } from '../time.ts'
import { isNamed } from '../trace/entries.ts'
import type { Line } from '../trace/lines.ts'
import { type Fault, printFault, type Who, whoMatches } from './faults.ts'

/**
 * Plans the faults. Call it once, when the actors that they name have been spawned. Returns those that have not
 * happened when it is asked: of a run that is over, those that never did.
 */
export function planFaults(system: System, faults: readonly Fault[]): () => readonly Fault[] {
  const outstanding = new Set(faults)
  for (const fault of faults) plan(system, fault, () => outstanding.delete(fault))
  return () => [...outstanding]
}

function plan(system: System, fault: Fault, onHappened: () => void): void {
  const happens = (act: () => Promise<void>) => async () => {
    onHappened()
    system.note({ t: 'fault', at: system.now, fault: printFault(fault) })
    await act()
  }
  switch (fault.type) {
    case 'kill':
    case 'restart': {
      const act = happens(() => each(system, fault.who, (who) => system[fault.type](who)))
      const { when } = fault
      if (when.type === 'at') system.at(when.time, act)
      else if (when.type === 'after') afterHandling(system, fault.who, when.count, when.message, act)
      else onEntering(system, when.who, when.state, act)
      return
    }
    case 'stall':
      return system.at(
        fault.at,
        happens(() => each(system, fault.who, (who) => system.stall(who, fault.duration))),
      )
    case 'cut':
      return system.at(
        fault.at,
        happens(async () => {
          const heal = await system.cut(fault.sides)
          system.at(fault.until, heal)
        }),
      )
    case 'kill random':
      return killRandomly(system, fault.every, fault.until ?? Number.POSITIVE_INFINITY, 1, happens)
  }
}

async function each(system: System, who: Who, act: (address: string) => Promise<void>): Promise<void> {
  for (const address of whoMatches(
    who,
    system.actors.map(({ address }) => address),
  ))
    await act(address)
}

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
function killRandomly(
  system: System,
  every: Time,
  until: Time,
  n: number,
  happens: (act: () => Promise<void>) => () => Promise<void>,
): void {
  if (n * every > until) return
  system.at(n * every, async () => {
    const alive = system.actors.filter(({ status }) => status.type === 'alive')
    const victim = alive[Math.floor(keyed(system.options.seed, 'kill random', n) * alive.length)]
    if (!victim || system.quiet) return
    await happens(() => system.kill(victim.address))()
    killRandomly(system, every, until, n + 1, happens)
  })
}
