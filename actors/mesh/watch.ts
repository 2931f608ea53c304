/**
 * Who owns which processors, and whether what must hold of partitions does (section 8): folded from the facts that actors
 * observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { EquiFact } from './allocator/equi/book.ts'
import type { FoldFact, RingFact } from './allocator/fold/book.ts'
import { type Fault, faultsOfCover, faultsOfRings, faultsOfSides } from './at-rest.ts'
import { partitionOf } from './fold/exchange.ts'
import type { JobFact } from './job/book.ts'
import type { Mesh } from './mesh.ts'
import type { Size } from './messages.ts'
import type { OperatorFact } from './operator.ts'
import { Owners } from './owners.ts'
import type { ProcessorFact } from './processor.ts'
import { areEqual, contains, overlap, type Rectangle, textOf } from './rectangle.ts'
import { ThreadWatch } from './threads/watch.ts'
import type { UserFact } from './user.ts'

/** What became of one job. */
export interface Story {
  readonly began: Time
  readonly ended: Time | null
  /** How often its threads went elsewhere. */
  readonly moves: number
  /** How often it was begun. */
  readonly attempts: number
  /** Its last attempt failed, or its leader died. */
  readonly isLost: boolean
  /** What its user was told of the last attempt; null: nothing yet. */
  readonly told: 'over' | 'failed' | null
}

/** A job computes there all the time. */
export interface Stretch {
  readonly job: number
  readonly partition: Rectangle
  readonly from: Time
  readonly to: Time
}

/** At rest after a step of the script. */
export interface Snapshot {
  readonly partitions: ReadonlyMap<number, Rectangle>
  /** Ring by ring the jobs, in their order; empty where there are no rings. */
  readonly rings: readonly (readonly { readonly job: number; readonly size: Size }[])[]
}

const isJob = (_: Message, who: Address): _ is JobFact => roleOf(who) === 'job'
const isAllocator = (_: Message, who: Address): _ is FoldFact | EquiFact => roleOf(who) === 'allocator'
const isProcessor = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'
const isOperator = (_: Message, who: Address): _ is OperatorFact => roleOf(who) === 'operator'
const isUser = (_: Message, who: Address): _ is UserFact => roleOf(who) === 'user'

const NEW: Story = { began: 0, ended: null, moves: 0, attempts: 0, isLost: false, told: null }

export class Watch {
  readonly jobs = new Map<number, Story>()
  readonly broken: Violation[] = []
  /** One for each step that is done. */
  readonly steps: Snapshot[] = []
  /** In the order in which they ended. */
  readonly stretches: Stretch[] = []
  /** How often a job had to make room for another one. */
  swaps = 0
  /** How often the allocator asked all what they have. */
  queries = 0
  /** How often it then put all of them anew. */
  anew = 0
  /** Jobs that had processors at the same time. */
  most = 0
  /** What each leader leads. */
  readonly #leads = new Map<Address, number>()
  /** Where the threads of each are. */
  readonly #there = new Map<Address, Rectangle>()
  readonly #owners = new Owners((property, text) => this.#broke(property, text))
  /** Who has been in a ring. */
  readonly #inRing = new Set<Address>()
  /** Since when. */
  readonly #computing = new Map<Address, Time>()
  /** Taken for dead: what they have is others', whether they know it or not. */
  readonly #givenUp = new Set<Address>()
  readonly #threads: ThreadWatch | null
  #rings: Snapshot['rings'] = []
  #dealt: Extract<EquiFact, { type: 'dealt' }> | null = null

