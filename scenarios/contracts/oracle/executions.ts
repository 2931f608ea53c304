/** How long each site has run its tasks, over all attempts that it did not lose. */

import type { Attempt, ProcessorFact } from '../../../actors/processor/messages.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'

const keyOf = (site: string, task: number) => `${site} ${task}`
const nameOf = (who: Address, { task, attempt }: Attempt) => `${who} ${task}.${attempt}`

export class Executions {
  /** The site of each processor. A site reveals it when it starts a task there. */
  readonly #sites = new Map<Address, string>()
  readonly #ran = new Map<string, Time>()
  /** Attempts that their sites have given up. If a processor continues one, its work is wasted. */
  readonly #lost = new Set<string>()

  began(site: string, processor: Address): void {
    this.#sites.set(processor, site)
  }

  fold(fact: ProcessorFact, who: Address): void {
    if (fact.type === 'started' || this.#lost.has(nameOf(who, fact))) return
    add(this.#ran, keyOf(this.#sites.get(who) ?? '', fact.task), fact.busy)
  }

  /** Notes that a site has lost all that a processor ran of a task. */
  failed(site: string, processor: Address, attempt: Attempt): void {
    this.#lost.add(nameOf(processor, attempt))
    this.#ran.delete(keyOf(site, attempt.task))
  }

  /** The time that a site has run a task, over all attempts that it did not lose. */
  ranOf(site: string, task: number): Time {
    return this.#ran.get(keyOf(site, task)) ?? 0
  }
}
