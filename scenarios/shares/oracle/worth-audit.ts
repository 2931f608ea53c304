/**
 * Checks the base tickets of the jobs on one machine again, from the jobs that are there and the last table of the ticket server. A
 * machine learns of jobs elsewhere only by tables, so this holds however late they come.
 */
import type { Backing, Funding, JobFact } from '../../../actors/processor/jobs.ts'
import { LEAST_TICKETS } from '../../../actors/processor/stride.ts'
import type { Complain } from './pass-audit.ts'
import { isNear } from './rounding.ts'
import { worthsIn } from './worth.ts'

export interface WorthRules {
  /** The base tickets that fund each currency. */
  readonly funding: Readonly<Record<string, number>>
  /** The tickets that each process of a job holds. A machine with a job that is missing here is not checked. */
  readonly held: ReadonlyMap<string, Funding>
  /** Whether a sleeper's amount counts as issued. */
  readonly countsSleepers: boolean
  /** Whether loans or grants may leave a job without tickets. */
  readonly mayBePoor: boolean
}

interface Present {
  /** The base tickets that were told last; null for one that has never competed. */
  readonly tickets: number | null
  /** Whether it competes, or would if it had tickets. */
  readonly is: 'competing' | 'poor' | 'asleep' | 'suspended'
}

type Ticked = Extract<JobFact, { type: 'ticked' }>

export class WorthAudit {
  readonly #rules: WorthRules
  readonly #complain: Complain
  readonly #jobs = new Map<string, Present>()
  #issued: Readonly<Record<string, number>> = {}
  #backing: readonly Backing[] = []
  /** The tickets that jobs here hold, by currency. */
  #own: ReadonlyMap<string, number> = new Map()
  /** The jobs that were told of in this instant. */
  readonly #touched = new Set<string>()
  /** The worth of each job; null if it must be computed again. */
  #dues: ReadonlyMap<string, number> | null = null
  /** Whether the worth of any job may have changed in this instant. */
  #isChanged = false
  /** Whether all tickets of jobs are known. */
  #isKnown = true

  constructor(rules: WorthRules, complain: Complain) {
    this.#rules = rules
    this.#complain = complain
  }

  /** The base tickets of all jobs here, whether they compete or not; null if they are not known. */
  get resident(): number | null {
    const dues = this.#worths()
    if (!this.#isKnown) return null
    let sum = 0
    for (const due of dues.values()) sum += due
    return sum
  }

  /** The tickets that jobs here hold, by currency, as the machine reports them; null if they are not known, or have not changed. */
  news(): ReadonlyMap<string, number> | null {
    if (this.#dues) return null
    this.#worths()
    return this.#isKnown ? this.#own : null
  }

  fold(fact: JobFact): void {
    if (fact.type === 'joined') this.#join(fact)
    else if (fact.type === 'funded') this.#touch(fact.job, { tickets: fact.tickets, is: 'competing' })
    else if (fact.type === 'left') this.#leave(fact)
    else if (fact.type === 'ticked') this.#tick(fact)
  }

  /** Call this when all facts of the instant are in. */
  settle(): void {
    if (this.#touched.size === 0 && !this.#isChanged) return
    const dues = this.#worths()
    if (this.#isKnown) {
      for (const job of this.#isChanged ? dues.keys() : this.#touched) this.#check(job, dues.get(job))
    }
    this.#touched.clear()
    this.#isChanged = false
  }

  #check(job: string, due: number | undefined): void {
    const present = this.#jobs.get(job)
    if (!present || due === undefined) return
    const { is, tickets } = present
    if (is === 'competing' && tickets !== null && !isNear(tickets, due))
      this.#complain('I16', `${job} has ${tickets} tickets and not ${due}`)
    if (is === 'poor' && !this.#rules.mayBePoor && due > 2 * LEAST_TICKETS)
      this.#complain('I16', `${job} does not compete, and its tickets are worth ${due}`)
  }

  #join({ job, tickets }: Extract<JobFact, { type: 'joined' }>): void {
    const before = this.#jobs.get(job)
    if (!before || (before.is === 'asleep' && !this.#rules.countsSleepers)) this.#change()
    this.#touch(job, { tickets, is: 'competing' })
  }

  #leave({ job, why }: Extract<JobFact, { type: 'left' }>): void {
    const before = this.#jobs.get(job)
    if (why === 'done' || why === 'withdrawn') {
      this.#jobs.delete(job)
      this.#change()
      return
    }
    if (why === 'asleep' && !this.#rules.countsSleepers) this.#change()
    // exhaustible tickets may be fewer than none
    const is = why === 'insolvent' ? 'poor' : why
    this.#touch(job, { tickets: before?.tickets ?? null, is })
  }

  #change(): void {
    this.#dues = null
    this.#isChanged = true
  }

  #touch(job: string, present: Present): void {
    this.#jobs.set(job, present)
    this.#touched.add(job)
  }

  #tick({ tickets, issued, backing }: Ticked): void {
    this.#issued = issued
    this.#backing = backing
    this.#change()
    const names = Object.keys(tickets)
    const here = new Set(names)
    for (const job of this.#jobs.keys()) {
      if (!here.has(job)) this.#complain('I16', `${job} is not told of at a tick`)
    }
    for (const job of names) if (!this.#jobs.has(job)) this.#jobs.set(job, { tickets: null, is: 'poor' })
    const dues = this.#worths()
    if (!this.#isKnown) return
    for (const job of names) {
      const due = dues.get(job)
      const has = tickets[job] ?? 0
      if (due !== undefined && !isNear(has, due))
        this.#complain('I16', `${job} has ${has} tickets at a tick and not ${due}`)
    }
  }

  /** The tickets that count as issued here, by currency. */
  #held(): Map<string, number> {
    const held = new Map<string, number>()
    for (const [job, { is }] of this.#jobs) {
      const own = this.#rules.held.get(job)
      if (!own) this.#isKnown = false
      else if (this.#rules.countsSleepers || is !== 'asleep')
        held.set(own.currency, (held.get(own.currency) ?? 0) + own.amount)
    }
    return held
  }

  #worths(): ReadonlyMap<string, number> {
    if (this.#dues) return this.#dues
    this.#isKnown = true
    this.#own = this.#held()
    const held = new Map(this.#own)
    for (const [currency, amount] of Object.entries(this.#issued))
      held.set(currency, (held.get(currency) ?? 0) + amount)
    const worth = worthsIn({ funding: this.#rules.funding, backing: this.#backing, held })
    const dues = new Map<string, number>()
    for (const [job, { is }] of this.#jobs) {
      const own = this.#rules.held.get(job)
      if (own && (this.#rules.countsSleepers || is !== 'asleep')) dues.set(job, worth(own))
    }
    this.#dues = dues
    return dues
  }
}
