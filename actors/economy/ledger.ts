/**
 * What became of every job, and whether users, scheduler and processors kept their promises: folded from the facts that
 * they observe, while they come. Nothing here is known to any actor. Money is in audit.ts.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/scenario/specification.ts'
import type { ProcessorFact } from '../processor/messages.ts'
import type { Kind, Request, SchedulerFact } from './messages.ts'
import { Order, type Rules } from './order.ts'
import type { UserFact } from './user.ts'

/** One job, as far as it has come. Money in dollars, `wasted` is processor time. */
export interface Story {
  readonly user: string
  readonly request: Request
  /** At its user; the scheduler hears of it later where mail takes time or somebody is dead or stalled. */
  readonly arrival: Time
  /** Of its last attempt; null: it has not started. */
  readonly started: Started | null
  readonly end: { readonly at: Time; readonly why: 'finished' | 'overrun' | 'refused' } | null
  /** Attempts that lost a processor. */
  readonly failures: number
  /** Did its user hear of the end? */
  readonly isHeard: boolean
}

export interface Started {
  readonly at: Time
  readonly kind: Kind
  readonly decided: Time
  readonly wasted: Time
  readonly price: number
  readonly paid: number
  readonly processors: readonly number[]
}

const isScheduler = (_: Message, who: Address): _ is SchedulerFact => roleOf(who) === 'scheduler'
const isUser = (_: Message, who: Address): _ is UserFact => roleOf(who) === 'user'
const isProcessor = (fact: Message, who: Address): fact is ProcessorFact =>
  roleOf(who) === 'processor' && typeof fact['task'] === 'number'

export class Ledger {
  readonly jobs = new Map<number, Story>()
  readonly broken: Violation[] = []
  /** Processor time of attempts that came to nothing, and of those that were of use. */
  lost = 0
  useful = 0
  #rules: Rules
  readonly #arrivals: ReadonlyMap<number, Time>
  /** Which job each processor is at. */
  readonly #at = new Map<string, number>()
  /** Attempts begun and done on each processor. */
  readonly #done = new Map<string, number>()
  readonly #order: Order

  /** @param arrivals of the jobs at their users, by their ids */
  constructor(rules: Rules, arrivals: ReadonlyMap<number, Time>) {
    this.#rules = rules
    this.#arrivals = arrivals
    this.#order = new Order(rules, this.broken)
  }

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isProcessor(fact, who)) this.#ofProcessor(machineOf(who), fact)
    else if (isScheduler(fact, who)) {
      this.#ofScheduler(fact, at)
      this.#order.fold(fact, at)
    } else if (isUser(fact, who) && fact.type === 'heard') this.#heard(fact)
  }

  /** Of a processor, with what it was at. */
  died(who: Address): void {
    if (roleOf(who) !== 'user') {
      this.#rules = { ...this.#rules, isExact: false }
      this.#order.disturb()
    }
    if (roleOf(who) === 'processor') this.#at.delete(machineOf(who))
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  #ofProcessor(machine: string, fact: ProcessorFact): void {
    const { task } = fact
    if (fact.type === 'started') {
      const other = this.#at.get(machine)
      if (other !== undefined)
        this.#broke('a processor runs one job at a time', `${machine} began ${task} beside ${other}`)
      this.#at.set(machine, task)
      return
    }
    this.#at.delete(machine)
    if (fact.type === 'aborted') this.lost += fact.busy
    else {
      this.useful += fact.busy
      const key = `${task}.${fact.attempt}`
      this.#done.set(key, (this.#done.get(key) ?? 0) + 1)
    }
  }

  #ofScheduler(fact: SchedulerFact, at: Time): void {
    switch (fact.type) {
      case 'accepted':
        if (this.jobs.has(fact.request.job))
          this.#broke('a job is taken once', `job ${fact.request.job} was taken twice`)
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
      if (at < story.arrival) this.#broke('nothing runs before it arrives', `job ${job} started at ${at}`)
      return { ...story, started: { at, kind, decided, wasted, price, paid, processors } }
    })
  }

  #ended(fact: Extract<SchedulerFact, { type: 'ended' }>, at: Time): void {
    const { job, why, attempt } = fact
    const story = this.jobs.get(job)
    if (!story?.started) this.#broke('what ends was running', `job ${job} ended without a start`)
    else if (why === 'finished') {
      const done = this.#done.get(`${job}.${attempt}`) ?? 0
      if (done !== story.request.processors) {
        this.#broke(
          'a job ends when all its processors are done',
          `job ${job} ended with ${done} of ${story.request.processors}`,
        )
      }
      if (this.#rules.isExact && at !== story.started.at + story.request.work) {
        this.#broke('a job runs for as long as it takes', `job ${job} ran from ${story.started.at} to ${at}`)
      }
    }
    this.#end(job, at, why)
  }

  #end(job: number, at: Time, why: 'finished' | 'overrun' | 'refused'): void {
    this.#change(job, (story) => {
      if (story.end) this.#broke('a job ends once', `job ${job} was ${story.end.why}, and then ${why}`)
      return { ...story, end: { at, why } }
    })
  }

  #heard({ job, why }: Extract<UserFact, { type: 'heard' }>): void {
    this.#change(job, (story) => {
      if (story.end?.why !== why) this.#broke('a user hears the truth', `job ${job} is said to be ${why}`)
      return { ...story, isHeard: true }
    })
  }

  #change(job: number, change: (story: Story) => Story): void {
    const story = this.jobs.get(job)
    if (story) this.jobs.set(job, change(story))
    else this.#broke('only jobs that were taken are spoken of', `job ${job}`)
  }
}
