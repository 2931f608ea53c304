/** Where jobs are and compute, as their leaders have said it: on processors that are nobody else's, in a ring on their own cells. */
import type { Address, Time } from '../../../lib/actor.ts'
import { partitionOf } from '../fold/exchange.ts'
import type { JobFact } from '../job/book.ts'
import { contains, overlap, type Rectangle, textOf } from '../rectangle.ts'
import type { ThreadWatch } from '../threads/watch.ts'
import { type Fault, faultsOfSides } from './at-rest.ts'
import { Owners } from './owners.ts'

/** A job computes there all the time. */
export interface Stretch {
  readonly job: number
  readonly partition: Rectangle
  readonly from: Time
  readonly to: Time
}

type FactOf<T extends JobFact['type']> = Extract<JobFact, { type: T }>

/** Of a leader, and the job that it leads. */
interface Lead {
  readonly leader: Address
  readonly job: number
}

export class Places {
  /** In the order in which they ended. */
  readonly stretches: Stretch[] = []
  /** Jobs that had processors at the same time. */
  most = 0
  /** Where the threads of each are. */
  readonly #there = new Map<Address, Rectangle>()
  readonly #owners: Owners
  /** Who has been in a ring. */
  readonly #inRing = new Set<Address>()
  readonly #computing = new Map<Address, { readonly job: number; readonly since: Time }>()
  readonly #threads: ThreadWatch | null
  readonly #broke: (fault: Fault) => void

  /** `broke` is called with what does not hold. */
  constructor(threads: ThreadWatch | null, broke: (fault: Fault) => void) {
    this.#threads = threads
    this.#broke = broke
    this.#owners = new Owners((property, text) => broke({ property, text }))
  }

  /** What it has: in a ring its cells, else where its threads are. */
  ownOf(leader: Address): Rectangle | undefined {
    if (!this.#inRing.has(leader)) return this.#there.get(leader)
    const cells = this.#owners.cellsOf(leader)
    return cells.length > 0 ? partitionOf(cells) : undefined
  }

  isInRing(leader: Address): boolean {
    return this.#inRing.has(leader)
  }

  moved(leader: Address, { partition }: FactOf<'moved'>, at: Time): void {
    this.standsStill(leader, at)
    this.#there.set(leader, partition)
    this.most = Math.max(this.most, this.#there.size)
    for (const fault of faultsOfSides([partition], this.#inRing.has(leader) ? 2 : 1)) this.#broke(fault)
  }

  owns(leader: Address, fact: FactOf<'owns'>): void {
    this.#inRing.add(leader)
    this.#owners.owns(leader, fact)
  }

  leaves(leader: Address, at: Time): void {
    this.standsStill(leader, at)
    this.#owners.leaves(leader)
    this.#there.delete(leader)
    this.#inRing.delete(leader)
  }

  standsStill(leader: Address, to: Time): void {
    const [partition, computed] = [this.#there.get(leader), this.#computing.get(leader)]
    this.#computing.delete(leader)
    if (!computed || !partition) return
    const { job, since: from } = computed
    this.stretches.push({ job, partition, from, to })
    this.#threads?.rested(job)
  }

  /** Two jobs may have data on a processor while they move, but never compute on it both; in a ring on its own cells alone. */
  computes({ leader, job }: Lead, since: Time): void {
    const own = this.#there.get(leader)
    if (!own)
      return this.#broke({ property: 'a job computes where it has been put', text: `${leader} computes nowhere` })
    for (const other of this.#computing.keys()) {
      const theirs = this.#there.get(other)
      if (other !== leader && theirs && overlap(own, theirs))
        this.#broke({
          property: 'a processor has one owner',
          text: `${leader} computes on ${textOf(own)}, ${other} on ${textOf(theirs)}`,
        })
    }
    this.#computing.set(leader, { job, since })
    this.#threads?.resumed(job, own)
    const cells = this.#owners.cellsOf(leader)
    if (this.#inRing.has(leader) && !isWithin(own, cells))
      this.#broke({
        property: 'a job computes on its own',
        text: `${leader} computes on ${textOf(own)} and has ${cells.map(textOf).join(' and ')}`,
      })
  }
}

const isWithin = (own: Rectangle, cells: readonly Rectangle[]): boolean =>
  cells.some((cell) => contains(cell, own)) || (cells.length > 1 && contains(partitionOf(cells.slice(0, 2)), own))
