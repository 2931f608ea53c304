/** One run of a system under a plan of faults; the result has its end, its messages and its deaths. */
import type { Address } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import type { Time } from '../core/time.ts'
import { type RunEnd, System, type SystemInit } from '../system/system.ts'
import { planFaults, requireStates } from './fault-injector.ts'
import type { Fault } from './faults.ts'
import { outcomeOf, type RunOutcome } from './outcome.ts'

/** An oracle: it hears all facts that actors observe, and all deaths. */
export interface Watcher {
  fold(fact: Message, who: Address, at: Time): void
  died(who: Address, at: Time): void
}

export function listen(system: System, watcher: Watcher): void {
  system.onFact((fact, { who, at }) => watcher.fold(fact, who, at))
  system.onDeath(({ address, at }) => watcher.died(address, at))
}

/** Callbacks during a run. */
export interface Hooks {
  /** Called with the system as soon as there is one, so that an interrupt can stop it. */
  readonly onSystem?: ((system: System) => void) | undefined
  /** Called when a task (or job) is over, with the number of tasks that are. */
  readonly onDone?: ((done: number) => void) | undefined
}

export interface RunRequest extends Hooks {
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** The end of the run (default: when nothing is left to do). */
  readonly until?: Time | undefined
  readonly watcher?: Watcher | undefined
  /** Whether a fact says that a task (or job) is over. */
  readonly isDone?: (fact: Message, who: Address) => boolean
  /** Spawns all actors, and adds further listeners. */
  readonly open: (system: System) => Promise<void>
}

export interface RunResult extends RunOutcome {
  readonly end: RunEnd
  /** The number of messages between machines, as papers count them. */
  readonly messages: number
  /** The number of messages of each type in option `count`. */
  readonly messagesByType: ReadonlyMap<string, number>
  readonly deadLetters: ReadonlyMap<string, number>
  /** Actors that crashed, with the causes. */
  readonly crashes: readonly string[]
  /** Faults that never happened. */
  readonly missed: readonly Fault[]
  readonly steps: number
  readonly traceHash: string
}

/**
 * Opens, runs and stops a system.
 *
 * @throws UsageError for a fault that waits for a state that no machine of its actors has
 */
export async function runScenario(request: RunRequest): Promise<RunResult> {
  const { options, faults, until, watcher, isDone, open, onSystem, onDone } = request
  const system = new System(options)
  onSystem?.(system)
  const crashes: string[] = []
  system.onDeath(({ address, cause }) => {
    if (cause.name !== 'Killed') crashes.push(`${address} died of ${cause.name}: ${cause.message}`)
  })
  if (watcher) listen(system, watcher)
  let done = 0
  if (onDone) system.onFact((fact, { who }) => isDone?.(fact, who) && onDone(++done))
  try {
    await open(system)
    await requireStates(system, faults)
    const missed = planFaults(system, faults)
    const end = await system.run(until === undefined ? {} : { until })
    const { messages, messagesByType, deadLetters, steps } = system
    const ending = { ...outcomeOf(system), isIdle: end.ended === 'idle' }
    await system.stop()
    const { traceHash } = system
    return { ...ending, end, messages, messagesByType, deadLetters, crashes, missed: missed(), steps, traceHash }
  } finally {
    await system.stop()
  }
}
