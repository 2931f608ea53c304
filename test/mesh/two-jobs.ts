/** Two jobs of fifteen seconds on a small mesh, in which the allocator is patient and messages take a tenth of a second. */
import * as assert from 'uvu/assert'
import { BASELINE } from '../../actors/mesh/model.ts'
import { type Address, type Message, toUnits, units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'

export const MESH = { m: 2, n: 2 }
export const PARTITIONS = {
  fold: { policy: 'fold', divides: false, mesh: MESH },
  equi: { policy: 'equi', deal: 'arrival', mesh: MESH },
} as const
export type Policy = keyof typeof PARTITIONS

export const jobsOf = (...works: readonly number[]) => ({
  jobs: works.map((work, i) => ({ job: i + 1, arrival: units(0.1 + i / 10), work: units(work), minimum: 1 })),
})

type Told = Message & { readonly at: number; readonly who: Address }

/** The facts of a run that keeps all promises and in which every fault strikes. */
export async function factsOf(
  allocator: Multicomputer['allocator'],
  faults: readonly string[],
  more: Partial<Multicomputer> = {},
) {
  const facts: Told[] = []
  const multicomputer: Multicomputer = {
    allocator,
    job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
    leaders: 2,
    work: jobsOf(15, 15),
    patience: units(2),
    attempts: 2,
    ...more,
  }
  const { oracle, crashes, end, missed } = await runMesh(
    multicomputer,
    { runtime: 'inline', network: { latency: units(0.1) }, rounds: 5000 },
    faults.map((fault) => parseFault(fault)),
    { onSystem: (system) => system.onFact((fact, { who, at }) => facts.push({ ...fact, who, at: toUnits(at) })) },
  )
  const broken = oracle.broken.map(({ property, text }) => `${property}: ${text}`)
  assert.equal([broken, oracle.unheard, crashes, missed, end.ended], [[], [], [], [], 'idle'])
  return facts
}

/** The facts of one type that an actor observed. */
export const theirs = (facts: readonly Told[], type: string, who: Address) =>
  facts.filter((fact) => fact.type === type && fact.who === who)
