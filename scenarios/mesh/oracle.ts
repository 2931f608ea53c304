/**
 * The oracle of a run on a mesh: follows the facts that actors observe, tracks who owns which processors, and checks
 * the rules of partitions (section 8). No actor knows of it.
 */
import type { EquiFact } from '../../actors/mesh/allocator/equi/book.ts'
import type { FoldFact, RingFact } from '../../actors/mesh/allocator/fold/book.ts'
import type { GaveUp } from '../../actors/mesh/allocator/round.ts'
import type { JobFact } from '../../actors/mesh/job/book.ts'
import { isIn, type Place } from '../../actors/mesh/mapping.ts'
import type { Mesh } from '../../actors/mesh/mesh.ts'
import type { Size } from '../../actors/mesh/messages.ts'
import type { OperatorFact } from '../../actors/mesh/operator.ts'
import type { ProcessorFact } from '../../actors/mesh/processor/book.ts'
import { areEqual, type Rectangle, textOf } from '../../actors/mesh/rectangle.ts'
import type { UserFact } from '../../actors/mesh/user.ts'
import { type Address, type Message, roleOf, type Time, toUnits } from '../../lib/actor.ts'
import type { Circumstances } from '../../lib/scenario/definition.ts'
import { disturbanceOf } from '../../lib/scenario/disturbance.ts'
import { Monitors, type NamedPromise, type Oracle, type Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { comingJobs, type Multicomputer } from './model.ts'
import { allocationOf } from './oracle/allocation.ts'
import { type Fault, faultsOfCover, faultsOfRings, faultsOfSides, Places, type Stretch } from './oracle/places.ts'
import { promisesOf } from './oracle/promises.ts'
import { recoveryOf } from './oracle/recovery.ts'
import { ThreadWatch } from './oracle/threads.ts'
import { workOf } from './oracle/work.ts'

/** The history of one job. */
export interface Story {
  readonly began: Time
  readonly ended: Time | null
  /** The number of moves to another partition. */
  readonly moves: number
  /** The number of attempts. */
  readonly attempts: number
  /** Whether its last attempt failed or its leader died. */
  readonly isLost: boolean
  /** What its user was told about the last attempt; null: nothing yet. */
  readonly told: 'over' | 'failed' | null
}

/** The partitions and rings at rest, after a step of the script. */
export interface Snapshot {
  readonly partitions: ReadonlyMap<number, Rectangle>
  /** The jobs of each ring in their order; empty without rings. */
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
  /** A snapshot for each step that is done. */
  readonly steps: Snapshot[] = []
  /** The number of times that a job had to make room for another one. */
  swaps = 0
  /** The number of times that the allocator asked all jobs which cells they have. */
  queries = 0
  /** The number of times that it then placed all jobs from scratch. */
  placements = 0
  /** The job of each leader. */
  readonly #leads = new Map<Address, number>()
  /**
   * Leaders taken for dead, with the number of the last order before that. Their processors belong to others, even if the leaders do
   * not know it, until they obey a later order.
   */
  readonly #givenUp = new Map<Address, number>()
  readonly #threads: ThreadWatch | null
  readonly #places: Places
  #rings: Snapshot['rings'] = []
  #dealt: Extract<EquiFact, { type: 'dealt' }> | null = null
  /** The part of the mesh that is shared in rings; null if a processor has died since the allocator last rested. */
  #shared: Rectangle | null = null

  /** `mesh` is given if processors hold threads; null otherwise. */
  constructor(mesh: Mesh | null = null) {
    this.#threads = mesh && new ThreadWatch(mesh, this.broken)
    this.#places = new Places(this.#threads, (fault) => this.broken.push(fault))
  }

  /** Periods of uninterrupted computing, in the order of their ends. */
  get stretches(): readonly Stretch[] {
    return this.#places.stretches
  }

  /** The most jobs that had processors at the same time. */
  get most(): number {
    return this.#places.most
  }

  /** Handles one fact; facts of other roles are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isJob(fact, who)) this.#ofJob(who, fact, at)
    else if (isAllocator(fact, who)) this.#ofAllocator(fact, at)
    else if (isUser(fact, who)) this.#ofUser(fact)
    else if (isOperator(fact, who)) this.#stepped()
    else if (isProcessor(fact, who)) this.#threads?.fold(fact, who, at)
  }

  /** Handles the death of an actor. The processors of a leader have no owner from then on. */
  died(who: Address, at: Time): void {
    const job = this.#leads.get(who)
    if (job === undefined) return
    const story = this.jobs.get(job)
    if (story && story.ended === null) this.jobs.set(job, { ...story, isLost: true })
    this.#places.leaves(who, at)
    this.#leads.delete(who)
    this.#givenUp.delete(who)
  }

  /** A violation for each of these processors that is dead and belongs to a job. */
  heldAmong(dead: readonly Place[]): Violation[] {
    return [...this.#leads].flatMap(([leader, job]) => {
      const own = this.#places.ownOf(leader)
      const lost = own && dead.find((place) => isIn(own, place))
      const text = lost && `job ${job} has ${textOf(own)} with ${lost.row},${lost.column}`
      return text ? [{ property: 'no job stays on a dead processor', text, eventually: true }] : []
    })
  }

  /** A violation for each job that was handed to a leader and whose user has not heard of it again. */
  get unheard(): Violation[] {
    return [...this.jobs].flatMap(([job, { told, attempts }]) => (attempts > 0 && told === null ? [unheard(job)] : []))
  }

  #givesUp({ leader, change }: GaveUp, at: Time): void {
    if (!this.#leads.has(leader)) return
    this.#places.leaves(leader, at)
    this.#givenUp.set(leader, change)
  }

  #ofUser({ type, job, attempt }: UserFact): void {
    const story = this.jobs.get(job) ?? NEW
    this.jobs.set(job, { ...story, attempts: attempt, told: type === 'handed' ? null : type })
    if (type === 'over' && story.ended === null) this.#broke('a job that is over has ended', `job ${job}`)
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
    if (fact.type === 'began' || fact.type === 'vacated' || this.#isAdmittedAgain(leader, fact))
      this.#givenUp.delete(leader)
    if (this.#givenUp.has(leader) && fact.type !== 'ended' && fact.type !== 'failed') return
    switch (fact.type) {
      case 'began':
        return
      case 'moved':
        this.jobs.set(job, { ...story, moves: story.moves + 1 })
        return this.#places.moved(leader, fact, at)
      case 'owns':
        return this.#places.owns(leader, fact)
      case 'resumed':
        return this.#places.computes({ leader, job }, at)
      case 'stopped':
        this.swaps++
        return this.#places.leaves(leader, at)
      case 'vacated':
        return this.#places.leaves(leader, at)
      case 'failed':
        this.jobs.set(job, { ...story, isLost: true })
        return this.#places.leaves(leader, at)
      case 'ended':
        this.jobs.set(job, { ...story, ended: at })
        this.#places.standsStill(leader, at)
        if (!this.#places.isInRing(leader)) this.#places.leaves(leader, at)
    }
  }

  /** Whether a fact of a leader taken for dead follows from an order given after that. */
  #isAdmittedAgain(leader: Address, fact: JobFact): boolean {
    const last = this.#givenUp.get(leader)
    if (last === undefined || (fact.type !== 'owns' && fact.type !== 'moved')) return false
    return fact.order !== undefined && fact.order > last
  }

  #ofAllocator(fact: FoldFact | EquiFact, at: Time): void {
    if (fact.type === 'asked') this.queries++
    else if (fact.type === 'gave-up') this.#givesUp(fact, at)
    else if (fact.type === 'planned') this.#planned(fact.isAnew, at)
    else if (fact.type === 'down') this.#shared = null
    else if (fact.type === 'dealt') this.#dealt = fact
    else if (fact.type === 'ring') this.#rests(fact)
    else if (fact.type === 'rested' && this.#dealt) {
      const { area, partitions } = this.#dealt
      const rectangles = partitions.map(({ partition }) => partition)
      this.#all([...faultsOfCover(area, rectangles), ...faultsOfSides(rectangles, 1)])
      this.#placed(partitions)
    }
  }

  /** Jobs are placed from scratch only if cells are missing: where they have all cells of one size, they continue in place. */
  #planned(isAnew: boolean, at: Time): void {
    if (!isAnew) return
    this.placements++
    if (this.#shared === null || !this.#places.areShared(this.#shared)) return
    this.#broke('jobs that have all cells continue in place', `placed from scratch at ${toUnits(at)}`)
  }

  #rests(fact: RingFact): void {
    this.#shared = fact.area
    const all = fact.rings.flat()
    const rectangles = all.map(({ partition }) => partition)
    this.#all([...faultsOfCover(fact.area, rectangles), ...faultsOfSides(rectangles, 2), ...faultsOfRings(fact)])
    this.#placed(all)
    this.#rings = fact.rings.map((ring) =>
      ring.map(({ job, size }) => ({ job: this.#leads.get(job) ?? Number.NaN, size })),
    )
  }

  /** Checks that the allocator knows all partitions. It may not know yet that a job has died or departed. */
  #placed(partitions: readonly { readonly job: Address; readonly partition: Rectangle }[]): void {
    for (const { job, partition } of partitions) {
      const own = this.#places.ownOf(job)
      if (!own || areEqual(own, partition)) continue
      this.#broke('the allocator knows all partitions', `${job} has ${textOf(own)}, not ${textOf(partition)}`)
    }
  }

  #stepped(): void {
    const partitions = new Map(
      [...this.#leads].flatMap(([leader, job]) => {
        const own = this.#places.ownOf(leader)
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

/** The oracle of one run: all that is watched, and whether every job came to an end. */
export class MeshOracle extends Watch implements Oracle {
  readonly #multicomputer: Multicomputer
  readonly #isExplored: boolean
  readonly #isCalm: boolean
  readonly #promises: Monitors
  #deaths = 0

  constructor(multicomputer: Multicomputer, circumstances: Circumstances) {
    super((multicomputer.detail ?? 'coarse') === 'coarse' ? null : multicomputer.job.model.mesh)
    this.#multicomputer = multicomputer
    this.#isExplored = circumstances.options.scheduler !== null
    this.#isCalm = disturbanceOf(circumstances).isCalm
    this.#promises = new Monitors([
      ...promisesOf('jobs' in multicomputer.work, circumstances),
      ...workOf(multicomputer, circumstances),
      ...allocationOf(multicomputer),
      ...recoveryOf(multicomputer, circumstances),
    ])
  }

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.#promises.fold(fact, who, at)
  }

  override died(who: Address, at: Time): void {
    super.died(who, at)
    this.#promises.died(who, at)
    this.#deaths++
  }

  /** The jobs that ended, with their attempts. */
  outcome(): string {
    return [...this.jobs]
      .sort(([one], [other]) => one - other)
      .map(([job, { ended, attempts }]) => `${job}.${attempts} ${ended === null ? 'open' : 'ended'}`)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return new Map(
      [...this.jobs].flatMap(([job, { ended }]) => (ended === null ? [] : [[`job ${job}`, ended] as const])),
    )
  }

  left(): number {
    const coming = comingJobs(this.#multicomputer).length
    return coming > 0 ? coming - [...this.jobs.values()].filter(({ told }) => told === 'over').length : 0
  }

  promises(): readonly NamedPromise[] {
    return this.#promises.promises()
  }

  brokenSoFar(outcome: RunOutcome): readonly Violation[] {
    return [...this.broken, ...this.#promises.brokenSoFar(outcome)]
  }

  violations(outcome: RunOutcome): readonly Violation[] {
    const broken = [...this.broken, ...this.#promises.violations(outcome), ...this.#undone(outcome)]
    return this.#mustEnd(outcome) ? [...broken, ...this.unheard, ...this.#held(outcome)] : broken
  }

  /** The violation of a script that stops before its last step, though nothing disturbs it. */
  #undone({ isIdle }: RunOutcome): Violation[] {
    const { work, outages = [] } = this.#multicomputer
    if (!isIdle || !this.#isCalm || this.#deaths > 0 || outages.length > 0 || !('script' in work)) return []
    const [done, all] = [this.steps.length, work.script.length]
    const text = `${done} of ${all} steps are done`
    return done === all ? [] : [{ property: 'a script is carried out to its end', text, eventually: true }]
  }

  /** The jobs on dead processors, when all actors but leaders are alive to take them away. */
  #held({ dead }: RunOutcome): Violation[] {
    return [...dead].some((who) => roleOf(who) !== 'job') ? [] : this.heldAmong(this.#multicomputer.outages ?? [])
  }

  /**
   * Whether no job may be open: when no work is left. No job can progress without an allocator. The explorer also makes
   * runs without patience, in which a job may wait forever for dead actors or lost messages.
   */
  #mustEnd({ isIdle, dead, lost }: RunOutcome): boolean {
    if ([...dead].some((who) => roleOf(who) !== 'job')) return false
    if (!this.#isExplored) return isIdle
    return this.#multicomputer.patience !== undefined || (this.#deaths === 0 && lost === 0)
  }
}

/** The violation of a job that neither ends nor is reported as failed. */
const unheard = (job: number): Violation => ({
  property: 'a job ends, or its user hears that it failed',
  text: `job ${job}`,
  eventually: true,
})
