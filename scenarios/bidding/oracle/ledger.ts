/**
 * The ledger of a market: the fate of every task, and whether the market kept its promises. It is folded from the facts
 * of clients, contractors and processors as they come. No actor knows of it.
 */

import type { Attempt, ClientFact, ContractorFact } from '../../../actors/bidding/messages.ts'
import type { ProcessorFact } from '../../../actors/processor/messages.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'
import { Monitors, type Violation } from '../../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../../lib/scenario/outcome.ts'
import { placeOf } from './facts.ts'
import { OF_ALL_MARKETS } from './promises.ts'

/** The end of a task with a result, as its client saw it. */
export interface Ending {
  readonly task: number
  readonly client: Address
  readonly machine: string
  readonly attempt: number
  readonly arrival: Time
  /** The start of the execution whose result was accepted; `finish` is its end. */
  readonly start: Time
  readonly finish: Time
  readonly flow: Time
}

interface Execution extends Attempt {
  readonly start: Time
}

interface Executed {
  readonly machine: string
  readonly start: Time
  readonly finish: Time
}

/** Whether a fact is about an attempt. Other roles may use the same fact names, so callers check the role as well. */
const isOf = (fact: Message): boolean => typeof fact['task'] === 'number' && typeof fact['attempt'] === 'number'
const isProcessorFact = (fact: Message, who: Address): fact is ProcessorFact =>
  roleOf(who) === 'processor' && isOf(fact)
const isContractorFact = (fact: Message, who: Address): fact is ContractorFact => roleOf(who) === 'contractor'
export const isClientFact = (fact: Message, who: Address): fact is ClientFact => roleOf(who) === 'client' && isOf(fact)

export class Ledger {
  readonly endings = new Map<number, Ending>()
  /** The tasks that were over before this run, since an earlier one on the same log has ended them. */
  readonly before = new Set<number>()
  readonly #broken: Violation[] = []
  readonly #promises = new Monitors(OF_ALL_MARKETS)
  /** The number of moves to a late bidder and of failures. */
  restarts = 0
  bumps = 0
  failures = 0
  /** The tasks that ended without a result, with the reason. */
  readonly ended = new Map<number, string>()
  /** The latest attempt of each unfinished task. */
  readonly attempts = new Map<number, number>()
  /** The busy time of each machine that led to a result. */
  readonly useful = new Map<string, Time>()
  /** The busy time of each machine that ended in an abort or a death. */
  readonly #lost = new Map<string, Time>()
  readonly #executing = new Map<string, Execution>()
  /** The finished executions whose result no client has accepted so far. */
  readonly #executed = new Map<string, Executed>()
  /** The executions that contractors stopped although the task was placed with them, with their machines. */
  readonly #stopped = new Map<string, string>()
  /** The place of each awarded task, as its client knows it; without contractors that gave up all their tasks. */
  readonly #placed = new Map<number, Attempt & { readonly machine: string; readonly since: Time }>()

