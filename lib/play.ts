/** One run of a system under a plan of faults: its end, what it sent, and who died. */
import type { Address, Time } from './actor.ts'
import type { Fault } from './faults/faults.ts'
import { planFaults } from './faults/plan.ts'
import { requireStates } from './faults/states.ts'
import { type GivenOptions, type RunEnd, System } from './system.ts'

export interface Scene {
  readonly options: GivenOptions
  readonly faults: readonly Fault[]
  /** Default: until nothing is left to do. */
  readonly until?: Time
  /** Spawns everybody, and listens to what is wanted. */
  readonly open: (system: System) => Promise<void>
  /** Called with the system as soon as there is one, so that an interrupt can stop it. */
  readonly onSystem?: ((system: System) => void) | undefined
}

export interface Played {
  readonly end: RunEnd
  /** Between machines, as the papers count them. */
  readonly messages: number
  /** Of these, those of the types in option `count`. */
  readonly messagesByType: ReadonlyMap<string, number>
  readonly deadLetters: ReadonlyMap<string, number>
  /** Actors that died unasked, and of what. */
  readonly crashes: readonly string[]
  /** Who was dead at the end. */
  readonly dead: ReadonlySet<Address>
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
export async function play({ options, faults, until, open, onSystem }: Scene): Promise<Played> {
  const system = new System(options)
  onSystem?.(system)
  const crashes: string[] = []
  system.onDeath(({ address, cause }) => {
    if (cause.name !== 'Killed') crashes.push(`${address} died of ${cause.name}: ${cause.message}`)
  })
  try {
    await open(system)
    await requireStates(system, faults)
    const missed = planFaults(system, faults)
    const end = await system.run(until === undefined ? {} : { until })
    const { messages, messagesByType, deadLetters, steps } = system
    const dead = new Set(system.actors.filter(({ status }) => status.type === 'dead').map(({ address }) => address))
    await system.stop()
    const { traceHash } = system
    return { end, messages, messagesByType, deadLetters, crashes, dead, missed: missed(), steps, traceHash }
  } finally {
    await system.stop()
  }
}
