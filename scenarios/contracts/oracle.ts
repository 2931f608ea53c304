/** The oracle of a run of the contracts market: what became of its tasks, and which invariants were violated. */

import { type Address, type Message, roleOf, type Time } from '../../lib/actor.ts'
import type { Circumstances } from '../../lib/scenario/definition.ts'
import { Monitors, type NamedPromise, type Oracle, type Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { BROKER, type ContractsMarket, processorsOf, siteOf } from './model.ts'
import { Ledger } from './oracle/ledger.ts'
import { isEven, promisesOf } from './oracle/promises.ts'

export class Watch implements Oracle {
  readonly ledger: Ledger
  readonly #promises: Monitors
  readonly #market: ContractsMarket
  readonly #died = new Set<Address>()
  readonly #ends = new Map<string, Time>()

  constructor(market: ContractsMarket, circumstances: Circumstances) {
    this.#market = market
    this.#promises = new Monitors(promisesOf(market, circumstances))
    this.ledger = new Ledger({ claimCap: market.claimCap, isEven: isEven(circumstances) })
  }

  fold(fact: Message, who: Address, at: Time): void {
    this.ledger.fold(fact, who, at)
    this.#promises.fold(fact, who, at)
    if (isOver(fact)) this.#ends.set(`task ${fact['task']}`, at)
  }

  died(who: Address, at: Time): void {
    this.#died.add(who)
    this.#promises.died(who, at)
  }

  /** The site of each task, and its payment. */
  outcome(): string {
    return [...this.ledger.tasks.values()]
      .sort((one, other) => one.task - other.task)
      .map(({ task, site, paid }) => `${task} ${site === null ? 'nowhere' : `at ${site} for ${paid ?? 'nothing'}`}`)
      .join(', ')
  }

  ends(): ReadonlyMap<string, Time> {
    return this.#ends
  }

  left(): number {
    return this.#market.tasks.length - this.#ends.size
  }

  promises(): readonly NamedPromise[] {
    return this.#promises.promises()
  }

  /** Tasks may be open before the end. */
  brokenSoFar(outcome: RunOutcome): readonly Violation[] {
    return this.#isForgetful ? [] : [...this.ledger.broken, ...this.#promises.brokenSoFar(outcome)]
  }

  violations(outcome: RunOutcome): readonly Violation[] {
    return [...this.#broken(outcome), ...this.#unended(outcome)]
  }

  #broken(outcome: RunOutcome): readonly Violation[] {
    const { isIdle, dead, lost } = outcome
    if (this.#isForgetful) return []
    if (isIdle && this.#mustEnd(dead, lost)) this.ledger.close(new Set([...dead, ...this.#disabled(dead)]))
    return [...this.ledger.broken, ...this.#promises.violations(outcome)]
  }

  /** Whether an actor may have forgotten everything: without patience they persist nothing. */
  get #isForgetful(): boolean {
    return this.#market.patience === null && [...this.#died].some((who) => roleOf(who) !== 'processor')
  }

  /** Tasks of an unfinished run that are neither paid nor refused by all sites. */
  #unended({ isIdle, dead, lost }: RunOutcome): readonly Violation[] {
    const hasClients = ![...dead].some((who) => roleOf(who) === 'client')
    if (isIdle || !hasClients || !this.#mustEnd(dead, lost)) return []
    const { tasks } = this.ledger
    const property = 'every task of a living client ends'
    return this.#market.tasks.flatMap(({ task }) => {
      const { paid = null, answer = null } = tasks.get(task) ?? {}
      const isOver = paid !== null || answer === 'unplaced'
      return isOver ? [] : [{ property, text: `task ${task} did not`, eventually: true }]
    })
  }

  #mustEnd(dead: ReadonlySet<Address>, lost: number): boolean {
    return !dead.has(BROKER) && (this.#market.patience !== null || (this.#died.size === 0 && lost === 0))
  }

  /** Sites whose processors are all dead. */
  #disabled(dead: ReadonlySet<Address>): Address[] {
    return this.#market.sites.flatMap(({ processors }, i) =>
      processorsOf(i, processors).every((processor) => dead.has(processor)) ? [siteOf(i)] : [],
    )
  }
}

/** Whether a fact ends a task: it is paid, or has no site. */
export const isOver = ({ type }: Message): boolean => type === 'paid' || type === 'unplaced'
