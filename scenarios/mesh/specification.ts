/** A run on a mesh as the explorer sees it: how to open it, the outcome of its jobs and the violated invariants. */
import { roleOf, type Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Oracle, Violation } from '../../lib/scenario/oracle.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { outcomeOf } from '../../lib/scenario/outcome.ts'
import { type Specification, sometime } from '../../lib/scenario/specification.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { addressesOf, type Multicomputer } from './model.ts'
import { open } from './one-run.ts'
import { unheard, Watch } from './oracle.ts'

export interface Play {
  readonly multicomputer: Multicomputer
  readonly faults: readonly Fault[]
  readonly options: SystemInit
}

const OF_ALL = [sometime('job failed', 'user', 'failed'), sometime('job taken for dead', 'allocator', 'gave-up')]
const SOMETIMES = {
  equi: OF_ALL,
  fold: [...OF_ALL, sometime('all jobs asked', 'allocator', 'asked')],
  table: [],
}

/** The model with only some of the jobs, which keep their numbers. */
export function meshSpecification(play: Play): Specification {
  const { multicomputer, faults, options } = play
  const jobs = 'jobs' in multicomputer.work ? multicomputer.work.jobs : []
  return {
    options,
    faults,
    addresses: addressesOf(multicomputer),
    tasks: jobs.length,
    sometimes: SOMETIMES[multicomputer.allocator.policy],
    only: (places) => {
      const work =
        'jobs' in multicomputer.work ? { jobs: places.flatMap((place) => jobs[place] ?? []) } : multicomputer.work
      return meshSpecification({ ...play, multicomputer: { ...multicomputer, work } })
    },
    open: async (system) => {
      const sight = new MeshSight(play, system)
      await open(system, multicomputer)
      return sight
    },
  }
}

class MeshSight implements Oracle {
  readonly #play: Play
  readonly #system: System
  readonly #watch = new Watch()
  #deaths = 0

  constructor(play: Play, system: System) {
    this.#play = play
    this.#system = system
    listen(system, this.#watch)
    system.onDeath(() => this.#deaths++)
  }

  /** The jobs that ended, with their attempts. */
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

  left(): number {
    const { work } = this.#play.multicomputer
    const told = [...this.#watch.jobs.values()].filter((story) => story.told === 'over')
    return 'jobs' in work ? work.jobs.length - told.length : 0
  }

  violations(): readonly Violation[] {
    const { broken, open } = this.#watch
    return this.#mustEnd ? [...broken, ...open.map(unheard)] : broken
  }

  /**
   * A run without patience may wait forever for dead actors or lost messages, and no run can progress without an
   * allocator.
   */
  get #mustEnd(): boolean {
    const { dead, lost } = outcomeOf(this.#system)
    if ([...dead].some((who) => roleOf(who) !== 'job')) return false
    return this.#play.multicomputer.patience !== undefined || (this.#deaths === 0 && lost === 0)
  }
}
