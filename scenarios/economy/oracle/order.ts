/**
 * An oracle for the order of starts, for reservations and for backfill. It sees only the facts of the scheduler and shares
 * no code with pass.ts. After each pass it looks for a job that could have started, and checks the start of the reservation.
 */

import type { Request, SchedulerFact } from '../../../actors/economy/messages.ts'
import type { Policy } from '../../../actors/economy/terms.ts'
import type { Time } from '../../../lib/actor.ts'
import { sum } from '../../../lib/core/tally.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'

export interface Rules {
  /** Processors of the machine. */
  readonly processors: number
  readonly policy: Policy
  /** Whether all ends are known: virtual time without delays and faults, and every job takes what it declares. */
  readonly isExact: boolean
}

interface Waiting {
  readonly job: number
  readonly arrival: Time
  readonly request: Request
}

interface Running {
  readonly of: Waiting
  /** The declared or extended end. */
  readonly end: Time
}

type Passed = Extract<SchedulerFact, { type: 'passed' }>
type Promised = NonNullable<Passed['reservation']>

/** The machine after a pass. */
interface Left {
  readonly now: Time
  readonly idle: number
  readonly waiting: readonly Waiting[]
  readonly running: readonly Running[]
}

const isEarlier = (one: Waiting, other: Waiting): boolean =>
  one.arrival < other.arrival || (one.arrival === other.arrival && one.job < other.job)

/** The number of processors free at an instant. A job past its end counts as ending now. */
const freeAt = ({ now, idle, running }: Left, at: Time): number =>
  running.reduce((free, { of, end }) => (Math.max(now, end) <= at ? free + of.request.processors : free), idle)

/** The earliest time when this number of processors is free at once. */
function earliest(left: Left, processors: number): Time {
  const instants = [left.now, ...left.running.map(({ end }) => Math.max(left.now, end))].sort(
    (one, other) => one - other,
  )
  return instants.find((at) => freeAt(left, at) >= processors) ?? Number.POSITIVE_INFINITY
}

export class Order {
  #rules: Rules
  readonly #broken: Violation[]
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number, Running>()
  #down = 0
  #reservation: Promised | null = null
  /** Whether processors have become free since the last pass. */
  #isFreed = false

  /**
   * Makes the check of one run.
   *
   * @param broken where violations are added
   */
  constructor(rules: Rules, broken: Violation[]) {
    this.#rules = rules
    this.#broken = broken
  }

  /** Notes that an actor died: ends are no longer known. */
  disturb(): void {
    this.#rules = { ...this.#rules, isExact: false }
  }

  fold(fact: SchedulerFact, at: Time): void {
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
      case 'extended': {
        const running = this.#running.get(fact.job)
        if (running) this.#running.set(fact.job, { ...running, end: fact.end })
        return
      }
      case 'ended':
        this.#running.delete(fact.job)
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

  #started({ job }: Extract<SchedulerFact, { type: 'started' }>, at: Time): void {
    const of = this.#waiting.get(job)
    if (!of) return
    this.#waiting.delete(job)
    this.#running.set(job, { of, end: at + of.request.service })
    const { isExact, policy } = this.#rules
    if (!isExact) return
    if (policy.choice === 'arrival' && !policy.reserves) {
      const overtaken = [...this.#waiting.values()].find((other) => isEarlier(other, of))
      if (overtaken) this.#broke('FCFS starts in order of arrival', `job ${job} before ${overtaken.job}`)
    }
  }

  #passed(passed: Passed, at: Time): void {
    if (this.#rules.isExact) this.#kept(passed, at)
    this.#look(passed, this.#leftBy(passed, at))
    this.#reservation = passed.reservation
    this.#isFreed = false
  }

  /** Compares the reservation before this pass with the one after it. */
  #kept({ reservation: after, starts }: Passed, at: Time): void {
    const before = this.#reservation
    if (!before || !this.#waiting.has(before.job)) return
    const { policy } = this.#rules
    const mayMove = policy.reservation === 'rescans' && this.#isFreed
    if (starts.includes(before.job)) {
      if (mayMove || at === before.start) return
      const text = `job ${before.job}, promised ${before.start}, at ${at}`
      return this.#broke('a reserved job starts at the promised time', text)
    }
    if (policy.choice === 'arrival' && after?.job === before.job && after.start > before.start) {
      const text = `job ${after.job}: ${before.start}, then ${after.start}`
      this.#broke('under RES the start of a reservation never moves later', text)
    }
    if (mayMove || (after?.job === before.job && after.start === before.start)) return
    const now = after ? `job ${after.job} at ${after.start}` : 'no reservation'
    this.#broke('a reservation that is kept does not move', `job ${before.job} at ${before.start}, then ${now}`)
  }

  #leftBy({ starts, skipped }: Passed, now: Time): Left {
    const chosen = starts.flatMap((job) => this.#waiting.get(job) ?? [])
    const running = [...this.#running.values(), ...chosen.map((of) => ({ of, end: now + of.request.service }))]
    const busy = sum(running, ({ of }) => of.request.processors)
    const gone = new Set([...starts, ...skipped])
    const waiting = [...this.#waiting.values()].filter(({ job }) => !gone.has(job))
    return { now, idle: this.#rules.processors - this.#down - busy, waiting, running }
  }

  #look({ reservation }: Passed, left: Left): void {
    const { now, idle, waiting, running } = left
    if (idle < 0) this.#broke('no more processors are used than the machine has', `${-idle} too many at ${now}`)
    const holder = reservation && waiting.find(({ job }) => job === reservation.job)
    if (reservation && holder) {
      const start = earliest(left, holder.request.processors)
      if (start !== reservation.start) {
        const text = `job ${holder.job}, promised ${reservation.start}, can start at ${start}`
        this.#broke('backfill does not move the reservation', text)
      }
    }
    if (waiting.length === 0 || idle <= 0) return
    if (running.length === 0) this.#broke('the machine is not idle while a job waits', `${waiting.length} at ${now}`)
    const could = this.#rules.policy.reserves ? this.#couldFill(left, reservation, holder) : this.#couldLead(left)
    if (could) this.#broke('no job waits that could start', `job ${could.job} at ${now}, with ${idle} idle`)
  }

  /** The first job, if it could have started; all others wait behind it. */
  #couldLead({ waiting, idle }: Left): Waiting | null {
    const head = waiting.reduce((one, other) => (isEarlier(other, one) ? other : one))
    return head.request.processors <= idle ? head : null
  }

  /** A job that could have started without delaying the reservation, if there is one. */
  #couldFill(left: Left, promise: Promised | null, holder: Waiting | null | undefined): Waiting | null {
    const { now, idle, waiting } = left
    if (!promise || !holder) return waiting.find(({ request }) => request.processors <= idle) ?? null
    const surplus = this.#rules.policy.surplus ? freeAt(left, promise.start) - holder.request.processors : 0
    const isHarmless = ({ processors, service }: Request) =>
      processors <= idle && (now + service <= promise.start || processors <= surplus)
    return waiting.find((one) => one !== holder && isHarmless(one.request)) ?? null
  }
}
