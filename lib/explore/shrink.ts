/**
 * Shrinks a counterexample until it can be read: the end of a long run is cut off, then there are fewer and milder faults,
 * fewer deviations, shorter holds and fewer tasks, while the same invariant is violated.
 */

import {
  DeviationScheduler,
  type Deviations,
  HOLD_BOUNDS,
  type Hold,
  type HoldBounds,
  type LateCopy,
  type TransmissionName,
} from '../actor/schedule.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import { replacedOnce } from '../runtime/step-purity.ts'
import { type Fault, listedIn } from '../scenario/faults.ts'
import { brokenName, type Violation } from '../scenario/oracle.ts'
import type { Specification } from '../scenario/specification.ts'
import type { Run } from '../trace/run.ts'
import { ddmin } from './ddmin.ts'
import { execute, traced } from './execution.ts'
import type { Failure } from './explore.ts'
import { renamed } from './renaming.ts'

export interface Shrunk {
  readonly deviations: Deviations
  readonly faults: readonly Fault[]
  /** The numbers of the tasks that are left. */
  readonly tasks: readonly number[]
  readonly violation: Violation
  /** The number of runs that shrinking took. */
  readonly runs: number
  /** Whether the time was up before the run was as small as it can be. */
  readonly isCut: boolean
}

/** What is left of a failing run at some point of shrinking it. */
export interface ShrinkProgress {
  readonly runs: number
  readonly deviations: number
  readonly faults: number
  readonly tasks: number
}

export interface ShrinkOptions {
  /** Aborted when the time is up; the result is then the smallest run so far. */
  readonly late?: AbortSignal | undefined
  /** Called after each run. */
  readonly onProgress?: (progress: ShrinkProgress) => void
}

/** Thrown if a failing run does not fail in the same way when it is repeated. */
export class NotReproduced extends BourseError {
  override readonly name = 'NotReproduced'

  constructor(message: string) {
    super('BOURSE_NOT_REPRODUCED', message)
  }
}

type Deviation =
  | { readonly type: 'hold'; readonly hold: Hold }
  | { readonly type: 'lost' | 'doubled'; readonly passage: TransmissionName }
  | { readonly type: 'late'; readonly copy: LateCopy }

/** The deviations one by one. */
export const listOf = ({ holds, lost, doubled, late = [] }: Deviations): Deviation[] => [
  ...lost.map((passage) => ({ type: 'lost' as const, passage })),
  ...doubled.map((passage) => ({ type: 'doubled' as const, passage })),
  ...late.map((copy) => ({ type: 'late' as const, copy })),
  ...holds.map((hold) => ({ type: 'hold' as const, hold })),
]

export function fromList(list: readonly Deviation[], bounds: HoldBounds | undefined): Deviations {
  const late = list.flatMap((one) => (one.type === 'late' ? [one.copy] : []))
  return {
    holds: list.flatMap((one) => (one.type === 'hold' ? [one.hold] : [])),
    lost: list.flatMap((one) => (one.type === 'lost' ? [one.passage] : [])),
    doubled: list.flatMap((one) => (one.type === 'doubled' ? [one.passage] : [])),
    ...(late.length > 0 && { late }),
    ...(bounds && { bounds }),
  }
}

/** A failing run: a specification, the tasks that it has, its deviations and its faults. */
interface Candidate {
  readonly specification: Specification
  readonly tasks: readonly number[]
  readonly list: readonly Deviation[]
  readonly plan: readonly Fault[]
  readonly bounds: HoldBounds | undefined
}

/**
 * Shrinks a failure: removes faults, deviations and tasks while the same invariant is violated.
 *
 * @throws NotReproduced if the run does not fail again
 */
export async function shrink(
  specification: Specification,
  { violations, deviations, faults }: Failure,
  options: ShrinkOptions = {},
): Promise<Shrunk> {
  const [first] = violations
  if (!first) throw new NotReproduced('the run broke no promise')
  const whole: Candidate = {
    specification,
    tasks: Array.from({ length: specification.tasks }, (_, i) => i),
    list: listOf(deviations),
    plan: faults,
    bounds: deviations.bounds,
  }
  const shrinker = new Shrinker(whole, first, options)
  if (!(await shrinker.adopts({})) && !shrinker.isCut) {
    throw new NotReproduced(`${brokenName(first)}: the run does not break it when it is repeated`)
  }
  await replacedOnce(() => shrinker.shrink())
  const { list, plan, tasks, bounds } = shrinker.smallest
  const { last, runs, isCut } = shrinker
  return { deviations: fromList(list, bounds), faults: plan, tasks, violation: last, runs, isCut }
}

