/**
 * Watches in which order jobs start, and what is promised to whom (the specification's invariants of reservations and
 * backfill), from what the scheduler and the bank are seen to do. Shares nothing with pass.ts: after each instant with a
 * pass it looks for a job that could have started.
 */
import type { Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { Request, SchedulerFact } from './messages.ts'
import type { Policy } from './terms.ts'

export interface Rules {
  /** Of the machine. */
  readonly processors: number
  readonly policy: Policy
  /** Do jobs need an expense account? */
  readonly isPaid: boolean
  /** In virtual time without latency, where every job takes what it declares: what begins and ends when is exact. */
  readonly isExact: boolean
  /** Nobody dies, and no time is sold beyond what was declared. */
  readonly isCalm: boolean
}

interface Waiting {
  readonly job: number
  readonly arrival: Time
  readonly request: Request
}

interface Running {
  readonly of: Waiting
  /** As declared. */
  readonly end: Time
}

type Passed = Extract<SchedulerFact, { type: 'passed' }>

const isEarlier = (one: Waiting, other: Waiting): boolean =>
  one.arrival < other.arrival || (one.arrival === other.arrival && one.job < other.job)

export class Order {
  #rules: Rules
  readonly #broken: Violation[]
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number, Running>()
  readonly #funded = new Set<number>()
  #down = 0
  #reservation: Passed['reservation'] = null
  /** Have processors become free since the last pass? */
  #isFreed = false
  /** The instant of a pass that has not been looked at. */
  #passedAt: Time | null = null

  /** What is broken is added to `broken`. */
  constructor(rules: Rules, broken: Violation[]) {
    this.#rules = rules
    this.#broken = broken
  }

  /** Somebody died: what begins and ends when is no longer known. */
  disturb(): void {
    this.#rules = { ...this.#rules, isExact: false, isCalm: false }
  }

  /** The job has an expense account. */
  funded(job: number, at: Time): void {
    this.#reach(at)
    this.#funded.add(job)
  }

  fold(fact: SchedulerFact, at: Time): void {
    this.#reach(at)
    switch (fact.type) {
      case 'accepted': {
        const { request, arrival } = fact
        this.#waiting.set(request.job, { job: request.job, arrival, request })
        return
      }
      case 'refused':
        this.#waiting.delete(fact.job)
        return
      case 'started':
        return this.#started(fact, at)
      case 'ended':
        this.#running.delete(fact.job)
        this.#funded.delete(fact.job)
        this.#isFreed = true
        return
      case 'failed': {
        const of = this.#running.get(fact.job)?.of
        if (of) this.#waiting.set(fact.job, of)
        this.#running.delete(fact.job)
        this.#isFreed = true
        return
      }
      case 'lost':
        this.#down++
        return
      case 'found':
        this.#down--
        return
      case 'passed':
        return this.#passed(fact, at)
    }
  }

  #broke(property: string, text: string): void {
    this.#broken.push({ property, text })
  }

  #started({ job, kind }: Extract<SchedulerFact, { type: 'started' }>, at: Time): void {
    const of = this.#waiting.get(job)
    if (!of) return
    this.#waiting.delete(job)
    this.#running.set(job, { of, end: at + of.request.service })
    const { isExact, policy } = this.#rules
    if (!isExact) return
    const promise = this.#reservation
    if (kind === 'reserved' && promise?.job === job && promise.start !== at) {
      this.#broke('a reserved job starts when it was promised to', `job ${job}, promised ${promise.start}, at ${at}`)
    }
    if (policy.choice === 'arrival' && !policy.reserves) {
      const overtaken = [...this.#waiting.values()].find((other) => isEarlier(other, of))
      if (overtaken) this.#broke('FCFS starts in order of arrival', `job ${job} before ${overtaken.job}`)
    }
  }

  #passed({ reservation }: Passed, at: Time): void {
    if (this.#rules.isExact) this.#kept(this.#reservation, reservation, at)
    this.#reservation = reservation
    this.#isFreed = false
    this.#passedAt = at
  }

  /** What was promised before this pass, and what is now. */
  #kept(before: Passed['reservation'], after: Passed['reservation'], at: Time): void {
    const { policy } = this.#rules
    if (policy.choice === 'arrival' && policy.reserves) this.#headKept(before, after)
    const mayMove = policy.reservation === 'rescans' && this.#isFreed
    if (!before || mayMove || !this.#waiting.has(before.job)) return
    // when it begins it is nobody's any more, or the next one's
    const isKept = after?.job === before.job ? after.start === before.start : at === before.start
    if (!isKept) {
      const now = after ? `job ${after.job} at ${after.start}` : 'nobody'
      this.#broke('a reservation that is kept does not move', `job ${before.job} at ${before.start}, then ${now}`)
    }
  }

  #headKept(before: Passed['reservation'], after: Passed['reservation']): void {
    if (before && after?.job === before.job && after.start > before.start) {
      this.#broke(
        "under RES the head's start never moves later",
        `job ${after.job}: ${before.start}, then ${after.start}`,
      )
    }
  }

  /** Time goes on: what happened at the instant before is complete. */
  #reach(at: Time): void {
    if (this.#passedAt !== null && at > this.#passedAt) {
      this.#look(this.#passedAt)
      this.#passedAt = null
    }
  }

  /** The run is over. */
  settle(): void {
    this.#reach(Number.POSITIVE_INFINITY)
  }

  #look(now: Time): void {
    const { processors, policy, isPaid, isCalm } = this.#rules
    if (!isCalm) return
    const total = processors - this.#down
    let idle = total
    for (const { of } of this.#running.values()) idle -= of.request.processors
    if (idle <= 0) return
    const mayStart = [...this.#waiting.values()].filter(({ job }) => !isPaid || this.#funded.has(job))
    if (mayStart.length === 0) return
    if (idle === total) this.#broke('the machine is not idle while a job waits', `${mayStart.length} wait at ${now}`)
    const could = policy.reserves ? this.#couldFill(mayStart, idle, now) : this.#head(mayStart, idle)
    if (could) this.#broke('no job waits that could start', `job ${could.job} at ${now}, with ${idle} idle`)
  }

  /** Without reservations all wait behind the first. */
  #head(waiting: readonly Waiting[], idle: number): Waiting | null {
    const head = waiting.reduce((one, other) => (isEarlier(other, one) ? other : one))
    return head.request.processors <= idle ? head : null
  }

  /** Somebody who would not delay the reservation; whoever fits, if there is none. */
  #couldFill(waiting: readonly Waiting[], idle: number, now: Time): Waiting | null {
    const promise = this.#reservation
    const holder = promise && this.#waiting.get(promise.job)
    if (!promise || !holder) return waiting.find(({ request }) => request.processors <= idle) ?? null
    let surplus = idle - holder.request.processors
    for (const { of, end } of this.#running.values()) {
      if (Math.max(now, end) <= promise.start) surplus += of.request.processors
    }
    const isHarmless = ({ processors, service }: Request) =>
      processors <= idle && (now + service <= promise.start || (this.#rules.policy.surplus && processors <= surplus))
    return waiting.find((one) => one !== holder && isHarmless(one.request)) ?? null
  }
}
