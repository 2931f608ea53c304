/**
 * Checks the decisions of one processor again: the passes of its jobs, which of them it prefers, and for how long. Each pass follows
 * from facts: a job leaves at a distance to the global pass, comes back at that distance, and pays for the time that it has had (spec,
 * section 1). Only what a processor does at an event is checked, so the rules hold however late events come.
 */

import type { JobFact } from '../../../actors/processor/jobs.ts'
import type { Sharing } from '../../../actors/processor/sharing.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import type { Invariant } from './invariants.ts'
import { isNear, Sum, slack } from './rounding.ts'

export type ScheduleRules = Pick<Sharing, 'quantum' | 'switching' | 'stride1' | 'start' | 'clamp' | 'preempt'> & {
  /** Whether a job gives the processor up only when another one comes, or it leaves itself: its program never yields. */
  readonly isSteady: (job: string) => boolean
  /** Whether jobs join in the order of their creation, which decides between equal passes. */
  readonly isInOrder: boolean
}

export type Complain = (invariant: Invariant, what: string) => void

type Of<Type extends JobFact['type']> = Extract<JobFact, { type: Type }>

/** A job that competes. */
interface Competitor {
  /** The number of its first coming. */
  readonly order: number
  readonly net: number
  /** Its pass at the instant `since`, when it last ran, came or changed its tickets. */
  readonly pass: number
  readonly since: Time
}

/** What is kept of a job that does not compete. */
interface Absent {
  readonly order: number
  /** Its distance to the global pass, times its net tickets. */
  readonly lag: number
}

/** What a change of tickets says of a job during the current stay. */
interface Claim {
  readonly job: string
  readonly isRunning: boolean
}

/** A job that came during the current stay. */
interface Arrival {
  readonly job: string
  readonly at: Time
  readonly pass: number
}

/** A job whose stay ended before its quantum, though no other job came. */
interface Yielded {
  readonly job: string
  readonly used: Time
}

export class PassAudit {
  readonly #rules: ScheduleRules
  readonly #complain: Complain
  readonly #competing = new Map<string, Competitor>()
  /** The names of the jobs that compete, by pass. */
  readonly #byPass = new Map<number, Set<string>>()
  /** T: the net tickets of all jobs that compete. */
  #total = new Sum()
  readonly #absent = new Map<string, Absent>()
  #count = 0
  #globalPass = 0
  #at: Time
  /** The job that had the processor last, unless it has slept or ended since. */
  #last: string | null = null
  /** When the current stay began. */
  #stay: Time
  #claims: Claim[] = []
  #arrivals: Arrival[] = []
  #yielded: Yielded[] = []

  constructor(born: Time, rules: ScheduleRules, complain: Complain) {
    this.#rules = rules
    this.#complain = complain
    this.#at = born
    this.#stay = born
  }

  fold(fact: JobFact, at: Time): void {
    switch (fact.type) {
      case 'joined':
        this.#advance(at)
        return this.#join(fact)
      case 'left':
        this.#advance(at)
        return this.#leave(fact)
      case 'funded':
        this.#advance(at)
        return this.#fund(fact)
      case 'ran':
        this.#advance(at)
        return this.#ran(fact)
    }
  }