/** The least number of deviations for which the end of a run is cut off first; fewer are removed one by one as fast. */
const LONG = 8

class Shrinker {
  smallest: Candidate
  /** The violation of the smallest run. */
  last: Violation
  runs = 0
  isCut = false
  readonly #options: ShrinkOptions
  /** The smallest run as it was traced last. */
  #known: { readonly of: Candidate; readonly run: Run } | undefined

  constructor(whole: Candidate, violation: Violation, options: ShrinkOptions) {
    this.smallest = whole
    this.last = violation
    this.#options = options
  }

  /** Runs a variant of the smallest run, and takes its place if the same invariant is violated. */
  async adopts(changes: Partial<Candidate>): Promise<boolean> {
    if (this.#isLate()) return false
    const candidate = { ...this.smallest, ...changes }
    const { specification, list, plan, bounds } = candidate
    this.runs++
    const scheduler = new DeviationScheduler(fromList(list, bounds))
    const { violations, isCut } = await execute(specification, scheduler, plan, this.#options.late)
    this.isCut ||= isCut
    const same = violations.find(({ property }) => property === this.last.property)
    if (same) {
      this.last = same
      this.smallest = candidate
    }
    const left = this.smallest
    this.#options.onProgress?.({
      runs: this.runs,
      deviations: left.list.length,
      faults: left.plan.length,
      tasks: left.tasks.length,
    })
    return same !== undefined
  }

  async shrink(): Promise<void> {
    await this.#cutEnd()
    await this.#removeFaults()
    await this.#softenFaults()
    await this.#removeDeviations()
    await this.#shortenHolds()
    await this.#removeTasks()
    await this.#removeFaults()
    await this.#removeDeviations()
    await this.#shortenHolds()
    await this.adopts({ bounds: usual(this.smallest.bounds) })
  }

