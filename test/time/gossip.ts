/** The random workload of the property tests: a village of gossips. */
import { createHash } from 'node:crypto'
import { parseFault } from '../../lib/faults/faults.ts'
import { planFaults } from '../../lib/faults/plan.ts'
import { type GivenOptions, System } from '../../lib/system.ts'

export interface Village {
  readonly actors: number
  readonly rumors: number
  readonly depth: number
  readonly fragility: number
  readonly faults: readonly string[]
}

/** Two to a machine, so that some mail stays within it. */
export const nameOf = (i: number): string => `${i % 2 === 0 ? 'uncle' : 'aunt'}@m${i >> 1}`

export const namesOf = (actors: number): string[] => Array.from({ length: actors }, (_, i) => nameOf(i))

const GOSSIP = new URL('../fixtures/actors/gossip.ts', import.meta.url)

/** The hash of the trace of a village's run, or of what was recorded of it, and how much happened in it. */
export async function gossip(options: GivenOptions, village: Village): Promise<{ hash: string; steps: number }> {
  const system = new System({ trace: true, memoryMB: 16, actors: 63, ...options })
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
    await system.run()
    await system.stop()
    return { hash: options.record ? recordedHash(system) : system.traceHash, steps: system.steps }
  } finally {
    await system.stop()
  }
}

function recordedHash(system: System): string {
  const hash = createHash('sha256')
  for (const line of system.recorded()) hash.update(`${JSON.stringify(line)}\n`)
  return hash.digest('hex')
}
