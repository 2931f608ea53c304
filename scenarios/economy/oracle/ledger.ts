/**
 * An oracle for jobs: it records what became of every job, and checks the invariants of users, scheduler and processors. It
 * folds the facts of a run as they come; no actor knows of it. Money is checked in audit.ts.
 */

import type { Request, SchedulerFact, Start } from '../../../actors/economy/messages.ts'
import type { UserFact } from '../../../actors/economy/user.ts'
import type { ProcessorFact } from '../../../actors/processor/messages.ts'
import { type Address, type Message, roleOf, type Time } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { isProcessor, isScheduler } from './facts.ts'
import { Order, type Rules } from './order.ts'

/** One job and its progress. */
export interface JobRecord {
  readonly user: string
  readonly request: Request
  /** The arrival at its user. The scheduler may hear of it later, through delays or faults. */
  readonly arrival: Time
  /** The start of its last attempt; null: it has not started. */
  readonly started: Started | null
  readonly end: { readonly at: Time; readonly why: 'finished' | 'overrun' | 'refused' } | null
  /** Attempts that lost a processor. */
  readonly failures: number
  /** Whether its user heard of the end. */
  readonly isHeard: boolean
}

/** How an attempt started. Money is in dollars; `wasted` is processor time. */
export type Started = Start & { readonly at: Time }

const isUser = (_: Message, who: Address): _ is UserFact => roleOf(who) === 'user'

export class Ledger {
  readonly jobs = new Map<number, JobRecord>()
  readonly broken: Violation[] = []
  /** Processor time of aborted attempts, and of completed ones. */
  lost = 0
  useful = 0
  #rules: Rules
  readonly #arrivals: ReadonlyMap<number, Time>
  /** For each attempt of a job, the number of processors that are done. */
  readonly #done = new Map<string, number>()
  readonly #order: Order

  /**
   * Makes the ledger of a run that has not begun.
   *
   * @param arrivals when the jobs arrive at their users, by id
   */
  constructor(rules: Rules, arrivals: ReadonlyMap<number, Time>) {
    this.#rules = rules
    this.#arrivals = arrivals
    this.#order = new Order(rules, this.broken)
  }

  /** Handles one fact. Facts of other roles are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isProcessor(fact, who)) this.#ofProcessor(fact)
    else if (isScheduler(fact, who)) {
      this.#ofScheduler(fact, at)
      this.#order.fold(fact, at)
    } else if (isUser(fact, who) && fact.type === 'heard') this.#heard(fact)
  }

  /** Notes the death of an actor: ends are no longer known. */
  died(who: Address): void {
    if (roleOf(who) !== 'user') {
      this.#rules = { ...this.#rules, isExact: false }
      this.#order.disturb()
    }
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  #ofProcessor(fact: ProcessorFact): void {
    if (fact.type === 'started') return
    if (fact.type === 'aborted') this.lost += fact.busy
    else {
      this.useful += fact.busy
      add(this.#done, `${fact.task}.${fact.attempt}`)
    }
  }

  #ofScheduler(fact: SchedulerFact, at: Time): void {
    switch (fact.type) {
      case 'accepted':
        this.jobs.set(fact.request.job, {
          user: fact.user,
          request: fact.request,
          arrival: this.#arrivals.get(fact.request.job) ?? fact.arrival,
          started: null,
          end: null,
          failures: 0,
          isHeard: false,
        })
        return
      case 'started':
        return this.#started(fact, at)
      case 'failed':
        return this.#change(fact.job, (story) => ({ ...story, started: null, failures: story.failures + 1 }))
      case 'refused':
        return this.#end(fact.job, at, 'refused')
      case 'ended':
        return this.#ended(fact, at)
    }
  }

  #started(fact: Extract<SchedulerFact, { type: 'started' }>, at: Time): void {
    const { job, processors, kind, decided, wasted, price, paid } = fact
    this.#change(job, (story) => {
      if (story.started || story.end) this.#broke('a job runs once', `job ${job} started again`)
      if (processors.length !== story.request.processors || new Set(processors).size !== processors.length) {
        this.#broke('a job gets the processors it asked for', `job ${job} got ${processors.join()}`)
      }
      return { ...story, started: { at, kind, decided, wasted, price, paid, processors } }
    })
  }

  #ended(fact: Extract<SchedulerFact, { type: 'ended' }>, at: Time): void {
    const { job, why, attempt } = fact
    const story = this.jobs.get(job)
    if (!story?.started) this.#broke('a job that ends was running', `job ${job} ended without a start`)
    else if (why === 'finished') {
      const done = this.#done.get(`${job}.${attempt}`) ?? 0
      if (done !== story.request.processors) {
        this.#broke(
          'a job ends when all its processors are done',
          `job ${job} ended with ${done} of ${story.request.processors}`,
        )
      }
      if (this.#rules.isExact && at !== story.started.at + story.request.work) {
        this.#broke('a job runs for its actual time', `job ${job} ran from ${story.started.at} to ${at}`)
      }
    }
    this.#end(job, at, why)
  }

  #end(job: number, at: Time, why: 'finished' | 'overrun' | 'refused'): void {
    this.#change(job, (story) => {
      return { ...story, end: { at, why } }
    })
  }

  #heard({ job, why }: Extract<UserFact, { type: 'heard' }>): void {
    this.#change(job, (story) => {
      if (story.end?.why !== why)
        this.#broke('a user hears how the job really ended', `job ${job} is said to be ${why}`)
      return { ...story, isHeard: true }
    })
  }

  #change(job: number, change: (story: JobRecord) => JobRecord): void {
    const story = this.jobs.get(job)
    if (story) this.jobs.set(job, change(story))
    else this.#broke('facts only concern accepted jobs', `job ${job}`)
  }
}
