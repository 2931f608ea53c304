/** Jobs on a mesh as the explorer sees them: what came of them, and what of their promises was broken. */
import { Watch } from '../../actors/mesh/watch.ts'
import type { Time } from '../../lib/actor.ts'
import { type Sight, type Stage, sometime, type Violation } from '../../lib/explore/stage.ts'
import type { Fault } from '../../lib/faults/faults.ts'
import type { GivenOptions, System } from '../../lib/system.ts'
import { addressesOf, open, type Scene } from './mesh.ts'

export interface Play {
  readonly scene: Scene
  readonly faults: readonly Fault[]
  readonly options: GivenOptions
}

const SOMETIMES = [
  sometime('job failed', 'user', 'failed'),
  sometime('all jobs asked', 'allocator', 'asked'),
  sometime('partitions dealt out', 'allocator', 'dealt'),
  sometime('ring at rest', 'allocator', 'ring'),
]

/** Jobs keep their numbers, whichever of them come. */
export function meshStage(play: Play): Stage {
  const { scene, faults, options } = play
  const jobs = 'jobs' in scene.work ? scene.work.jobs : []
  return {
    ...{ options, faults, addresses: addressesOf(scene), tasks: jobs.length, sometimes: SOMETIMES },
    only: (places) => {
      const work = 'jobs' in scene.work ? { jobs: places.flatMap((place) => jobs[place] ?? []) } : scene.work
      return meshStage({ ...play, scene: { ...scene, work } })
    },
    open: async (system) => {
      const sight = new MeshSight(system, scene.patience !== undefined)
      await open(system, scene)
      return sight
    },
  }
}

class MeshSight implements Sight {
  readonly #system: System
  readonly #watch = new Watch()
  readonly #isPatient: boolean
  #deaths = 0

  constructor(system: System, isPatient: boolean) {
    this.#system = system
    this.#isPatient = isPatient
    system.onFact((fact, { who, at }) => this.#watch.fold(fact, who, at))
    system.onDeath(({ address }) => {
      this.#deaths++
      this.#watch.died(address)
    })
  }

  /** Which jobs ended, and in which attempt. */
  outcome(): string {
    return [...this.#watch.jobs]
      .sort(([one], [other]) => one - other)
      .map(([job, { ended, attempts }]) => `${job}.${attempts} ${ended === null ? 'open' : 'ended'}`)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map(
      [...this.#watch.jobs].flatMap(([job, { ended }]) => (ended === null ? [] : [[`job ${job}`, ended] as const])),
    )
  }

  /** Who waits for everybody may wait for the dead; and nothing is promised of a user or an allocator that stays dead. */
  violations(): readonly Violation[] {
    const isDead = (role: string) =>
      this.#system.actors.some(({ address, status }) => status.type === 'dead' && address.startsWith(`${role}@`))
    const mayWait = this.#deaths > 0 && (!this.#isPatient || isDead('user') || isDead('allocator'))
    if (this.#system.quiet && !mayWait) this.#watch.close()
    return this.#watch.broken
  }
}
