/**
 * A turn: the handling of one event at a processor. It holds the state of the node (processor) while that changes. The
 * values are immutable and replaced, so the node before the event stays as it was. The transitions of processes are in
 * transitions.ts, their credit in sleep.ts.
 */
import { compute, type Effect, observe, type Time, tell, timer } from '../../lib/actor.ts'
import { BASE, type View, worth } from './currencies.ts'
import type { FromScheduler, JobFact, Leaving } from './jobs.ts'
import { type Attempt, type FromProcessor, isCall, type ProcessorFact } from './messages.ts'
import { begun, canCompete, type Process } from './process.ts'
import type { Sharing } from './sharing.ts'
import { alarmOf, armed, paid, type Slice, sliceFor, spent } from './slice.ts'
import * as stride from './stride.ts'

export interface Node {
  readonly speed: number
  readonly sharing: Sharing
  readonly queue: stride.Queue<Process>
  /** The current slice; null while no process has the processor. */
  readonly slice: Slice | null
  /** The process that had the processor last, unless it has slept since. */
  readonly last: string | null
  /** The attempt that ran to completion last. */
  readonly done: Attempt | null
  /** The processes that do not compete: asleep, suspended or without tickets. */
  readonly away: ReadonlyMap<string, Process>
  /** The base tickets of all processes here. */
  readonly resident: number
  /** The number of processes ever created. */
  readonly created: number
  /** When the next exhaustible tickets expire, at the earliest. */
  readonly expiresAt: Time | null
  readonly view: View
}

export const CALL = 'call'

type Said = FromScheduler | FromProcessor

const isAwake = ({ asleepSince }: Process): boolean => asleepSince === null

function amountsOf(processes: readonly Process[]): Record<string, number> {
  const amounts = new Map<string, number>()
  for (const { funding } of processes) {
    amounts.set(funding.currency, (amounts.get(funding.currency) ?? 0) + funding.amount)
  }
  return Object.fromEntries(amounts)
}

export class Turn {
  readonly now: Time
  readonly sharing: Sharing
  readonly speed: number
  queue: stride.Queue<Process>
  last: string | null
  done: Attempt | null
  away: ReadonlyMap<string, Process>
  resident: number
  created: number
  expiresAt: Time | null
  view: View
  #slice: Slice | null
  /** Whether a process has joined the competition in this turn. */
  #hasJoined = false
  readonly #before: Node
  readonly #effects: Effect[] = []

  constructor(node: Node, now: Time) {
    this.now = now
    this.sharing = node.sharing
    this.speed = node.speed
    this.queue = node.queue
    this.last = node.last
    this.done = node.done
    this.away = node.away
    this.resident = node.resident
    this.created = node.created
    this.expiresAt = node.expiresAt
    this.view = node.view
    this.#slice = node.slice
    this.#before = node
  }

