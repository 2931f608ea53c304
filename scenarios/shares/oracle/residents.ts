/** Who is on one processor, as it says, and what follows from all of them together; kept up as each comes and goes. */

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
  /** How many compete, and of these those who take tickets of sleepers. */
  competing = 0
  willing = 0
  /** Who sleeps, has no tickets, or has exhaustible ones. */
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

  /** Net tickets of all who compete. */
  get net(): number {
    return this.#net.value
  }

  /** Of all who compete. */
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
