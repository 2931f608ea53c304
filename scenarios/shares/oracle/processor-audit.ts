/**
 * Checks that one processor keeps the promises of proportional share, from what it observes in virtual time. The
 * invariants are listed in invariants.ts.
 */

import type { JobFact } from '../../../actors/processor/jobs.ts'
import type { Sharing } from '../../../actors/processor/sharing.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { type Invariant, violationOf } from './invariants.ts'
import { Precedence } from './precedence.ts'
import { Residents } from './residents.ts'
import { isNear, slack } from './rounding.ts'

export interface Rules {
  readonly sharing: Pick<Sharing, 'quantum' | 'switching' | 'stride1' | 'credit'>
  /**
   * Whether processors are never paused: a paused one may run past the end of a quantum or a credit, which is then
   * not counted against it.
   */
  readonly isPunctual: boolean
  /** The largest share while credited, in percent. */
  readonly cap: number
  /**
   * Under loan & borrow: whether a job borrows tickets of sleepers; null: nothing is lent. No fact distinguishes
   * tickets granted from outside from lent ones, or tells that a sleeper was suspended or withdrawn; a run with such
   * loans must not be held to I3.
   */
  readonly borrows: ((job: string) => boolean) | null
}

/** `isTimed`: the violation comes from times that the processor has read from its clock. */
type Complain = (violation: Violation, isTimed: boolean) => void

type Joined = Extract<JobFact, { type: 'joined' }>
type Left = Extract<JobFact, { type: 'left' }>
type Funded = Extract<JobFact, { type: 'funded' }>
type Credited = Extract<JobFact, { type: 'credited' }>
type Ran = Extract<JobFact, { type: 'ran' }>

export class ProcessorAudit {
  /** All jobs that have been here and are not done. */
  readonly #clients: Residents
  readonly #precedence: Precedence
  /** Until when each job has credit. */
  readonly #credits = new Map<string, Time>()
  readonly #machine: string
  readonly #rules: Rules
  readonly #complain: Complain
  readonly #born: Time
  /** The instant whose facts are coming in. */
  #at: Time
  /** T now, and before this instant. */
  #total = 0
  #settled = 0
  /** Whether anything but sleep, waking and expiry happened in this instant. */
  #changed = false
  /** Whether every loan and repayment still has both sides. */
  #stands = true
  #busy: Time = 0
  #last: { readonly job: string; readonly until: Time } | null = null
  /** How long the processor had no job that could run, and since when it has none now. */
  #empty: Time = 0
  #emptySince: Time | null
  #unaccounted: Time = 0

  constructor(machine: string, born: Time, rules: Rules, complain: Complain) {
    this.#machine = machine
    this.#rules = rules
    this.#clients = new Residents((job) => rules.borrows?.(job) ?? false)
    this.#precedence = new Precedence(rules.sharing)
    this.#complain = complain
    this.#born = born
    this.#at = born
    this.#emptySince = born
  }

