/**
 * Who owns which processors, and whether what must hold of partitions does (section 8): folded from the facts that actors
 * observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { AllocatorFact } from './allocator/equi.ts'
import type { RingFact } from './allocator/fold.ts'
import { partitionOf } from './fold/exchange.ts'
import type { JobFact } from './job.ts'
import { type Mesh, wholeOf } from './mesh.ts'
import type { Size } from './messages.ts'
import type { OperatorFact } from './operator.ts'
import { areEqual, coverFault, overlap, type Rectangle, textOf } from './rectangle.ts'

/** What became of one job. */
export interface Story {
  readonly began: Time
  readonly ended: Time | null
  /** How often its threads went elsewhere. */
  readonly moves: number
}

/** At rest after a step of the script. */
export interface Snapshot {
  readonly partitions: ReadonlyMap<number, Rectangle>
  /** Ring by ring the jobs, in their order; empty where there are no rings. */
  readonly rings: readonly (readonly { readonly job: number; readonly size: Size }[])[]
}

const isJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'
const isAllocator = (_: Message, who: Address): _ is RingFact | AllocatorFact => roleOf(who) === 'allocator'
const isOperator = (_: Message, who: Address): _ is OperatorFact => roleOf(who) === 'operator'

export class Watch {
  readonly jobs = new Map<number, Story>()
  readonly broken: Violation[] = []
  /** One for each step that is done. */
  readonly steps: Snapshot[] = []
  /** How often a job had to make room for another one. */
  swaps = 0
  /** Jobs that had processors at the same time. */
  most = 0
  readonly #mesh: Mesh
  /** Leader's machine to job. */
  readonly #leads = new Map<string, number>()
  readonly #owned = new Map<number, Rectangle>()
  #rings: Snapshot['rings'] = []
  /** Jobs that have been in a ring. */
  readonly #inRing = new Set<number>()
  readonly #computing = new Set<number>()

  constructor(mesh: Mesh) {
    this.#mesh = mesh
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isJob(fact, who)) this.#ofJob(machineOf(who), fact, at)
    else if (isAllocator(fact, who)) this.#ofAllocator(fact)
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
    switch (fact.type) {
      case 'began':
        return
      case 'moved':
        this.jobs.set(job, { ...story, moves: story.moves + 1 })
        this.#computing.delete(job)
        return this.#owns(job, fact.partition)
      case 'owns':
        this.#inRing.add(job)
        return this.#owns(job, fact.cells.length > 0 ? partitionOf(fact.cells) : null)
      case 'resumed':
        return this.#computes(job)
      case 'stopped':
        this.swaps++
        this.#computing.delete(job)
        return this.#owns(job, null)
      case 'ended':
        this.jobs.set(job, { ...story, ended: at })
        this.#computing.delete(job)
        if (!this.#inRing.has(job)) this.#owns(job, null)
    }
  }

  /** In a ring cells pass one by one, and nobody has what another has; dealt out anew, all are in motion at once. */
  #owns(job: number, partition: Rectangle | null): void {
    if (!partition) {
      this.#owned.delete(job)
      return
    }
    if (this.#inRing.has(job)) this.#checkApart(job, partition, this.#owned.keys(), 'has')
    this.#owned.set(job, partition)
    this.most = Math.max(this.most, this.#owned.size)
  }

  /** Two jobs may have data on a processor while they move, but never compute on it both. */
  #computes(job: number): void {
    const own = this.#owned.get(job)
    if (!own) return this.#broke('a job computes where it has been put', `job ${job} computes nowhere`)
    this.#checkApart(job, own, this.#computing, 'computes on')
    this.#computing.add(job)
  }

  #checkApart(job: number, own: Rectangle, others: Iterable<number>, does: string): void {
    for (const other of others) {
      const theirs = this.#owned.get(other)
      if (other === job || !theirs || !overlap(own, theirs)) continue
      this.#broke(
        'a processor has one owner',
        `job ${job} ${does} ${textOf(own)}, and job ${other} ${does} ${textOf(theirs)}`,
      )
    }
  }

  #ofAllocator(fact: RingFact | AllocatorFact): void {
    if (fact.type !== 'ring') return
    this.#rings = fact.rings.map((ring) => ring.map(({ job, size }) => ({ job: this.#jobOf(job), size })))
    for (const { job: leader, partition } of fact.rings.flat()) {
      const own = this.#owned.get(this.#jobOf(leader))
      if (own && areEqual(own, partition)) continue
      const text = `${leader} has ${own ? textOf(own) : 'nothing'}, not ${textOf(partition)}`
      this.#broke('the allocator knows who has what', text)
    }
  }

  #jobOf(leader: Address): number {
    return this.#leads.get(machineOf(leader)) ?? Number.NaN
  }

  #atRest(): void {
    this.steps.push({ partitions: new Map(this.#owned), rings: this.#rings })
    if (this.#owned.size === 0) return
    const fault = coverFault(wholeOf(this.#mesh), [...this.#owned.values()])
    if (fault) this.#broke('partitions cover the mesh', fault)
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }
}
