/**
 * What became of every task, and whether the market kept its promises: folded from the facts that clients and
 * processors observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/scenario/specification.ts'
import type { ProcessorFact } from '../processor/messages.ts'
import type { Attempt, ClientFact, ContractorFact } from './messages.ts'

/** How one task ended, for its client. */
export interface Ending {
  readonly task: number
  readonly client: Address
  readonly machine: string
  readonly attempt: number
  readonly arrival: Time
  /** When the execution whose result was taken began and ended. */
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

/** Other roles may use the same words for facts of their own: whose a fact is says what it means. */
const isOf = (fact: Message): boolean => typeof fact['task'] === 'number' && typeof fact['attempt'] === 'number'
const isProcessorFact = (fact: Message, who: Address): fact is ProcessorFact =>
  roleOf(who) === 'processor' && isOf(fact)
const isContractorFact = (fact: Message, who: Address): fact is ContractorFact => roleOf(who) === 'contractor'
export const isClientFact = (fact: Message, who: Address): fact is ClientFact => roleOf(who) === 'client' && isOf(fact)

const keyOf = ({ task, attempt }: Attempt, machine: string) => `${task}#${attempt}@${machine}`

export class Ledger {
  readonly endings = new Map<number, Ending>()
  /** Broken promises. */
  readonly broken: Violation[] = []
  /** Moves to a late bidder, and attempts after a failure. */
  restarts = 0
  bumps = 0
  failures = 0
  /** Tasks that are over without a result, and why. */
  readonly ended = new Map<number, string>()
  /** The latest attempt of each unfinished task. */
  readonly attempts = new Map<number, number>()
  /** Busy time of each machine that served a result. */
  readonly useful = new Map<string, Time>()
  /** Busy time that ended in an abort or a death. */
  readonly #lost = new Map<string, Time>()
  readonly #executing = new Map<string, Execution>()
  /** Executions whose result has not been taken (yet). */
  readonly #executed = new Map<string, Executed>()
  /** What contractors have had stopped although it was with them for a client. */
  readonly #stopped = new Set<string>()
  /** How many times each task was begun. */
  readonly begun = new Map<number, number>()
  /** Where each awarded task is, as its client has it; not of contractors that have given up what they had. */
  readonly #placed = new Map<number, Attempt & { readonly machine: string; readonly since: Time }>()

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
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
        this.#stopped.delete(keyOf(fact, machine))
        this.#executed.set(keyOf(fact, machine), { machine, start: at - fact.busy, finish: at })
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
        if ((this.attempts.get(fact.task) ?? 0) >= fact.attempt) {
          this.#broke('every announcement grows the attempt', `task ${fact.task} has ${fact.attempt} again`)
        }
        this.attempts.set(fact.task, fact.attempt)
        this.#placed.delete(fact.task)
        return
      case 'done':
        return this.#done(client, fact)
      case 'awarded': {
        const before = this.#placed.get(fact.task)
        if (before) this.#broke('an attempt is awarded once', `task ${fact.task} was awarded beside ${before.machine}`)
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
        if (this.endings.has(fact.task)) this.#broke('a task ends once', `task ${fact.task} ended after its result`)
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
        if (this.#placed.get(fact.task)?.machine === machine) this.#placed.delete(fact.task)
        return
      case 'stopped':
        if (this.#isFor(machine, fact, fact.heard)) this.#stopped.add(keyOf(fact, machine))
        return
      case 'stranded':
        return this.#forget(machine)
      case 'lapsed':
      case 'recovered':
        return
    }
  }

  /** Has the client the task there, and had it when this machine heard so? What was taken away may have come back since. */
  #isFor(machine: string, { task, attempt }: Attempt, heard: Time): boolean {
    const placed = this.#placed.get(task)
    return placed?.machine === machine && placed.attempt === attempt && placed.since <= heard
  }

  /** Nothing is with this contractor any more, whatever clients believe. */
  #forget(machine: string): void {
    for (const [task, placed] of this.#placed) if (placed.machine === machine) this.#placed.delete(task)
  }

  /** An actor is gone: what its processor was executing is lost. */
  died(who: Address, at: Time): void {
    const machine = machineOf(who)
    if (roleOf(who) === 'contractor') this.#forget(machine)
    if (roleOf(who) !== 'processor') return
    const execution = this.#executing.get(machine)
    if (execution) add(this.#lost, machine, at - execution.start)
    this.#executing.delete(machine)
  }

  #start(machine: string, { task, attempt }: Attempt, start: Time): void {
    const other = this.#executing.get(machine)
    if (other) {
      this.#broke(
        'a machine executes one task at a time',
        `${machine} began task ${task} while executing ${other.task}`,
      )
    }
    this.#executing.set(machine, { task, attempt, start })
    this.begun.set(task, (this.begun.get(task) ?? 0) + 1)
  }

  #end(machine: string, attempt: Attempt, at: Time): void {
    const execution = this.#executing.get(machine)
    if (!execution || keyOf(execution, machine) !== keyOf(attempt, machine)) {
      this.#broke('what ends was begun', `${machine} ended task ${attempt.task} at ${at} without having begun it`)
    }
    this.#executing.delete(machine)
  }

  #done(client: Address, done: Extract<ClientFact, { type: 'done' }>): void {
    const { task, attempt, arrival, flow } = done
    const machine = machineOf(done.contractor)
    const execution = this.#executed.get(keyOf(done, machine))
    if (this.endings.has(task) || this.ended.has(task)) {
      this.#broke('a task ends once', `task ${task} finished for ${client}, for whom it was over`)
    }
    this.#placed.delete(task)
    if (!execution) {
      const text = `task ${task} has a result of attempt ${attempt} from ${machine}, which never finished that`
      return this.#broke('a result comes from whoever finished that attempt', text)
    }
    this.#executed.delete(keyOf(done, machine))
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

  /** It may be late: who had it stop did so for a reason if the task was not with it then, and so if it is not now. */
  #checkAborted(machine: string, attempt: Attempt, begun: Time): void {
    if (!this.#stopped.delete(keyOf(attempt, machine)) || !this.#isFor(machine, attempt, begun)) return
    this.#broke(
      'what is executed for a client ends',
      `${machine} aborted task ${attempt.task}, which is with it for its client`,
    )
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  /** Broken promises, in words. */
  get violations(): string[] {
    return this.broken.map(({ text }) => text)
  }

  /** Busy time of each machine so far that served nothing: aborted, lost in a death, or with a result that was not taken. */
  get wasted(): Map<string, Time> {
    const wasted = new Map(this.#lost)
    for (const { machine, start, finish } of this.#executed.values()) add(wasted, machine, finish - start)
    return wasted
  }
}

const add = (sums: Map<string, Time>, key: string, amount: Time): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
