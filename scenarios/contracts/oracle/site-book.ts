/** The contracts of a site, as its facts tell them. */
import type { SiteFact } from '../../../actors/contracts/site-state.ts'
import type { Task } from '../../../actors/contracts/values.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import type { Part } from './valuing.ts'

/** A task that the site has to run. */
export interface Contract extends Part {
  readonly of: Task
  readonly state: 'waiting' | 'running' | 'held'
  /** The runtime that was left when the task last began, or was stopped. */
  readonly left: Time
  readonly attempt: number
  /** The processor that runs the task, or has to stop it; null for none. */
  readonly on: Address | null
  /** When the processor began. */
  readonly since: Time
}

interface Offered {
  readonly completion: Time
  readonly price: number
  readonly at: Time
}

export class SiteBook {
  readonly processors: readonly Address[]
  readonly contracts = new Map<number, Contract>()
  /** The tasks that the site ever accepted. */
  readonly known = new Set<number>()
  /** The processors that the site takes for dead. */
  readonly down = new Set<Address>()
  /** The tasks accepted since the last dispatch. */
  readonly fresh = new Set<number>()
  /** The last offer for each task, which a restart forgets. */
  readonly offers = new Map<number, Offered>()
  /** All offers for each task. If the bid of a round comes twice, the broker may award the task by the first of two offers. */
  readonly all = new Map<number, readonly Offered[]>()
  readonly #tasks: ReadonlyMap<number, Task>
  readonly #isPatient: boolean

  /** @param isPatient whether a preempted task is held until its processor has confirmed that it stopped */
  constructor(processors: readonly Address[], tasks: ReadonlyMap<number, Task>, isPatient: boolean) {
    this.processors = processors
    this.#tasks = tasks
    this.#isPatient = isPatient
  }

  /** The contracts in a state; for running ones with the runtime that is left now. */
  in(state: Contract['state'], now: Time): Contract[] {
    const all = [...this.contracts.values()].filter((one) => one.state === state)
    return state === 'running' ? all.map((one) => ({ ...one, left: one.left - (now - one.since) })) : all
  }

  /** The processors that neither run a task nor are taken for dead. */
  idle(): Address[] {
    const taken = [...this.contracts.values()].flatMap(({ state, on }) => (state === 'running' && on ? [on] : []))
    return this.processors.filter((one) => !taken.includes(one) && !this.down.has(one))
  }

  fold(fact: SiteFact, at: Time): void {
    switch (fact.type) {
      case 'offered': {
        const offer = { completion: fact.completion, price: fact.price, at }
        this.offers.set(fact.task, offer)
        this.all.set(fact.task, [...(this.all.get(fact.task) ?? []), offer])
        return
      }
      case 'taken':
        return this.#take(fact.task)
      case 'began':
        return this.#change(fact.task, (one) => ({ ...one, state: 'running', on: fact.processor, since: at }))
      case 'preempted':
        return this.#change(fact.task, (one) => ({
          ...one,
          state: this.#isPatient ? 'held' : 'waiting',
          left: one.left - (at - one.since),
          attempt: one.attempt + 1,
        }))
      case 'returned':
        return this.#change(fact.task, (one) => ({ ...one, state: 'waiting' }))
      case 'failed':
        return this.#change(fact.task, (one) => ({
          ...one,
          state: 'waiting',
          left: one.of.runtime,
          attempt: one.state === 'held' ? one.attempt : one.attempt + 1,
        }))
      case 'earned':
      case 'voided':
        this.contracts.delete(fact.task)
        return
      case 'suspected':
        this.down.add(fact.processor)
        return
      case 'trusted':
        this.down.delete(fact.processor)
        return
      case 'dispatched':
        this.fresh.clear()
    }
  }

  /** The site has died. It persists its contracts, and nothing else. */
  died(): void {
    this.fresh.clear()
    this.offers.clear()
  }

  #take(task: number): void {
    const of = this.#tasks.get(task)
    if (!of || this.known.has(task)) return
    this.known.add(task)
    this.offers.delete(task)
    this.fresh.add(task)
    this.contracts.set(task, { of, state: 'waiting', left: of.runtime, attempt: 1, on: null, since: 0 })
  }

  #change(task: number, change: (one: Contract) => Contract): void {
    const before = this.contracts.get(task)
    if (before) this.contracts.set(task, change(before))
  }
}
