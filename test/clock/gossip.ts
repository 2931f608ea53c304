/** The random workload of the property tests: a village of actors that spread rumors (fixtures/actors/gossip.ts). */
import { createHash } from 'node:crypto'
import { units } from '../../lib/core/time.ts'
import { planFaults } from '../../lib/scenario/fault-injector.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { type RunEnd, System, type SystemInit } from '../../lib/system.ts'

export interface Village {
  readonly actors: number
  readonly rumors: number
  readonly depth: number
  readonly fragility: number
  readonly faults: readonly string[]
  /** Instants in units: each ends a run, after which one actor is restarted and all others get a new rumor. */
  readonly stops?: readonly number[]
}

/** The address of actor `i`: two actors share a machine, so that some mail stays within it. */
export const nameOf = (i: number): string => `${i % 2 === 0 ? 'uncle' : 'aunt'}@m${i >> 1}`

export const namesOf = (actors: number): string[] => Array.from({ length: actors }, (_, i) => nameOf(i))

const GOSSIP = new URL('../fixtures/actors/gossip.ts', import.meta.url)

/** The results of a run: the hash of its trace or recording, and results that do not depend on tracing. */
export interface Gossip {
  readonly hash: string
  readonly steps: number
  /** The hash of all facts, in the order of the run. */
  readonly facts: string
  readonly sent: readonly number[]
  readonly deadLetters: readonly (readonly [reason: string, count: number])[]
  readonly ends: readonly RunEnd[]
}

/** Runs the village; with `listens` a listener hears of every delivery. */
export async function gossip(options: SystemInit, village: Village, listens = false): Promise<Gossip> {
  const system = new System({ trace: true, memoryMB: 16, actors: 63, ...options })
  const facts = createHash('sha256')
  system.onFact((fact, about) => facts.update(JSON.stringify([fact, about])))
  if (listens) system.onDelivery(() => {})
  const ends: RunEnd[] = []
  const peers = namesOf(village.actors)
  const { rumors, depth, fragility } = village
  try {
    for (const [i, name] of peers.entries()) {
      const restart = (['temporary', 'transient', 'permanent'] as const)[i % 3]
      await system.spawn(name, GOSSIP, { peers, rumors, depth, fragility }, restart && { restart })
    }
    planFaults(
      system,
      village.faults.map((fault) => parseFault(fault)),
    )
    for (const stop of village.stops ?? []) {
      ends.push(await system.run({ until: units(stop) }))
      system.at(system.now, () => system.restart(nameOf(0)))
      for (const peer of peers.slice(1)) {
        await system.tell(peer, { type: 'rumor', id: `told ${peer} at ${stop}`, depth, load: [] })
      }
    }
    ends.push(await system.run())
    await system.stop()
    const { steps, messages, localMessages, overhead, deadLetters } = system
    return {
      hash: options.record ? recordedHash(system) : system.traceHash,
      steps,
      facts: facts.digest('hex'),
      sent: [messages, localMessages, overhead.retransmissions, overhead.acknowledgements],
      deadLetters: [...deadLetters],
      ends,
    }
  } finally {
    await system.stop()
  }
}

function recordedHash(system: System): string {
  const hash = createHash('sha256')
  for (const line of system.recorded()) hash.update(`${JSON.stringify(line)}\n`)
  return hash.digest('hex')
}
