/**
 * The jobs on one processor, as it observes them, with the sums over all of them; updated as each job comes and goes.
 */

import type { Leaving } from '../../../actors/processor/jobs.ts'
import type { Time } from '../../../lib/actor.ts'
import { Sum } from './rounding.ts'

export interface Resident {
  readonly tickets: number
  readonly extra: number
  readonly is: 'joined' | Leaving
  readonly since: Time
}

export class Residents {
  /** The number of jobs that compete, and of those among them that borrow tickets of sleepers. */
  competing = 0
  willing = 0
  /** The numbers of jobs that sleep, have no tickets, or have exhaustible ones. */
  unsettled = 0
  readonly #all = new Map<string, Resident>()
  readonly #borrows: (job: string) => boolean
  #net = new Sum()

  constructor(borrows: (job: string) => boolean) {
    this.#borrows = borrows
  }

  get(job: string): Resident | undefined {
    return this.#all.get(job)
  }

  isCompeting(job: string): boolean {
    return this.#all.get(job)?.is === 'joined'
  }

  /** The net tickets of all competing jobs. */
  get net(): number {
    return this.#net.value
  }

  /** The names of all competing jobs. */
  get names(): string[] {
    return [...this.#all].flatMap(([job, { is }]) => (is === 'joined' ? [job] : []))
  }

  set(job: string, resident: Resident): void {
    const before = this.#all.get(job)
    if (before) this.#count(job, before, -1)
    this.#all.set(job, resident)
    this.#count(job, resident, 1)
  }

  delete(job: string): void {
    const before = this.#all.get(job)
    if (!before) return
    this.#all.delete(job)
    this.#count(job, before, -1)
  }

  #count(job: string, { tickets, extra, is }: Resident, by: 1 | -1): void {
    if (is === 'asleep' || is === 'insolvent' || extra !== 0) this.unsettled += by
    if (is !== 'joined') return
    this.competing += by
    if (this.#borrows(job)) this.willing += by
    this.#net.add(by * (tickets + extra))
    if (this.competing === 0) this.#net = new Sum()
  }
}
