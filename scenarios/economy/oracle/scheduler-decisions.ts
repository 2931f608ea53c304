/** Promises about the decisions of the scheduler: each follows from what the scheduler and the bank have told before. */
import type { QuotedFact, SchedulerFact } from '../../../actors/economy/messages.ts'
import { type Time, toUnits } from '../../../lib/actor.ts'
import { about, type Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { type Economy, SCHEDULER } from '../model.ts'
import { isQuoted, isScheduler, type Told } from './facts.ts'
import { type Bidder, type Decision, type Holder, passAgain, type Terms } from './pass-again.ts'

interface Waiting {
  readonly job: number
  readonly arrival: Time
  readonly processors: number
  readonly service: Time
  readonly attempt: number
}

interface Running {
  readonly of: Waiting
  readonly on: readonly number[]
  /** The processors of the job that had no job before it. */
  readonly fresh: readonly number[]
  readonly since: Time
  readonly end: Time
  readonly paid: number
}

/** The relative difference of two amounts that are computed in different ways. */
const ROUNDING = 1e-6

const isNear = (one: number, other: number): boolean =>
  one === other || Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other), 1e-6)

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((each, i) => each === other[i])

const inWords = (jobs: readonly number[]): string =>
  jobs.length === 0 ? 'no job' : jobs.length === 1 ? `job ${jobs[0]}` : `jobs ${jobs.join()}`

const reservedIn = (reservation: { readonly job: number; readonly start: Time } | null): string =>
  reservation ? `job ${reservation.job} for ${instant(reservation.start)}` : 'no job'

/** What the scheduler knows, from its facts. */
class Decisions {
  readonly #economy: Economy
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number, Running>()
  readonly #down = new Set<number>()
  /** The processors that have had a job. */
  readonly #used = new Set<number>()
  /** The jobs that are chosen and have not started, by the decision of their pass. */
  readonly #chosen = new Map<number, Decision['starts'][number]>()
  #reservation: Holder | null = null
  #best = 0
  /** The jobs that waited when the last pass ended. */
  #seen: ReadonlySet<number> = new Set()
  /** The jobs that have asked for a piece of extra time and have no answer. */
  readonly #asked = new Set<number>()
  /** The jobs that the bank does not know, by the names of passes. */
  readonly #unknown = new Map<string, ReadonlySet<number>>()
  /** The dollars and the processor-minutes of the starts that are not refunded. */
  readonly #sold = { money: 0, work: 0 }
  #died: Time = 0

  constructor(economy: Economy) {
    this.#economy = economy
  }

  died(at: Time): void {
    this.#best = 0
    this.#died = at
  }

  quoted({ pass, jobs, balances }: QuotedFact): void {
    const unknown = jobs.filter((_, i) => balances[i] === null)
    if (unknown.length > 0) this.#unknown.set(pass, new Set([...(this.#unknown.get(pass) ?? []), ...unknown]))
  }