  /** `mesh`: of the processors that have threads; null: none has. */
  constructor(mesh: Mesh | null = null) {
    this.#threads = mesh && new ThreadWatch(mesh, this.broken)
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isJob(fact, who)) this.#ofJob(who, fact, at)
    else if (isAllocator(fact, who)) this.#ofAllocator(fact, at)
    else if (isUser(fact, who)) this.#ofUser(fact)
    else if (isOperator(fact, who)) this.#stepped()
    else if (isProcessor(fact, who)) this.#threads?.fold(fact, who, at)
  }

  /** What was its own is nobody's. */
  died(who: Address, at: Time): void {
    const job = this.#leads.get(who)
    if (job === undefined) return
    const story = this.jobs.get(job)
    if (story && story.ended === null) this.jobs.set(job, { ...story, isLost: true })
    this.#leaves(who, at)
    this.#leads.delete(who)
    this.#givenUp.delete(who)
  }

  /** Jobs that were handed to a leader and of which their user has not heard again. */
  get open(): readonly number[] {
    return [...this.jobs].flatMap(([job, { told, attempts }]) => (attempts > 0 && told === null ? [job] : []))
  }

  /** Once nothing is left to do nothing may be open. */
  close(): void {
    this.broken.push(...this.open.map(unheard))
  }

  #givesUp(leader: Address, at: Time): void {
    if (!this.#leads.has(leader)) return
    this.#leaves(leader, at)
    this.#givenUp.add(leader)
  }

  #ofUser({ type, job, attempt }: UserFact): void {
    const story = this.jobs.get(job) ?? NEW
    this.jobs.set(job, { ...story, attempts: attempt, told: type === 'handed' ? null : type })
    if (type === 'over' && story.ended === null) this.#broke('what is over has ended', `job ${job}`)
  }

  #ofJob(leader: Address, fact: JobFact, at: Time): void {
    if (fact.type === 'began') {
      this.#leads.set(leader, fact.job)
      const story = this.jobs.get(fact.job) ?? { ...NEW, began: at }
      this.jobs.set(fact.job, { ...story, began: story.attempts > 1 ? story.began : at, isLost: false })
    }
    const job = this.#leads.get(leader)
    const story = job === undefined ? undefined : this.jobs.get(job)
    if (job === undefined || !story) return this.#broke('a leader leads a job', `${leader}: ${fact.type} of none`)
    if (fact.type === 'began' || fact.type === 'vacated') this.#givenUp.delete(leader)
    if (this.#givenUp.has(leader) && fact.type !== 'ended' && fact.type !== 'failed') return
    switch (fact.type) {
      case 'began':
        return
      case 'moved':
        this.jobs.set(job, { ...story, moves: story.moves + 1 })
        this.#standsStill(leader, at)
        this.#there.set(leader, fact.partition)
        this.most = Math.max(this.most, this.#there.size)
        this.#all(faultsOfSides([fact.partition], this.#inRing.has(leader) ? 2 : 1))
        return
      case 'owns':
        this.#inRing.add(leader)
        return this.#owners.owns(leader, fact)
      case 'resumed':
        return this.#computes(leader, at)
      case 'stopped':
        this.swaps++
        return this.#leaves(leader, at)
      case 'vacated':
        return this.#leaves(leader, at)
      case 'failed':
        this.jobs.set(job, { ...story, isLost: true })
        return this.#leaves(leader, at)
      case 'ended':
        this.jobs.set(job, { ...story, ended: at })
        this.#standsStill(leader, at)
        if (!this.#inRing.has(leader)) this.#leaves(leader, at)
    }
  }

  #leaves(leader: Address, at: Time): void {
    this.#standsStill(leader, at)
    this.#owners.leaves(leader)
    this.#there.delete(leader)
    this.#inRing.delete(leader)
  }

  #standsStill(leader: Address, to: Time): void {
    const [job, partition, from] = [this.#leads.get(leader), this.#there.get(leader), this.#computing.get(leader)]
    this.#computing.delete(leader)
    if (job === undefined || from === undefined || !partition) return
    this.stretches.push({ job, partition, from, to })
    this.#threads?.rested(job)
  }

  /** Two jobs may have data on a processor while they move, but never compute on it both; in a ring on its own cells alone. */
  #computes(leader: Address, at: Time): void {
    const own = this.#there.get(leader)
    if (!own) return this.#broke('a job computes where it has been put', `${leader} computes nowhere`)
    for (const other of this.#computing.keys()) {
      const theirs = this.#there.get(other)
      if (other !== leader && theirs && overlap(own, theirs))
        this.#broke('a processor has one owner', `${leader} computes on ${textOf(own)}, ${other} on ${textOf(theirs)}`)
    }
    this.#computing.set(leader, at)
    this.#threads?.resumed(this.#leads.get(leader) ?? Number.NaN, own)
    const cells = this.#owners.cellsOf(leader)
    if (this.#inRing.has(leader) && !isWithin(own, cells))
      this.#broke(
        'a job computes on its own',
        `${leader} computes on ${textOf(own)} and has ${cells.map(textOf).join(' and ')}`,
      )
  }

  #ofAllocator(fact: FoldFact | EquiFact, at: Time): void {
    if (fact.type === 'asked') this.queries++
    else if (fact.type === 'gave-up') this.#givesUp(fact.leader, at)
    else if (fact.type === 'planned') this.anew += Number(fact.isAnew)
    else if (fact.type === 'dealt') this.#dealt = fact
    else if (fact.type === 'ring') this.#rests(fact)
    else if (this.#dealt) {
      const { area, partitions } = this.#dealt
      const rectangles = partitions.map(({ partition }) => partition)
      this.#all([...faultsOfCover(area, rectangles), ...faultsOfSides(rectangles, 1)])
      this.#agree(partitions)
    }
  }

  #rests(fact: RingFact): void {
    const all = fact.rings.flat()
    const rectangles = all.map(({ partition }) => partition)
    this.#all([...faultsOfCover(fact.area, rectangles), ...faultsOfSides(rectangles, 2), ...faultsOfRings(fact)])
    this.#agree(all)
    this.#rings = fact.rings.map((ring) =>
      ring.map(({ job, size }) => ({ job: this.#leads.get(job) ?? Number.NaN, size })),
    )
  }

  /** What it does not know is that somebody has died or departed. */
  #agree(partitions: readonly { readonly job: Address; readonly partition: Rectangle }[]): void {
    for (const { job, partition } of partitions) {
      const own = this.#inRing.has(job) ? this.#ownOf(job) : this.#there.get(job)
      if (!own || areEqual(own, partition)) continue
      this.#broke('the allocator knows who has what', `${job} has ${textOf(own)}, not ${textOf(partition)}`)
    }
  }

  #ownOf(job: Address): Rectangle | undefined {
    const cells = this.#owners.cellsOf(job)
    return cells.length > 0 ? partitionOf(cells) : undefined
  }

  #stepped(): void {
    const partitions = new Map(
      [...this.#leads].flatMap(([leader, job]) => {
        const own = this.#inRing.has(leader) ? this.#ownOf(leader) : this.#there.get(leader)
        return own ? [[job, own] as const] : []
      }),
    )
    this.steps.push({ partitions, rings: this.#rings })
  }

  #all(faults: readonly Fault[]): void {
    for (const { property, text } of faults) this.#broke(property, text)
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }
}

/** Every job ends, or its user knows that it failed. */
export const unheard = (job: number): Violation => ({
  ...{ property: 'a job ends, or its user hears that it failed', text: `job ${job}` },
  eventually: true,
})

const isWithin = (own: Rectangle, cells: readonly Rectangle[]): boolean =>
  cells.some((cell) => contains(cell, own)) || (cells.length > 1 && contains(partitionOf(cells.slice(0, 2)), own))