  /** Folds one fact into the ledger; facts of other roles are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    this.#promises.fold(fact, who, at)
    if (isProcessorFact(fact, who)) this.#ofProcessor(machineOf(who), fact, at)
    else if (isClientFact(fact, who)) this.#ofClient(who, fact, at)
    else if (isContractorFact(fact, who)) this.#ofContractor(machineOf(who), fact)
  }

  #ofProcessor(machine: string, fact: ProcessorFact, at: Time): void {
    switch (fact.type) {
      case 'started':
        return this.#start(machine, fact, at)
      case 'finished':
        this.#end(machine, fact, at)
        this.#stopped.delete(placeOf({ fact }, machine))
        this.#executed.set(placeOf({ fact }, machine), { machine, start: at - fact.busy, finish: at })
        return
      case 'aborted':
        this.#end(machine, fact, at)
        this.#checkAborted(machine, fact, at - fact.busy)
        return add(this.#lost, machine, fact.busy)
    }
  }

  #ofClient(client: Address, fact: ClientFact, at: Time): void {
    switch (fact.type) {
      case 'announced':
        this.attempts.set(fact.task, fact.attempt)
        this.#placed.delete(fact.task)
        return
      case 'done':
        return this.#done(client, fact)
      case 'awarded': {
        const before = this.#placed.get(fact.task)
        if (before)
          this.#broke('an attempt is awarded once', `task ${fact.task} was awarded while ${before.machine} holds it`)
        return this.#place(fact, at)
      }
      case 'moved':
        this.restarts++
        return this.#place(fact, at)
      case 'replaced':
        return this.#place(fact, at)
      case 'failed':
        this.restarts++
        this.failures++
        return
      case 'bumped':
        this.bumps++
        return
      case 'ended':
        this.ended.set(fact.task, fact.reason)
        this.#placed.delete(fact.task)
        return
      case 'repeated':
      case 'rejected':
      case 'earned':
        return
    }
  }

  #ofContractor(machine: string, fact: ContractorFact): void {
    switch (fact.type) {
      case 'abandoned':
      case 'tooLong':
        this.#stopped.delete(placeOf({ fact }, machine))
        if (this.#placed.get(fact.task)?.machine === machine) this.#placed.delete(fact.task)
        return
      case 'stopped':
        if (this.#isFor(machine, fact, fact.heard)) this.#stopped.set(placeOf({ fact }, machine), machine)
        return
      case 'stranded':
        return this.#forget(machine)
      case 'lapsed':
      case 'recovered':
        return
    }
  }

  /**
   * Whether the client has placed the task there since `heard` or before. It may have moved away and back since then.
   */
  #isFor(machine: string, { task, attempt }: Attempt, heard: Time): boolean {
    const placed = this.#placed.get(task)
    return placed?.machine === machine && placed.attempt === attempt && placed.since <= heard
  }

  /** Removes all tasks that are placed with a contractor that has lost them. It stops the one that executes. */
  #forget(machine: string): void {
    for (const [execution, on] of this.#stopped) if (on === machine) this.#stopped.delete(execution)
    for (const [task, placed] of this.#placed) if (placed.machine === machine) this.#placed.delete(task)
  }

  /** Folds the death of an actor into the ledger. With a processor its execution is lost. */
  died(who: Address, at: Time): void {
    this.#promises.died(who, at)
    const machine = machineOf(who)
    if (roleOf(who) === 'contractor') this.#forget(machine)
    if (roleOf(who) !== 'processor') return
    const execution = this.#executing.get(machine)
    if (execution) add(this.#lost, machine, at - execution.start)
    this.#executing.delete(machine)
  }

  #start(machine: string, { task, attempt }: Attempt, start: Time): void {
    this.#executing.set(machine, { task, attempt, start })
  }

  #end(machine: string, { task, attempt }: Attempt, at: Time): void {
    const execution = this.#executing.get(machine)
    if (execution?.task !== task || execution.attempt !== attempt) {
      this.#broke('an execution starts before it ends', `${machine} ended task ${task} at ${at} without a start`)
    }
    this.#executing.delete(machine)
  }

  #done(client: Address, done: Extract<ClientFact, { type: 'done' }>): void {
    const { task, attempt, arrival, flow } = done
    const machine = machineOf(done.contractor)
    const place = placeOf({ fact: done }, machine)
    const execution = this.#executed.get(place)
    this.#placed.delete(task)
    if (!execution) {
      const text = `task ${task} has a result of attempt ${attempt} from ${machine}, which never finished that attempt`
      return this.#broke('a result comes from a machine that finished its attempt', text)
    }
    this.#executed.delete(place)
    this.attempts.delete(task)
    const { start, finish } = execution
    add(this.useful, machine, finish - start)
    this.endings.set(task, { task, client, machine, attempt, arrival, start, finish, flow })
  }

  #place({ task, attempt, contractor }: Attempt & { readonly contractor: Address }, at: Time): void {
    const machine = machineOf(contractor)
    const before = this.#placed.get(task)
    const stays = before?.machine === machine && before.attempt === attempt
    this.#placed.set(task, { task, attempt, machine, since: stays ? before.since : at })
  }

  /**
   * Reports an abort of a task that its client had placed there, at the stop as well as now; the abort may come late.
   */
  #checkAborted(machine: string, fact: ProcessorFact, begun: Time): void {
    if (!this.#stopped.delete(placeOf({ fact }, machine)) || !this.#isFor(machine, fact, begun)) return
    this.#broke(
      'a task that is placed with a contractor is not aborted',
      `${machine} aborted task ${fact.task}, which its client has placed there`,
    )
  }

  #broke(property: string, text: string): void {
    this.#broken.push({ property, text })
  }

  /** The violations so far. */
  get broken(): readonly Violation[] {
    return [...this.#broken, ...this.#promises.violations(UNFINISHED)]
  }

  /** The texts of all violations. */
  get violations(): string[] {
    return this.broken.map(({ text }) => text)
  }

  /** The wasted busy time of each machine so far: aborted, lost in a death, or with a result that was not accepted. */
  get wasted(): Map<string, Time> {
    const wasted = new Map(this.#lost)
    for (const { machine, start, finish } of this.#executed.values()) add(wasted, machine, finish - start)
    return wasted
  }
}

/** Promises of safety do not depend on the outcome. */
const UNFINISHED: RunOutcome = { isIdle: false, isSettled: false, dead: new Set(), lost: 0, clocksJumped: false }