  /** Judges a fact by what is known before it. Returns what is wrong with it. */
  fold(fact: SchedulerFact, now: Time): string | undefined {
    switch (fact.type) {
      case 'accepted': {
        const { job, processors, service } = fact.request
        this.#waiting.set(job, { job, arrival: fact.arrival, processors, service, attempt: 1 })
        return undefined
      }
      case 'refused':
        this.#waiting.delete(fact.job)
        if (this.#reservation?.job === fact.job) this.#reservation = null
        return undefined
      case 'passed':
        return this.#passed(fact, now)
      case 'started':
        return this.#started(fact, now)
      case 'priced':
        return this.#priced(fact, now)
      case 'extended': {
        const one = this.#running.get(fact.job)
        if (one) this.#running.set(fact.job, { ...one, end: fact.end })
        this.#asked.delete(fact.job)
        return undefined
      }
      case 'failed':
        return this.#failed(fact)
      case 'ended':
        this.#release(fact.job)
        return undefined
      case 'lost':
        return this.#lost(fact, now)
      case 'found':
        return this.#down.delete(fact.processor) ? undefined : `finds processor ${fact.processor}, which is not lost`
    }
  }

  #idle(): number[] {
    const busy = new Set([...this.#running.values()].flatMap(({ on }) => on))
    return Array.from({ length: this.#economy.processors }, (_, place) => place).filter(
      (place) => !busy.has(place) && !this.#down.has(place),
    )
  }

  #release(job: number): Running | undefined {
    const running = this.#running.get(job)
    this.#asked.delete(job)
    if (!running) return undefined
    this.#running.delete(job)
    if (this.#economy.policy.reservation === 'rescans') this.#reservation = null
    return running
  }

  #passed(fact: Told<'passed'>, now: Time): string | undefined {
    const { offers, skipped, starts } = fact
    const candidates = [...this.#waiting.values()]
      .filter(({ job }) => !skipped.includes(job))
      .sort((one, other) => one.arrival - other.arrival || one.job - other.job)
    const balances = new Map(offers?.jobs.map((job, i) => [job, offers.balances[i] ?? 0]))
    const bidders = candidates.map((one): Bidder => ({ ...one, balance: balances.get(one.job) ?? 0 }))
    const ends = [...this.#running.values()].flatMap(({ on, end }) => on.map(() => end))
    const { policy } = this.#economy
    const right = passAgain(policy, { now, idle: this.#idle().length, ends }, bidders, this.#reservation)
    const fault =
      this.#left() ??
      this.#considered(
        fact,
        candidates.map(({ job }) => job),
      ) ??
      faultOf(fact, right)
    this.#reservation = right.reservation
    this.#best = right.best
    for (const one of right.starts) this.#chosen.set(one.job, one)
    this.#seen = new Set([...this.#waiting.keys()].filter((job) => !starts.includes(job)))
    this.#unknown.clear()
    return fault
  }

  /** A job whose processor is lost has failed before the next pass. */
  #left(): string | undefined {
    const one = [...this.#running.values()].find(({ on }) => on.some((place) => this.#down.has(place)))
    return one && `lets job ${one.of.job} run on, although a processor of it is lost`
  }

  /** A pass considers all jobs that waited before it, in order of arrival, except those that the bank does not know. */
  #considered({ offers, skipped }: Told<'passed'>, candidates: readonly number[]): string | undefined {
    if (offers && !isSame(offers.jobs, candidates))
      return `compares ${inWords(offers.jobs)} instead of ${inWords(candidates)}`
    const unknown = offers ? this.#unknown.get(offers.pass) : undefined
    const left = skipped.filter((job) => this.#seen.has(job) && !unknown?.has(job))
    return left.length > 0 ? `leaves ${inWords(left)} out of a pass` : undefined
  }

  #started({ job, processors, kind, decided, wasted, price, paid }: Told<'started'>, now: Time): string | undefined {
    const of = this.#waiting.get(job)
    const chosen = this.#chosen.get(job)
    const idle = this.#idle()
    this.#waiting.delete(job)
    this.#chosen.delete(job)
    if (!of) return `starts job ${job}, which does not wait`
    const fresh = processors.filter((place) => !this.#used.has(place))
    const running: Running = { of, on: processors, fresh, since: now, end: now + of.service, paid }
    for (const place of processors) this.#used.add(place)
    this.#running.set(job, running)
    this.#sell(running, 1)
    if (!chosen) return `starts job ${job}, which no pass has chosen`
    if (!isSame(processors, idle.slice(0, of.processors)))
      return `starts job ${job} on ${processors.join()} and not on the first of ${idle.join()}`
    if (chosen.kind !== kind) return `starts job ${job} as ${kind}, which was chosen as ${chosen.kind}`
    return isOn(chosen.terms, { decided, wasted, price })
      ? undefined
      : `starts job ${job} for an offer of ${price} from ${instant(decided)}, not of ${chosen.terms.price} from ${instant(chosen.terms.decided)}`
  }

  #failed({ job, attempt }: Told<'failed'>): string | undefined {
    const running = this.#release(job)
    if (running) this.#sell(running, -1)
    const of = running?.of ?? this.#waiting.get(job)
    const idle = this.#idle().length
    if (!of) return `fails job ${job}, which neither runs nor waits`
    this.#waiting.set(job, { ...of, attempt: of.attempt + 1 })
    const isChosen = this.#chosen.delete(job)
    if (attempt !== of.attempt) return `fails attempt ${attempt} of job ${job}, not attempt ${of.attempt}`
    if (running) return undefined
    if (!isChosen) return `fails job ${job}, which no pass has chosen`
    return idle >= of.processors ? `does not start job ${job}, although ${idle} processors are idle` : undefined
  }

  /** A processor in attempt k is lost after k inspections in a row without an answer. */
  #lost({ processor }: Told<'lost'>, now: Time): string | undefined {
    const isAgain = this.#down.has(processor)
    this.#down.add(processor)
    if (isAgain) return `loses processor ${processor} again`
    if (!this.#used.has(processor)) return `loses processor ${processor}, which had no job`
    const { patience } = this.#economy
    // the silence of another processor may have begun in an earlier job
    const running = [...this.#running.values()].find(({ fresh }) => fresh.includes(processor))
    if (!running || patience === null) return undefined
    const { attempt } = running.of
    const silent = now - Math.max(running.since, this.#died)
    return silent < attempt * patience
      ? `loses processor ${processor} in attempt ${attempt} of job ${running.of.job} after ${instant(silent)}`
      : undefined
  }

  /**
   * Extra time costs the smoothed price of equation 2: between the best offer that the last pass left waiting and the mean price of the
   * work that was sold and not refunded.
   */
  #priced({ job, cost }: Told<'priced'>, now: Time): string | undefined {
    const { overrun } = this.#economy
    const running = this.#running.get(job)
    if (!overrun || !running) return `sells extra time to job ${job}, which does not run`
    if (now < running.end + overrun.grace) return `sells extra time to job ${job} before the end of its time`
    if (this.#asked.has(job)) return `asks job ${job} to pay twice for one piece`
    this.#asked.add(job)
    const minutes = toUnits(overrun.lasts)
    const mean = this.#sold.work > 0 ? this.#sold.money / this.#sold.work : 0
    const weight = Math.exp(-overrun.alpha * minutes)
    const best = this.#waiting.size > 0 ? this.#best : 0
    const right = (weight * best + (1 - weight) * mean) * running.of.processors * minutes
    return isNear(cost, right) ? undefined : `sells extra time to job ${job} for ${cost}, not ${right}`
  }

  #sell({ of: { processors, service }, paid }: Running, sign: 1 | -1): void {
    this.#sold.money += sign * paid
    this.#sold.work += sign * toUnits(processors * service)
  }
}

/** What is wrong with the starts and the reservation of a pass. */
function faultOf({ starts, reservation }: Told<'passed'>, right: Decision): string | undefined {
  const jobs = right.starts.map(({ job }) => job)
  if (!isSame(starts, jobs)) return `starts ${inWords(starts)} instead of ${inWords(jobs)}`
  const isReserved = reservation?.job === right.reservation?.job && reservation?.start === right.reservation?.start
  return isReserved ? undefined : `reserves for ${reservedIn(reservation)} instead of ${reservedIn(right.reservation)}`
}

const isOn = (terms: Terms, { decided, wasted, price }: Terms): boolean =>
  terms.decided === decided && terms.wasted === wasted && isNear(terms.price, price)

/**
 * Each pass, start, failure and price of the scheduler follows from its policy and from what it has told before: its jobs, the
 * processors that it takes for lost, and the balances that it compares. With income to come, offers depend on rates that no fact
 * tells; a scheduler without records forgets its jobs when it dies. Then nothing is asked.
 */
export const schedulerDecisions = (economy: Economy): readonly Property[] => {
  const { policy, durable } = economy
  if (!durable || policy.future !== null) return []
  const decided = safety('the scheduler decides by its policy, its jobs and their balances', () => {
    const decisions = new Decisions(economy)
    return {
      fold: ({ fact, who, at }) => {
        if (isQuoted(fact, who)) decisions.quoted(fact)
        if (!isScheduler(fact, who)) return undefined
        const fault = decisions.fold(fact, at)
        return fault && `at ${instant(at)} it ${fault}`
      },
      died: (who, at) => {
        if (who === SCHEDULER) decisions.died(at)
      },
    }
  })
  return [about(TYPES, decided), about(['quoted', 'passed'], quotedForPass)]
}

const TYPES = [
  'accepted',
  'refused',
  'passed',
  'started',
  'priced',
  'extended',
  'failed',
  'ended',
  'lost',
  'found',
  'quoted',
]

/**
 * A pass decides with the balances that the bank has quoted for it. A quote that is repeated may be answered again: the pass may use any
 * answer, but none of another pass.
 */
const quotedForPass = safety('a pass decides with the balances that the bank quotes for it', () => {
  /** The balances that the bank has told, by pass and job. */
  const told = new Map<string, Map<number, (number | null)[]>>()
  return {
    fold: ({ fact, who, at }) => {
      if (isQuoted(fact, who)) {
        const before = told.get(fact.pass) ?? new Map<number, (number | null)[]>()
        told.set(fact.pass, before)
        for (const [i, job] of fact.jobs.entries())
          before.set(job, [...(before.get(job) ?? []), fact.balances[i] ?? null])
      }
      if (!isScheduler(fact, who) || fact.type !== 'passed' || !fact.offers) return undefined
      const { pass, jobs, balances } = fact.offers
      const quoted = told.get(pass)
      told.clear()
      const wrong = jobs.flatMap((job, i) =>
        quoted?.get(job)?.includes(balances[i] ?? 0) ? [] : [`job ${job} has ${balances[i]} in pass ${pass}`],
      )
      return wrong.length > 0 ? `at ${instant(at)} ${wrong.join(', ')}` : undefined
    },
  }
})