  /** Gives the processor to the first process; returns the node after the event, and its effects. */
  decide(): readonly [Partial<Node>, ...Effect[]] {
    this.#select()
    this.#arm()
    const { queue, last, done, away, resident, created, expiresAt, view } = this
    return [{ queue, last, done, away, resident, created, expiresAt, view, slice: this.#slice }, ...this.#effects]
  }

  do(effect: Effect): void {
    this.#effects.push(effect)
  }

  tell(to: Process['employer'], message: Said): void {
    this.#effects.push(tell(to, message))
  }

  /** Observes a fact about a process; not about tasks that run to completion, which have facts of their own. */
  note(of: JobFact | ProcessorFact, { task }: Pick<Process, 'task'> = { task: null }): void {
    if (!task) this.#effects.push(observe(of))
  }

  /** All processes, in the order of their creation. */
  get processes(): Process[] {
    return [...stride.competitors(this.queue), ...this.away.values()].sort((one, other) => one.order - other.order)
  }

  /** The process of a name; charged until now if it has the processor. */
  find(name: string): Process | undefined {
    if (this.queue.running?.name === name) return this.charged() ?? undefined
    return this.away.get(name) ?? stride.competitors(this.queue).find((process) => process.name === name)
  }

  isRunning({ order }: Process): boolean {
    return this.queue.running?.order === order
  }

  get isQuantumOver(): boolean {
    return this.#slice !== null && this.now >= this.#slice.ends
  }

  /** Charges the running process for the time until now, and returns it. */
  charged(): Process | null {
    const { running } = this.queue
    const slice = this.#slice
    if (!running || !slice || slice.charged === this.now) return running
    this.#slice = { ...slice, charged: this.now }
    return this.renew(paid(slice, running, this.now, this.sharing))
  }

  /** Replaces a process that keeps its place: its pass and its tickets must be unchanged. */
  renew(process: Process): Process {
    const { name, order } = process
    if (this.isRunning(process)) this.queue = { ...this.queue, running: process }
    else if (this.away.has(name)) this.away = new Map(this.away).set(name, process)
    else this.queue = stride.renew(this.queue, order, () => process)
    return process
  }

  /** Puts a process that is in no queue among the ready ones, or away if it cannot compete. */
  enter(process: Process): void {
    if (!canCompete(process)) {
      this.away = new Map(this.away).set(process.name, process)
      return
    }
    this.#hasJoined = true
    this.#advance()
    const lag = this.sharing.clamp ? Math.max(0, process.lag) : process.lag
    const entered = stride.entering(this.queue, { ...process, lag })
    this.queue = stride.join(this.queue, entered)
    const { name: job, tickets, extra, pass } = entered
    this.note({ type: 'joined', job, tickets, extra, total: this.queue.total, pass }, process)
  }

  /** Removes a process from its queue; it is in none then. */
  remove(process: Process, why: Leaving): Process {
    const { name: job } = process
    let removed = process
    if (this.away.has(job)) {
      const away = new Map(this.away)
      away.delete(job)
      this.away = away
      if (why === 'withdrawn') this.note({ type: 'left', job, why, total: this.queue.total }, process)
    } else {
      this.#advance()
      removed = stride.leaving(this.queue, process)
      this.queue = this.isRunning(process) ? this.#vacated(process) : stride.without(this.queue, process)
      this.note({ type: 'left', job, why, total: this.queue.total }, process)
    }
    return removed
  }

  /** Puts the running process back among the ready ones. */
  giveWay(process: Process): void {
    this.#endSlice(process)
    this.queue = stride.requeue({ ...this.queue, running: process })
  }

  /** Changes the tickets of any processes; a process that `change` returns unchanged keeps its place. */
  revise(change: (process: Process) => Process): void {
    this.#advance()
    this.charged()
    let resident = 0
    // all places are found in one pass, because many processes change when a currency changes its value.
    const moved = new Map<number, Process>()
    for (const process of this.processes) {
      const changed = change(process)
      resident += changed.tickets
      if (changed === process) continue
      const entered = this.#reenter(process, changed)
      if (entered) moved.set(entered.order, entered)
    }
    if (moved.size > 0) this.queue = stride.exchanged(this.queue, moved)
    this.resident = resident
  }

  /** Revalues all base tickets after a change in the currency `touched`, or in any if it is not given. */
  revalue(touched?: string): void {
    if (touched === BASE) return
    const own = this.issued
    this.revise((process) => {
      const tickets = worth(this.view, own, process.funding)
      return tickets === process.tickets ? process : { ...process, tickets }
    })
  }

  /** The amounts that count as issued here, by currency; without credit, those of sleepers do not count. */
  get issued(): Record<string, number> {
    const { policy } = this.sharing.credit
    return amountsOf(policy === 'none' ? this.processes.filter(isAwake) : this.processes)
  }

  /** The base tickets of all processes here, as if all of them were awake. */
  get load(): number {
    const { policy } = this.sharing.credit
    if (policy !== 'none' || this.processes.every(isAwake)) return this.resident
    const all = amountsOf(this.processes)
    return this.processes.reduce((sum, { funding }) => sum + worth(this.view, all, funding), 0)
  }

  /**
   * Moves a process whose tickets have changed. Returns it if it stays among the ready, where its new place must be
   * found.
   */
  #reenter(process: Process, changed: Process): Process | null {
    const { name: job, tickets, extra } = changed
    if (this.away.has(job)) {
      if (canCompete(changed)) this.enter(this.#moved(process, changed))
      else this.renew(changed)
      return null
    }
    if (!canCompete(changed)) {
      const { lag } = this.remove(process, 'insolvent')
      this.away = new Map(this.away).set(job, { ...changed, lag })
      return null
    }
    const { lag } = stride.leaving(this.queue, process)
    const entered = stride.entering(this.queue, { ...changed, lag })
    const total = this.queue.total - stride.netOf(process) + stride.netOf(changed)
    this.queue = { ...this.queue, total }
    this.note({ type: 'funded', job, tickets, extra, total, pass: entered.pass }, process)
    if (!this.isRunning(process)) return entered
    this.queue = { ...this.queue, running: entered }
    return null
  }

  #moved(process: Process, changed: Process): Process {
    const { lag } = this.remove(process, 'insolvent')
    return { ...changed, lag }
  }

  #vacated(process: Process): stride.Queue<Process> {
    this.#endSlice(process)
    return stride.release(this.queue)
  }

  /** Observes how long the running process spun, when it stops waiting at its barrier or leaves the processor. */
  spun({ doing, name: job }: Process): void {
    if (doing.type !== 'waiting' || !this.#slice) return
    const lasted = this.now - Math.max(doing.since, this.#slice.works)
    if (lasted > 0) this.note({ type: 'spun', job, lasted })
  }

  #endSlice(process: Process): void {
    const slice = this.#slice
    this.spun(process)
    this.#slice = null
    if (!slice || slice.began === this.now) return
    this.last = process.name
    this.note({ type: 'ran', job: process.name, ...spent(slice, this.now), pass: process.pass }, process)
  }

  #select(): void {
    const mayPreempt = (this.#hasJoined && this.sharing.preempt) || this.#slice?.began === this.now
    if (this.queue.running && this.queue.ready && mayPreempt) {
      const running = this.charged()
      if (running && stride.isOvertaken(this.queue)) this.giveWay(running)
    }
    if (!this.queue.running) this.#dispatch()
  }

  #dispatch(): void {
    this.queue = stride.dispatch(this.queue)
    const { running } = this.queue
    if (!running) return
    this.#slice = sliceFor(running, this.last, this.now, this.sharing)
    if (running.doing.type === 'waiting' && running.doing.released) this.renew(begun(running, this.speed))
  }

  #arm(): void {
    const { running } = this.queue
    if (running && this.#slice) {
      if (running.doing.type === 'calling') this.#call(running)
      this.#slice = { ...this.#slice, alarm: alarmOf(this.#slice, running) }
    }
    this.#effects.push(...armed(this.#before.slice?.alarm ?? null, this.#slice?.alarm ?? null, this.now))
  }

  #call(process: Process): void {
    const { program, doing } = process
    if (program.kind !== 'task' || !isCall(program.work) || doing.type !== 'calling' || doing.begun) return
    const { setup, work } = program
    this.renew({ ...process, doing: { type: 'calling', begun: true } })
    this.do(setup > 0 ? timer(CALL, setup, { type: 'loaded', call: work }, 'completion') : compute(CALL, work))
  }

  #advance(): void {
    this.queue = stride.advance(this.queue, this.now, this.sharing)
  }
}
