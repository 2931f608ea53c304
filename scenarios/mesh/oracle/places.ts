/** Checks the partitions of jobs as their leaders report them: no processor and no cell has two owners. */
import type { RingFact } from '../../../actors/mesh/allocator/fold/book.ts'
import { partitionOf } from '../../../actors/mesh/fold/fold.ts'
import type { JobFact } from '../../../actors/mesh/job/book.ts'
import { isPowerOfTwo } from '../../../actors/mesh/mesh.ts'
import type { Cells } from '../../../actors/mesh/messages.ts'
import {
  areaOf,
  areEqual,
  contains,
  coverFault,
  overlap,
  type Rectangle,
  textOf,
  touch,
} from '../../../actors/mesh/rectangle.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import { sizesOf } from '../formulas/policies.ts'
import type { ThreadWatch } from './threads.ts'

/** A period of uninterrupted computing of a job on one partition. */
export interface Stretch {
  readonly job: number
  readonly partition: Rectangle
  readonly from: Time
  readonly to: Time
}

type FactOf<T extends JobFact['type']> = Extract<JobFact, { type: T }>

/** A leader, and the job that it leads. */
interface Lead {
  readonly leader: Address
  readonly job: number
}

export class Places {
  /** Periods of computing, in the order of their ends. */
  readonly stretches: Stretch[] = []
  /** The most jobs that had processors at the same time. */
  most = 0
  /** The partition of each leader's threads. */
  readonly #there = new Map<Address, Rectangle>()
  readonly #owners: Owners
  /** Leaders that have been in a ring. */
  readonly #inRing = new Set<Address>()
  readonly #computing = new Map<Address, { readonly job: number; readonly since: Time }>()
  readonly #threads: ThreadWatch | null
  readonly #broke: (fault: Fault) => void

  /** `broke` is called with each violation. */
  constructor(threads: ThreadWatch | null, broke: (fault: Fault) => void) {
    this.#threads = threads
    this.#broke = broke
    this.#owners = new Owners((property, text) => broke({ property, text }))
  }

  /** The partition of a leader: its cells in a ring, otherwise the place of its threads. */
  ownOf(leader: Address): Rectangle | undefined {
    if (!this.#inRing.has(leader)) return this.#there.get(leader)
    const cells = this.#owners.cellsOf(leader)
    return cells.length > 0 ? partitionOf(cells) : undefined
  }

  /** Whether the leaders in rings own a whole part of the mesh, each in one or two cells, and all cells have one size. */
  areShared(area: Rectangle): boolean {
    const owned = [...this.#inRing].map((leader) => this.#owners.cellsOf(leader))
    const cells = owned.flat()
    const isWhole = cells.length > 0 && coverFault(area, cells) === null
    return isWhole && new Set(cells.map(areaOf)).size === 1 && owned.every(({ length }) => length === 1 || length === 2)
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

  /** Checks a job that begins to compute: no other job computes there, and in a ring all cells are its own. */
  computes({ leader, job }: Lead, since: Time): void {
    const own = this.#there.get(leader)
    if (!own) return this.#broke({ property: 'a job computes only on a partition', text: `${leader} computes nowhere` })
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
        property: 'a job computes on its own cells',
        text: `${leader} computes on ${textOf(own)} and has ${cells.map(textOf).join(' and ')}`,
      })
  }
}

const isWithin = (own: Rectangle, cells: readonly Rectangle[]): boolean =>
  cells.some((cell) => contains(cell, own)) || (cells.length > 1 && contains(partitionOf(cells.slice(0, 2)), own))

// --- owners of cells in rings -----------------------------------------------------------------------------------------

type Own = Extract<JobFact, { type: 'owns' }>

/** Called with the broken property and a description. */
type Broke = (property: string, text: string) => void

/**
 * The owner of each cell at every moment, as jobs report it. A cell changes owner when the neighbour that it was
 * offered to takes it.
 */
class Owners {
  readonly #own = new Map<Address, Own>()
  readonly #broke: Broke

  constructor(broke: Broke) {
    this.#broke = broke
  }

  cellsOf(job: Address): Cells {
    return this.#own.get(job)?.cells ?? []
  }

