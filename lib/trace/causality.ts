/**
 * Happens-before (Lamport 1978) over the steps of a run, by vector clocks (Mattern 1989) that are computed here in one pass;
 * messages do not carry them. A step comes after the earlier steps of its actor, after the step that sent its message, and,
 * if it handles mail of the system, after everything that the system had reacted to. A timer is set at its own actor.
 *
 * A trace does not say which facts led a scenario to send mail from outside, so such mail has no cause.
 */
import { type Address, SYSTEM } from '../core/address.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Incarnation, Run, Step, SystemEvent } from './steps.ts'

/** Clocks take 4 bytes for each step and actor. */
export const CLOCK_ENTRIES_MAX = 100_000_000

export class Causality {
  readonly #run: Run
  /** One row for each step, then for each event of the system; one column for the system, then for each actor. */
  readonly #clocks: Int32Array
  readonly #width: number
  /** The column of each actor. */
  readonly #columns = new Map<Address, number>()
  /** The number of steps that an actor has taken up to and with a step, over all its incarnations. */
  readonly #counts: Int32Array

  /**
   * Computes the vector clock of every step of a run.
   *
   * @throws UsageError for more than `CLOCK_ENTRIES_MAX` steps times actors
   */
  constructor(run: Run) {
    this.#run = run
    for (const { who } of run.incarnations) if (!this.#columns.has(who)) this.#columns.set(who, this.#columns.size + 1)
    const rows = run.steps.length + run.system.length
    this.#width = this.#columns.size + 1
    if (rows * this.#width > CLOCK_ENTRIES_MAX) {
      const size = `${rows} steps of ${this.#width} actors`
      throw UsageError.tooMany(run.where, `${CLOCK_ENTRIES_MAX} steps times actors`, size)
    }
    this.#clocks = new Int32Array(rows * this.#width)
    this.#counts = new Int32Array(run.steps.length)
    new Pass(run, this.#clocks, this.#columns, this.#counts).take()
  }

  /** Says whether `a` happened before `b`, in every order that the run's messages allow. False for a step and itself. */
  happensBefore(a: Step, b: Step | SystemEvent): boolean {
    const row = this.#rowOf(b)
    return a.index !== row && this.#knows(row, a)
  }

  /** Says whether two steps are concurrent: neither happened before the other. */
  concurrent(a: Step, b: Step): boolean {
    return a.index !== b.index && !this.#knows(b.index, a) && !this.#knows(a.index, b)
  }

  /** The causal cone: every step that happened before a step or an event of the system, in order. */
  past(of: Step | SystemEvent): readonly Step[] {
    return this.#run.steps.filter((other) => this.happensBefore(other, of))
  }

  /** Every step that `step` happened before, in order. */
  future(step: Step): readonly Step[] {
    return this.#run.steps.filter((other) => this.happensBefore(step, other))
  }

  /** The number of the system's first events that happened before a step or an event, which counts itself. */
  systemKnown(by: Step | SystemEvent): number {
    return this.#clocks[this.#rowOf(by) * this.#width + SYSTEM] ?? 0
  }

  /** The number of an incarnation's first steps that happened before a step or an event, which counts itself. */
  known(by: Step | SystemEvent, { who, steps }: Incarnation): number {
    const row = this.#rowOf(by)
    const [first] = steps
    if (!first) return 0
    const known =
      (this.#clocks[row * this.#width + (this.#columns.get(who) ?? 0)] ?? 0) - (this.#counts[first.index] ?? 0)
    return Math.max(0, Math.min(steps.length, known + 1))
  }

  #rowOf(of: Step | SystemEvent): number {
    return 'index' in of ? of.index : this.#run.steps.length + of.place
  }

  #knows(row: number, { index, who }: Step): boolean {
    const known = this.#clocks[row * this.#width + (this.#columns.get(who) ?? 0)] ?? 0
    return known >= (this.#counts[index] ?? 0)
  }
}

/** The one pass, in the order of the trace. */
class Pass {
  readonly #run: Run
  readonly #clocks: Int32Array
  readonly #columns: ReadonlyMap<Address, number>
  readonly #counts: Int32Array
  readonly #width: number
  /** The row of the last step of each actor so far. */
  readonly #last = new Map<Address, number>()
  /** The rows of the last spawn of each actor, and of when it was last told to start. */
  readonly #spawns = new Map<Address, number>()
  readonly #begins = new Map<Address, number>()
  /** The row of the step that stopped an actor. */
  readonly #stops = new Map<Address, number>()
  /** Answers that the system has read since it last did anything: the step that sent one is told of after it. */
  readonly #heard: string[] = []
  /** The row of each message of the system. */
  readonly #posted = new Map<string, number>()

  constructor(run: Run, clocks: Int32Array, columns: ReadonlyMap<Address, number>, counts: Int32Array) {
    this.#run = run
    this.#clocks = clocks
    this.#columns = columns
    this.#counts = counts
    this.#width = columns.size + 1
  }

  take(): void {
    const { steps, system } = this.#run
    let next = 0
    for (const step of steps) {
      for (; (system[next]?.line ?? Number.POSITIVE_INFINITY) < step.line; next++) this.#act(next)
      this.#step(step)
    }
    for (; next < system.length; next++) this.#act(next)
  }

  #step(step: Step): void {
    const row = step.index
    this.#merge(row, this.#last.get(step.who))
    this.#merge(row, this.#causeOf(step))
    const column = this.#columns.get(step.who) ?? 0
    this.#counts[row] = this.#tick(row, column)
    this.#last.set(step.who, row)
    if (step.stopped) this.#stops.set(step.who, row)
  }

  /** The row of what led to a step at another place. */
  #causeOf({ on, who }: Step): number | undefined {
    if (on.what === 'start') return this.#begins.get(who)
    if (on.what === 'timer') return undefined
    if (on.from !== 'system') return this.#run.sends.get(on.id)?.step ?? undefined
    const posted = this.#posted.get(on.id)
    if (posted !== undefined) return posted
    const address = String(on.message['address'])
    return on.type === 'left' ? this.#stops.get(address) : this.#spawns.get(address)
  }