  fold(fact: JobFact, at: Time): void {
    if (at > this.#at) this.settle()
    this.#at = at
    switch (fact.type) {
      case 'joined':
        return this.#join(fact)
      case 'left':
        return this.#leave(fact)
      case 'funded':
        return this.#fund(fact)
      case 'credited':
        return this.#credit(fact)
      case 'ran':
        return this.#ran(fact)
      default:
        return
    }
  }

  /** Call this when all facts of the instant are in. */
  settle(): void {
    for (const [job, until] of this.#credits) {
      if (until > this.#at) continue
      this.#credits.delete(job)
      // a sleeper that is suspended when it wakes has no tickets to be told of
      if (this.#rules.isPunctual && this.#clients.isCompeting(job)) {
        this.#brokenByTheClock('I8', `${job} keeps its credit beyond ${toUnits(until)}`)
      }
    }
    if (this.#rules.borrows) this.#checkLoans()
    this.#settled = this.#total
    this.#changed = false
  }

  /** How long the processor had no job that could run. */
  idle(until: Time): Time {
    return this.#empty + (this.#emptySince === null ? 0 : until - this.#emptySince)
  }

  #join({ job, tickets, extra, total, pass }: Joined): void {
    const before = this.#clients.get(job)
    if (before?.is === 'joined') this.#broken('I1', `${job} joined twice`)
    const { policy } = this.#rules.sharing.credit
    if (before?.is === 'asleep' && extra !== 0 && policy === 'system' && !this.#credits.has(job)) {
      this.#brokenByTheClock('I8', `${job} wakes with ${extra} exhaustible tickets of before`)
    }
    // a sleeper's tickets may have changed their value
    if (before?.is !== 'asleep' || before.tickets !== tickets) this.#changed = true
    this.#clients.set(job, { tickets, extra, is: 'joined', since: this.#at })
    this.#precedence.set(job, tickets + extra, pass, this.#at)
    this.#empty = this.idle(this.#at)
    this.#emptySince = null
    this.#checkTotal(total)
  }

  #leave({ job, why, total }: Left): void {
    const client = this.#clients.get(job)
    const isOver = why === 'done' || why === 'withdrawn'
    if (client?.is !== 'joined' && !(client && isOver)) this.#broken('I1', `${job} left without having joined`)
    if (why !== 'asleep') this.#changed = true
    if (why !== 'asleep' || (client?.extra ?? 0) !== 0) this.#stands = false
    if (isOver) this.#clients.delete(job)
    else if (client) this.#clients.set(job, { ...client, extra: 0, is: why, since: this.#at })
    this.#precedence.delete(job)
    this.#credits.delete(job)
    if (this.#emptySince === null && this.#clients.competing === 0) this.#emptySince = this.#at
    if (why === 'asleep' && this.#clients.willing === 0) this.#stands = false
    this.#checkTotal(total)
  }

  #fund({ job, tickets, extra, total, pass }: Funded): void {
    const client = this.#clients.get(job)
    if (client?.is !== 'joined') return this.#broken('I1', `${job} was funded without having joined`)
    if (tickets !== client.tickets) this.#changed = true
    this.#clients.set(job, { ...client, tickets, extra })
    this.#precedence.set(job, tickets + extra, pass, this.#at)
    if ((this.#credits.get(job) ?? Number.POSITIVE_INFINITY) <= this.#at) this.#credits.delete(job)
    this.#checkTotal(total)
  }

  #credit({ job, extra, share, until }: Credited): void {
    const { cap } = this.#rules
    if (!(extra >= 0 && Number.isFinite(extra))) this.#broken('I8', `${job} is credited with ${extra} tickets`)
    if (!(share >= 0 && share <= cap / 100 + slack(share, cap / 100))) {
      this.#broken('I8', `${job} is credited up to a share of ${share}, more than ${cap} %`)
    }
    this.#credits.set(job, until)
  }

  #ran({ job, used, switching }: Ran): void {
    const began = this.#at - used - switching
    const client = this.#clients.get(job)
    if (used < 0 || switching < 0)
      this.#brokenByTheClock('I2', `${job} ran for ${toUnits(used)} after ${toUnits(switching)}`)
    const last = this.#last
    if (last && began < last.until) {
      this.#brokenByTheClock('I2', `${job} ran from ${toUnits(began)}, but ${last.job} until ${toUnits(last.until)}`)
    }
    if (client?.is !== 'joined' || client.since > began)
      this.#brokenByTheClock('I2', `${job} ran from ${toUnits(began)}, when it did not compete`)
    this.#last = { job, until: this.#at }
    this.#busy += used + switching
    const unaccounted = this.#at - this.#born - this.#busy - this.idle(this.#at)
    if (unaccounted > this.#unaccounted) {
      this.#brokenByTheClock('I2', `no job ran for ${toUnits(unaccounted - this.#unaccounted)} though one could`)
    }
    this.#unaccounted = unaccounted
    this.#checkTurn(job, began, used, switching)
  }

  #checkTurn(job: string, began: Time, used: Time, switching: Time): void {
    const { sharing, isPunctual } = this.#rules
    const precedent = this.#precedence.ran(job, began, this.#at)
    if (precedent) {
      const ahead = `${precedent.ahead.toPrecision(3)} quanta ahead of ${precedent.job}`
      this.#brokenByTheClock('I5', `${job} ran from ${toUnits(began)}, when it was ${ahead}`)
    }
    if (isPunctual && (used > sharing.quantum || switching > sharing.switching)) {
      this.#brokenByTheClock('I5', `${job} ran for ${toUnits(used)} after ${toUnits(switching)}, longer than a quantum`)
    }
  }

  #checkTotal(total: number): void {
    this.#total = total
    const { net } = this.#clients
    if (isNear(total, net)) return
    this.#broken('I1', `T is ${total}, but ${this.#clients.names.join(', ') || 'no jobs'} hold ${net}`)
  }

  /**
   * Loans add up to the sleepers' tickets and repayments to nothing, so T stays as it is while all of them have both
   * sides.
   */
  #checkLoans(): void {
    if (!this.#changed && this.#stands && !isNear(this.#total, this.#settled)) {
      this.#broken('I3', `T was ${this.#settled} and is ${this.#total} after sleep, waking or expiry alone`)
    }
    if (this.#clients.unsettled === 0) this.#stands = true
  }

  #brokenByTheClock(invariant: Invariant, what: string): void {
    this.#broken(invariant, what, true)
  }

  #broken(invariant: Invariant, what: string, isTimed = false): void {
    this.#complain(violationOf(invariant, `${this.#machine} at ${toUnits(this.#at)}: ${what}`), isTimed)
  }
}