  owns(job: Address, said: Own): void {
    const before = this.#own.get(job)
    const own = before ? withoutTaken(said, before) : said
    for (const [other, theirs] of this.#own) {
      const cell = other !== job && own.cells.find((cell) => theirs.cells.some((one) => overlap(cell, one)))
      if (cell) this.#passes(cell, { job, own: before }, { job: other, own: theirs })
    }
    this.#own.set(job, own)
    const given = before?.offered
    if (given && !this.#isOwned(given))
      this.#broke('a cell has one owner', `${job} has given ${textOf(given)} up, and no other job has taken it`)
  }

  #isOwned(cell: Rectangle): boolean {
    for (const { cells } of this.#own.values()) if (cells.some((one) => overlap(one, cell))) return true
    return false
  }

  /** Checks that a cell passes between neighbours, and only after an offer. */
  #passes(cell: Rectangle, to: { job: Address; own: Own | undefined }, from: { job: Address; own: Own }): void {
    const { cells, offered } = from.own
    if (!offered || !areEqual(offered, cell)) {
      const text = `${to.job} has ${textOf(cell)}, and ${from.job} has ${cells.map(textOf).join(' and ')}`
      return this.#broke('a cell has one owner', text)
    }
    const isForward = to.own?.next === from.job && from.own.prev === to.job
    const isBack = to.own?.prev === from.job && from.own.next === to.job
    if (!isForward && !isBack)
      this.#broke('cells pass between neighbours', `${textOf(cell)} passes from ${from.job} to ${to.job}`)
    this.#own.set(from.job, { ...from.own, cells: cells.filter((one) => !areEqual(one, cell)), offered: null })
  }

  /** Removes a job from the ring: its cells have no owner from then on. */
  leaves(job: Address): void {
    this.#own.delete(job)
  }
}

/** The report of a job without its offered cell, if a neighbour has taken that cell and the job does not know yet. */
function withoutTaken(own: Own, { cells }: Own): Own {
  const { offered } = own
  if (!offered || cells.some((cell) => areEqual(cell, offered))) return own
  return { ...own, offered: null, cells: own.cells.filter((cell) => !areEqual(cell, offered)) }
}

// --- rules at rest (sections 4, 5.1 and 8) ----------------------------------------------------------------------------

export type Fault = { readonly property: string; readonly text: string }

const sides = ({ rows, columns }: Rectangle) => [rows, columns].filter(isPowerOfTwo).length

export function faultsOfCover(area: Rectangle, partitions: readonly Rectangle[]): readonly Fault[] {
  const fault = partitions.length > 0 ? coverFault(area, partitions) : null
  return fault ? [{ property: 'partitions cover the mesh', text: fault }] : []
}

/** The partitions with fewer than `least` sides that are powers of two. */
export const faultsOfSides = (partitions: readonly Rectangle[], least: 1 | 2): readonly Fault[] =>
  partitions
    .filter((partition) => sides(partition) < least)
    .map((partition) => ({ property: 'sides are powers of two', text: textOf(partition) }))

/** Checks the number of partitions of each size, and that partitions that follow each other touch. */
export function faultsOfRings({ area, level, rings }: RingFact): readonly Fault[] {
  const jobs = rings.flat()
  if (jobs.length === 0) return []
  const expected = sizesOf(jobs.length)
  const cell = areaOf(area) >> level
  const count = (size: number) => jobs.filter(({ partition }) => areaOf(partition) === size).length
  const isEven = level === expected.level && count(cell) === expected.small && count(2 * cell) === expected.large
  return [
    ...(isEven
      ? []
      : [
          {
            property: 'loads are even',
            text: `${jobs.length} jobs have ${jobs.map(({ partition }) => areaOf(partition)).join(', ')} processors`,
          },
        ]),
    ...rings.flatMap((ring) =>
      ring.flatMap(({ partition }, i) => {
        const next = ring[(i + 1) % ring.length]?.partition
        if (!next || ring.length === 1 || touch(partition, next)) return []
        return [
          { property: 'partitions that follow each other touch', text: `${textOf(partition)} and ${textOf(next)}` },
        ]
      }),
    ),
  ]
}