  /** The system spawns and ends a child because of its parent. */
  #mergeParent(row: number, { parent }: Incarnation): void {
    if (parent !== null) this.#merge(row, this.#last.get(parent))
  }

  #act(index: number): void {
    const event = this.#run.system[index]
    if (!event) return
    const row = this.#run.steps.length + index
    if (index > 0) this.#merge(row, row - 1)
    for (const id of this.#heard.splice(0)) this.#merge(row, this.#run.sends.get(id)?.step ?? undefined)
    switch (event.type) {
      case 'spawn':
        // a new incarnation knows what the system knew, and that read all of the one before
        this.#merge(row, this.#last.get(event.incarnation.who))
        this.#mergeParent(row, event.incarnation)
        this.#spawns.set(event.incarnation.who, row)
        break
      case 'died':
        this.#merge(row, this.#last.get(event.incarnation.who))
        break
      case 'ended':
        this.#merge(row, this.#last.get(event.incarnation.who))
        this.#mergeParent(row, event.incarnation)
        break
      case 'begin':
        this.#begins.set(event.incarnation.who, row)
        break
      case 'computed':
        this.#posted.set(event.order, row)
        break
      case 'send':
        this.#posted.set(event.sent.id, row)
        break
      case 'answer':
        this.#heard.push(event.id)
        break
      case 'fault':
      case 'gave up':
        break
    }
    this.#tick(row, SYSTEM)
  }

  #merge(row: number, cause: number | undefined): void {
    if (cause === undefined) return
    const [to, from] = [row * this.#width, cause * this.#width]
    for (let i = 0; i < this.#width; i++) {
      const known = this.#clocks[from + i] ?? 0
      if (known > (this.#clocks[to + i] ?? 0)) this.#clocks[to + i] = known
    }
  }

  #tick(row: number, column: number): number {
    const count = (this.#clocks[row * this.#width + column] ?? 0) + 1
    this.#clocks[row * this.#width + column] = count
    return count
  }
}