  /** Call this when all facts of the instant are in. */
  settle(): void {
    for (const yielded of this.#yielded) this.#checkYielded(yielded)
    this.#yielded = []
  }

  /** Brings the global pass up to date: it rises by the stride of all tickets together. */
  #advance(at: Time): void {
    if (at <= this.#at) return
    this.settle()
    const total = this.#total.value
    if (this.#competing.size > 0 && total > 0)
      this.#globalPass += (this.#rules.stride1 / total) * ((at - this.#at) / this.#rules.quantum)
    this.#at = at
  }

  #join({ job, tickets, extra, pass }: Of<'joined'>): void {
    const { start, stride1, clamp } = this.#rules
    const before = this.#absent.get(job)
    const { order, lag } = before ?? { order: this.#count, lag: start === 'stride' ? stride1 : 0 }
    if (!before) this.#count += 1
    this.#absent.delete(job)
    const net = tickets + extra
    const due = this.#globalPass + (clamp ? Math.max(0, lag) : lag) / net
    if (!isNear(pass, due)) this.#complain('I10', `${job} comes with the pass ${pass} and not ${due}`)
    if (this.#competing.size === 0) this.#begin()
    else this.#arrivals.push({ job, at: this.#at, pass })
    this.#set(job, { order, net, pass, since: this.#at })
  }

  #leave({ job, why }: Of<'left'>): void {
    const client = this.#competing.get(job)
    const isOver = why === 'done' || why === 'withdrawn'
    if (client) {
      this.#delete(job)
      if (!isOver) this.#absent.set(job, { order: client.order, lag: (client.pass - this.#globalPass) * client.net })
    }
    if (isOver) this.#absent.delete(job)
    if ((isOver || why === 'asleep') && this.#last === job) this.#last = null
    this.#forget(job)
    this.#yielded = this.#yielded.filter((one) => one.job !== job)
  }

  /** The new pass is at the same distance to the global pass in tickets. A running job has paid until now. */
  #fund({ job, tickets, extra, pass }: Of<'funded'>): void {
    const client = this.#competing.get(job)
    if (!client) return
    const net = tickets + extra
    const after = (distance: number) => this.#globalPass + (distance * client.net) / net
    const ready = after(client.pass - this.#globalPass)
    const running = after(client.pass + this.#paid(client, this.#stay, this.#at) - this.#globalPass)
    const [isReady, isRunning] = [isNear(pass, ready), isNear(pass, running)]
    if (!isReady && !isRunning) {
      this.#complain(
        'I10',
        `${job} has the pass ${pass} after a change of tickets, not ${ready}, or ${running} if it runs`,
      )
    } else if (isReady !== isRunning) this.#claims.push({ job, isRunning })
    this.#set(job, { ...client, net, pass, since: this.#at })
    // it is not told whether another event of this instant changed its tickets
    this.#forget(job)
  }

  #ran({ job, used, switching, pass }: Of<'ran'>): void {
    const began = this.#at - used - switching
    const client = this.#competing.get(job)
    if (client) {
      const due = client.pass + this.#paid(client, began, this.#at)
      if (!isNear(pass, due)) this.#complain('I10', `${job} has the pass ${pass} after its stay, and not ${due}`)
      this.#checkClaims(job)
      this.#checkSwitch(job, used, switching)
      if (client.since <= began) this.#checkTie(job, client, began)
      this.#checkArrivals(job, client, began)
      if (used < this.#rules.quantum && !this.#hasNewcomer(job)) this.#yielded.push({ job, used })
      this.#set(job, { ...client, pass, since: this.#at })
    }
    this.#last = job
    this.#begin()
  }

  #set(job: string, client: Competitor): void {
    this.#delete(job)
    this.#competing.set(job, client)
    this.#total.add(client.net)
    const equals = this.#byPass.get(client.pass)
    if (equals) equals.add(job)
    else this.#byPass.set(client.pass, new Set([job]))
  }

  #delete(job: string): void {
    const client = this.#competing.get(job)
    if (!client) return
    this.#competing.delete(job)
    this.#total.add(-client.net)
    // an empty queue keeps no rounding errors
    if (this.#competing.size === 0) this.#total = new Sum()
    const equals = this.#byPass.get(client.pass)
    equals?.delete(job)
    if (equals?.size === 0) this.#byPass.delete(client.pass)
  }

  /** Forgets that a job has come in this instant. */
  #forget(job: string): void {
    this.#arrivals = this.#arrivals.filter((one) => one.job !== job || one.at < this.#at)
  }

  /** A stay begins. */
  #begin(): void {
    this.#stay = this.#at
    this.#claims = []
    this.#arrivals = this.#arrivals.filter(({ at }) => at === this.#at)
  }

  /** What a job pays for having the processor from one instant to another, with the tickets that it has. */
  #paid({ net, since }: Competitor, from: Time, until: Time): number {
    const { stride1, quantum } = this.#rules
    return (stride1 / net) * ((until - Math.max(from, since)) / quantum)
  }

  /** Whether the jobs whose tickets changed during the stay paid for it if they had it, and only then. */
  #checkClaims(job: string): void {
    for (const claim of this.#claims) {
      if (claim.isRunning === (claim.job === job)) continue
      const what = claim.isRunning ? 'paid for the processor, which another job had' : 'did not pay for the processor'
      this.#complain('I10', `${claim.job} ${what} when its tickets changed`)
    }
  }

  /** A switch to another job, or to one that has slept, takes its time unless the stay ends before. */
  #checkSwitch(job: string, used: Time, switching: Time): void {
    const due = job === this.#last ? 0 : Math.min(this.#rules.switching, used + switching)
    if (switching !== due)
      this.#complain('I11', `the switch to ${job} took ${toUnits(switching)} and not ${toUnits(due)}`)
  }

  /** Checks that no older job with the same pass waited when this one was chosen. */
  #checkTie(job: string, { pass, order }: Competitor, began: Time): void {
    if (!this.#rules.isInOrder) return
    for (const other of this.#byPass.get(pass) ?? []) {
      const client = this.#competing.get(other)
      if (!client || client.order >= order || client.since > began) continue
      this.#complain('I12', `${job} ran from ${toUnits(began)} before ${other}, which is older and had the same pass`)
    }
  }

  /** A job that comes takes the processor from one with a larger pass. */
  #checkArrivals(job: string, client: Competitor, began: Time): void {
    if (!this.#rules.preempt) return
    for (const arrival of this.#arrivals) {
      const { at, pass } = arrival
      if (arrival.job === job || at <= began || at >= this.#at || at <= client.since) continue
      const own = client.pass + this.#paid(client, began, at)
      if (pass < own - slack(pass, own))
        this.#complain(
          'I13',
          `${job} kept the processor at ${toUnits(at)}, when ${arrival.job} came with a smaller pass`,
        )
    }
  }

  /** Whether another job has come at this instant, and may have taken the processor. */
  #hasNewcomer(job: string): boolean {
    return this.#rules.preempt && this.#arrivals.some((one) => one.job !== job && one.at === this.#at)
  }

  /** A job keeps the processor for a quantum, unless another one comes or it leaves. */
  #checkYielded({ job, used }: Yielded): void {
    if (this.#rules.isSteady(job))
      this.#complain('I13', `${job} lost the processor after ${toUnits(used)}, before its quantum was over`)
  }
}
