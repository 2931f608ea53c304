/**
 * What became of every task, and whether the market kept its promises: folded from the facts that clients and
 * processors observe, while they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { ProcessorFact } from '../processor/messages.ts'
import type { Attempt, ClientFact } from './messages.ts'

/** How one task ended, for its client. */
export interface Ending {
  readonly task: number
  readonly client: Address
  readonly machine: string
  readonly incarnation: number
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
const isOf = (fact: Message): boolean => typeof fact['task'] === 'number' && typeof fact['incarnation'] === 'number'
const isProcessorFact = (fact: Message, who: Address): fact is ProcessorFact =>
  roleOf(who) === 'processor' && isOf(fact)
export const isClientFact = (fact: Message, who: Address): fact is ClientFact => roleOf(who) === 'client' && isOf(fact)

const keyOf = ({ task, incarnation }: Attempt, machine: string) => `${task}#${incarnation}@${machine}`

export class Ledger {
  readonly endings = new Map<number, Ending>()
  /** Broken promises. */
  readonly broken: Violation[] = []
  /** Moves to a late bidder, and incarnations after a failure. */
  restarts = 0
  bumps = 0
  failures = 0
  /** Tasks that are over without a result, and why. */
  readonly ended = new Map<number, string>()
  /** The latest incarnation of each unfinished task. */
  readonly incarnations = new Map<number, number>()
  /** Busy time of each machine that served a result. */
  readonly useful = new Map<string, Time>()
  /** Busy time that ended in an abort or a death. */
  readonly #lost = new Map<string, Time>()
  readonly #executing = new Map<string, Execution>()
  /** Executions whose result has not been taken (yet). */
  readonly #executed = new Map<string, Executed>()

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isProcessorFact(fact, who)) this.#ofProcessor(machineOf(who), fact, at)
    else if (isClientFact(fact, who)) this.#ofClient(who, fact)
  }

  #ofProcessor(machine: string, fact: ProcessorFact, at: Time): void {
    switch (fact.type) {
      case 'started':
        return this.#start(machine, fact, at)
      case 'finished':
        this.#end(machine, fact, at)
        this.#executed.set(keyOf(fact, machine), { machine, start: at - fact.busy, finish: at })
        return
      case 'aborted':
        this.#end(machine, fact, at)
        return add(this.#lost, machine, fact.busy)
    }
  }

  #ofClient(client: Address, fact: ClientFact): void {
    switch (fact.type) {
      case 'announced':
        this.incarnations.set(fact.task, fact.incarnation)
        return
      case 'done':
        return this.#done(client, fact)
      case 'moved':
        this.restarts++
        return
      case 'failed':
        this.restarts++
        this.failures++
        return
      case 'bumped':
        this.bumps++
        return
      case 'ended':
        this.ended.set(fact.task, fact.reason)
        return
      case 'awarded':
      case 'replaced':
      case 'repeated':
      case 'rejected':
      case 'earned':
        return
    }
  }

  /** An actor is gone: what its processor was executing is lost. */
  died(who: Address, at: Time): void {
    if (roleOf(who) !== 'processor') return
    const machine = machineOf(who)
    const execution = this.#executing.get(machine)
    if (execution) add(this.#lost, machine, at - execution.start)
    this.#executing.delete(machine)
  }

  #start(machine: string, { task, incarnation }: Attempt, start: Time): void {
    const other = this.#executing.get(machine)
    if (other) {
      this.#broke(
        'a machine executes one task at a time',
        `${machine} began task ${task} while executing ${other.task}`,
      )
    }
    this.#executing.set(machine, { task, incarnation, start })
  }

  #end(machine: string, attempt: Attempt, at: Time): void {
    const execution = this.#executing.get(machine)
    if (!execution || keyOf(execution, machine) !== keyOf(attempt, machine)) {
      this.#broke('what ends was begun', `${machine} ended task ${attempt.task} at ${at} without having begun it`)
    }
    this.#executing.delete(machine)
  }

  #done(client: Address, done: Extract<ClientFact, { type: 'done' }>): void {
    const { task, incarnation, arrival, flow } = done
    const machine = machineOf(done.contractor)
    const execution = this.#executed.get(keyOf(done, machine))
    if (this.endings.has(task)) this.#broke('a task finishes once', `task ${task} finished twice for ${client}`)
    if (!execution) {
      const text = `task ${task} has a result of incarnation ${incarnation} from ${machine}, which never finished that`
      return this.#broke('a result comes from whoever finished that incarnation', text)
    }
    this.#executed.delete(keyOf(done, machine))
    this.incarnations.delete(task)
    const { start, finish } = execution
    add(this.useful, machine, finish - start)
    this.endings.set(task, { task, client, machine, incarnation, arrival, start, finish, flow })
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  /** Broken promises, in words. */
  get violations(): string[] {
    return this.broken.map(({ text }) => text)
  }

  /** Busy time of each machine so far that served nothing: aborted, lost in a death, or with a result nobody took. */
  get wasted(): Map<string, Time> {
    const wasted = new Map(this.#lost)
    for (const { machine, start, finish } of this.#executed.values()) add(wasted, machine, finish - start)
    return wasted
  }
}

const add = (sums: Map<string, Time>, key: string, amount: Time): void => {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
