/**
 * Who owns which processors, and whether what must hold of partitions does (section 8): folded from the facts that actors
 * observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { JobFact } from './job.ts'
import { type Mesh, wholeOf } from './mesh.ts'
import type { OperatorFact } from './operator.ts'
import { coverFault, overlap, type Rectangle, textOf } from './rectangle.ts'

/** What became of one job. */
export interface Story {
  readonly began: Time
  readonly ended: Time | null
  /** How often its threads went elsewhere. */
  readonly moves: number
}

/** Job to partition, at rest after a step of the script. */
export type Snapshot = ReadonlyMap<number, Rectangle>

const isJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'
const isOperator = (_: Message, who: Address): _ is OperatorFact => roleOf(who) === 'operator'

export class Watch {
  readonly jobs = new Map<number, Story>()
  readonly broken: Violation[] = []
  /** One for each step that is done. */
  readonly steps: Snapshot[] = []
  readonly #mesh: Mesh
  /** Leader's machine to job. */
  readonly #leads = new Map<string, number>()
  readonly #owned = new Map<number, Rectangle>()
  readonly #computing = new Set<number>()

  constructor(mesh: Mesh) {
    this.#mesh = mesh
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isJob(fact, who)) this.#ofJob(machineOf(who), fact, at)
    else if (isOperator(fact, who)) this.#atRest()
  }

  #ofJob(leader: string, fact: JobFact, at: Time): void {
    if (fact.type === 'began') {
      this.#leads.set(leader, fact.job)
      this.jobs.set(fact.job, { began: at, ended: null, moves: 0 })
    }
    const job = this.#leads.get(leader)
    const story = job === undefined ? undefined : this.jobs.get(job)
    if (job === undefined || !story) return this.#broke('a leader leads a job', `${leader}: ${fact.type} of none`)
    if (fact.type === 'moved') {
      this.jobs.set(job, { ...story, moves: story.moves + 1 })
      this.#computing.delete(job)
      this.#owned.set(job, fact.partition)
    }
    if (fact.type === 'resumed') this.#computes(job)
    if (fact.type === 'ended') this.jobs.set(job, { ...story, ended: at })
    if (fact.type === 'ended' || fact.type === 'stopped') {
      this.#computing.delete(job)
      this.#owned.delete(job)
    }
  }

  /** Two jobs may have data on a processor while they move, but never compute on it both. */
  #computes(job: number): void {
    const own = this.#owned.get(job)
    if (!own) return this.#broke('a job computes where it has been put', `job ${job} computes nowhere`)
    for (const other of this.#computing) {
      const theirs = this.#owned.get(other)
      if (other === job || !theirs || !overlap(own, theirs)) continue
      this.#broke(
        'a processor has one owner',
        `job ${job} computes on ${textOf(own)}, and job ${other} on ${textOf(theirs)}`,
      )
    }
    this.#computing.add(job)
  }

  #atRest(): void {
    this.steps.push(new Map(this.#owned))
    if (this.#owned.size === 0) return
    const fault = coverFault(wholeOf(this.#mesh), [...this.#owned.values()])
    if (fault) this.#broke('partitions cover the mesh', fault)
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }
}