  /** Removes all deviations after the one that made a long run fail, found by bisection: a livelock has thousands. */
  async #cutEnd(): Promise<void> {
    const all = this.smallest.list
    if (all.length < LONG) return
    let [passes, fails] = [-1, all.length]
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2)
      if (await this.adopts({ list: all.slice(0, middle) })) fails = middle
      else passes = middle
    }
  }

  async #removeFaults(): Promise<void> {
    await ddmin(this.smallest.plan, (plan) => this.adopts({ plan }), this.#options.late)
  }

  /** Gives each fault as few victims, as short a time, as small a size and as small a loss of its actor's disk as it can have. */
  async #softenFaults(): Promise<void> {
    for (const place of this.smallest.plan.keys()) {
      await this.#spareVictims(place)
      for (const milder of [shorter, smaller, losingLess]) {
        const fault = this.smallest.plan[place]
        for (const one of fault ? milder(fault) : []) {
          if (await this.adopts({ plan: this.smallest.plan.with(place, one) })) break
        }
      }
    }
  }

  /** Spares some of the actors that a fault strikes at one point. */
  async #spareVictims(place: number): Promise<void> {
    const fault = this.smallest.plan[place]
    if (!fault || !('who' in fault)) return
    const strikes = async (victims: readonly string[]): Promise<boolean> =>
      victims.length > 0 && this.adopts({ plan: this.smallest.plan.with(place, { ...fault, who: victims.join() }) })
    const all = listedIn(fault.who)
    if (all.length > 1) await ddmin(all, strikes, this.#options.late)
  }

  async #removeDeviations(): Promise<void> {
    await ddmin(this.smallest.list, (list) => this.adopts({ list }), this.#options.late)
    await this.#hastenCopies()
  }

  /** Makes each late copy come with its message, or else as early as it can. */
  async #hastenCopies(): Promise<void> {
    for (const [place, one] of this.smallest.list.entries()) {
      if (one.type !== 'late') continue
      const { passage, by } = one.copy
      const earlier = PARTS.map((part) => Math.floor(by * part)).filter((time) => time > 0)
      for (const sooner of [
        { type: 'doubled', passage } as const,
        ...earlier.map((time) => ({ type: 'late', copy: { passage, by: time } }) as const),
      ]) {
        if (await this.adopts({ list: this.smallest.list.with(place, sooner) })) break
      }
    }
  }

  /** Makes each hold as short as it can be, by bisection. */
  async #shortenHolds(): Promise<void> {
    for (const place of this.smallest.list.keys()) {
      const one = this.smallest.list[place]
      if (one?.type !== 'hold') continue
      let [passes, fails] = [0, one.hold.until]
      while (fails - passes > 1) {
        const until = Math.floor((passes + fails) / 2)
        const list = this.smallest.list.with(place, { type: 'hold', hold: { ...one.hold, until } })
        if (await this.adopts({ list })) fails = until
        else passes = until
      }
    }
  }

  /**
   * Without one task the envelopes of others have other names. So the deviations are tried as they are, and then with the
   * names that their events have in the smaller run.
   */
  async #removeTasks(): Promise<void> {
    const { specification, tasks } = this.smallest
    if (tasks.length < 2) return
    const keeps = async (part: readonly number[]): Promise<boolean> => {
      if (part.length === 0) return false
      const changes = { specification: specification.only(part), tasks: part }
      return (await this.adopts(changes)) || this.#adoptsRenamed(changes)
    }
    await ddmin(tasks, keeps, this.#options.late)
  }

  /** Other deviations may give events other names again, so the names are looked up twice. */
  async #adoptsRenamed(changes: Pick<Candidate, 'specification' | 'tasks'>): Promise<boolean> {
    if (this.#isLate()) return false
    const { list, bounds } = this.smallest
    const deviations = fromList(list, bounds)
    if (this.#known?.of !== this.smallest) this.#known = { of: this.smallest, run: await this.#traced(this.smallest) }
    const old = this.#known.run
    let names = await this.#traced({ ...this.smallest, ...changes, list: [] })
    for (let tries = 0; tries < 2; tries++) {
      const there = renamed(deviations, old, names)
      if (await this.adopts({ ...changes, list: listOf(there) })) return true
      if (tries === 0) names = await this.#traced({ ...this.smallest, ...changes, list: listOf(there) })
    }
    return false
  }

  async #traced({ specification, list, plan, bounds }: Candidate): Promise<Run> {
    this.runs++
    const { run } = await traced(
      specification,
      new DeviationScheduler(fromList(list, bounds)),
      plan,
      this.#options.late,
    )
    return run
  }

  #isLate(): boolean {
    const isLate = this.#options.late?.aborted === true
    this.isCut ||= isLate
    return isLate
  }
}

/** The parts of a pause, a partition, a delay, a jump or a lateness that are tried in place of the whole. */
const PARTS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]

const partsOf = (time: Time): Time[] => PARTS.map((part) => Math.max(1, Math.floor(time * part)))

/** The same fault for a shorter time, the shortest first. */
function shorter(fault: Fault): Fault[] {
  if (fault.type === 'pause') return partsOf(fault.duration).map((duration) => ({ ...fault, duration }))
  if (fault.type !== 'partition' && fault.type !== 'slow links' && fault.type !== 'jump') return []
  const { at, until } = fault
  return until === undefined ? [] : partsOf(until - at).map((duration) => ({ ...fault, until: at + duration }))
}

/** The same fault with less delay, or a smaller jump of the clock, the smallest first. */
function smaller(fault: Fault): Fault[] {
  if (fault.type !== 'slow links' && fault.type !== 'jump') return []
  return partsOf(Math.abs(fault.by)).map((by) => ({ ...fault, by: by * Math.sign(fault.by) }))
}

/** The same fault with a smaller loss of its actor's disk, the smallest first. */
function* losingLess(fault: Fault): Iterable<Fault> {
  if (!('loss' in fault) || !fault.loss) return
  const { loss, ...without } = fault
  yield without
  for (let writes = 1; writes < loss.writes; writes++) yield { ...without, loss: { writes } }
  if (loss.isTorn) yield { ...without, loss: { writes: loss.writes } }
}

/** The bounds with the usual longest hold: most small runs need no other, and their schedules are shorter without it. */
const usual = (bounds: HoldBounds | undefined): HoldBounds | undefined =>
  bounds && (bounds.calm === null ? undefined : { ...HOLD_BOUNDS, calm: bounds.calm })
