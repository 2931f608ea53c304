/** An oracle for processors: each runs one task at a time, and a site has each task run on one processor at a time. */

import { type Attempt, isSame, type ProcessorFact } from '../../../actors/processor/messages.ts'
import type { Address, Time } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'

type Broke = (property: string, text: string) => void

interface Running extends Attempt {
  readonly site: string
}

const keyOf = (site: string, task: number) => `${site} ${task}`
const nameOf = (who: Address, { task, attempt }: Attempt) => `${who} ${task}.${attempt}`

export class Executions {
  /** The site of each processor. A site reveals it when it starts a task there. */
  readonly #sites = new Map<Address, string>()
  readonly #running = new Map<Address, Running>()
  /** The processor that runs a task, by site and task. */
  readonly #processors = new Map<string, Address>()
  readonly #ran = new Map<string, Time>()
  /** Attempts that their sites have given up. If a processor continues one, its work is wasted. */
  readonly #lost = new Set<string>()
  readonly #broke: Broke

  constructor(broke: Broke) {
    this.#broke = broke
  }

  began(site: string, processor: Address): void {
    this.#sites.set(processor, site)
  }

  fold(fact: ProcessorFact, who: Address): void {
    const { task } = fact
    const key = keyOf(this.#siteOf(who), task)
    if (this.#lost.has(nameOf(who, fact))) return
    if (fact.type === 'started') return this.#start(fact, who, key)
    this.#stop(who)
    add(this.#ran, key, fact.busy)
  }

  /** Ends the attempt of a processor that died. */
  died(who: Address): void {
    this.#stop(who)
  }

  /** Notes that a site has lost all that a processor ran of a task. */
  failed(site: string, processor: Address, attempt: Attempt): void {
    this.#lost.add(nameOf(processor, attempt))
    const running = this.#running.get(processor)
    if (running && isSame(running, attempt)) this.#stop(processor)
    this.#ran.delete(keyOf(site, attempt.task))
  }

  /** The time that a site has run a task, over all attempts that it did not lose. */
  ranOf(site: string, task: number): Time {
    return this.#ran.get(keyOf(site, task)) ?? 0
  }

  #siteOf(processor: Address): string {
    return this.#sites.get(processor) ?? ''
  }

  #start({ task, attempt }: Attempt, who: Address, key: string): void {
    const other = this.#running.get(who)
    if (other) this.#broke('a processor runs one task at a time', `${who} began task ${task}, still has ${other.task}`)
    const elsewhere = this.#processors.get(key)
    if (elsewhere !== undefined) {
      this.#broke('a task runs on one processor at a time', `task ${task} began on ${who} and still is on ${elsewhere}`)
    }
    this.#running.set(who, { task, attempt, site: this.#siteOf(who) })
    this.#processors.set(key, who)
  }

  #stop(who: Address): void {
    const running = this.#running.get(who)
    if (!running) return
    const key = keyOf(running.site, running.task)
    this.#running.delete(who)
    if (this.#processors.get(key) === who) this.#processors.delete(key)
  }
}
