/** Promises about the decisions of sites: each follows from what the site has told before. */
import type { SiteFact } from '../../../actors/contracts/site-state.ts'
import type { Task } from '../../../actors/contracts/values.ts'
import { type Address, type Time, toUnits } from '../../../lib/actor.ts'
import type { Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { type ContractsMarket, processorsOf, siteOf } from '../model.ts'
import { type FactOf, isSite } from './facts.ts'
import { challengersOf, fieldOf, quoteOf, Ranking } from './quoting.ts'
import { type Contract, SiteBook } from './site-book.ts'
import { compareSlack, isAmount } from './valuing.ts'

type Terms = ContractsMarket['sites'][number]
type Told<T extends SiteFact['type']> = FactOf<SiteFact, T>

/** The book of each site, empty. */
function booksOf({ sites, tasks, patience }: ContractsMarket): ReadonlyMap<Address, SiteBook> {
  const byNumber = new Map<number, Task>(tasks.map((one) => [one.task, one]))
  return new Map(
    sites.map(({ processors }, i) => [
      siteOf(i),
      new SiteBook(processorsOf(i, processors), byNumber, patience !== null),
    ]),
  )
}

/** The work that a processor gets is the runtime of the task, less what its site has seen it run since it was last lost. */
export const restOfWork = (market: ContractsMarket): Property =>
  safety('a task goes on with the work that it has left', () => {
    const books = booksOf(market)
    const ordered = new Map<string, Time>()
    const keyOf = (task: unknown, attempt: unknown, processor: unknown) => `${task}.${attempt} ${processor}`
    return {
      fold: ({ fact, who, at }) => {
        const book = books.get(who)
        if (book && isSite(fact, who)) {
          book.fold(fact, at)
          const contract = fact.type === 'began' ? book.contracts.get(fact.task) : undefined
          if (contract) ordered.set(keyOf(contract.of.task, contract.attempt, contract.on), contract.left)
        }
        if (fact.type !== 'started') return undefined
        const left = ordered.get(keyOf(fact['task'], fact['attempt'], who))
        return left === undefined || left === fact['work']
          ? undefined
          : `task ${fact['task']}, attempt ${fact['attempt']}, on ${who}: ${toUnits(Number(fact['work']))} of ${toUnits(left)} units`
      },
    }
  })

/** Judges the decisions of one site. */
class Decisions {
  readonly #who: Address
  readonly #terms: Terms
  readonly #book: SiteBook
  readonly #tasks: ReadonlyMap<number, Task>
  /** The tasks that another site took: the broker may have withdrawn the award of this one. */
  readonly #elsewhere: ReadonlySet<number>
  /** The preemption that the next start completes: the processor, and whether this contract may begin there. */
  #preemption: { readonly on: Address; readonly fault: (next: Contract) => string | undefined } | null = null

  constructor(who: Address, terms: Terms, book: SiteBook, tasks: ReadonlyMap<number, Task>, elsewhere: Set<number>) {
    this.#who = who
    this.#terms = terms
    this.#book = book
    this.#tasks = tasks
    this.#elsewhere = elsewhere
  }

  fold(fact: SiteFact, now: Time): string | undefined {
    const fault = this.#faultOf(fact, now)
    this.#book.fold(fact, now)
    return fault && `${this.#who} at ${instant(now)} ${fault}`
  }

  died(): void {
    this.#preemption = null
    this.#book.died()
  }

  #faultOf(fact: SiteFact, now: Time): string | undefined {
    const preemption = this.#preemption
    this.#preemption = null
    if (preemption && !(fact.type === 'began' && fact.processor === preemption.on))
      return `leaves ${preemption.on} idle after a preemption`
    switch (fact.type) {
      case 'offered':
        return this.#offered(fact, now)
      case 'refused':
        return this.#refused(fact, now)
      case 'taken':
        return this.#taken(fact, now)
      case 'reneged':
        return this.#reneged(fact, now)
      case 'began': {
        const contract = this.#book.contracts.get(fact.task)
        if (contract?.state !== 'waiting') return `begins task ${fact.task}, which does not wait`
        return preemption ? preemption.fault(contract) : this.#began(contract, fact.processor, now)
      }
      case 'preempted':
        return this.#preempted(fact, now)
      case 'dispatched':
        return this.#dispatched(now)
      default:
        return undefined
    }
  }

  #quote(task: number, now: Time, award: Time) {
    const of = this.#tasks.get(task)
    return of ? quoteOf(this.#book, this.#terms, of, now, award) : null
  }

  get #isDown(): boolean {
    return this.#book.down.size === this.#book.processors.length
  }

  #offered({ task, slack, completion, price }: Told<'offered'>, now: Time): string | undefined {
    if (this.#book.known.has(task)) return `offers to do task ${task}, which it has taken before`
    if (this.#isDown) return `offers to do task ${task} without a processor`
    const right = this.#quote(task, now, this.#terms.allowance)
    if (!right) return undefined
    if (completion !== right.completion)
      return `promises task ${task} for ${instant(completion)} instead of ${instant(right.completion)}`
    if (!isAmount(price, right.price)) return `offers task ${task} for ${price} instead of ${right.price} dollars`
    if (compareSlack(right.slack, slack) !== 0)
      return `offers task ${task} with a slack of ${slack}, not ${right.slack.gain / right.slack.decay}`
    const { threshold } = this.#terms
    return threshold !== null && compareSlack(right.slack, threshold) < 0
      ? `offers task ${task}, whose slack of ${slack} is below ${threshold}`
      : undefined
  }

  #refused({ task, slack }: Told<'refused'>, now: Time): string | undefined {
    if (this.#book.known.has(task) || this.#isDown) return undefined
    const { threshold } = this.#terms
    if (threshold === null) return `refuses task ${task} without a threshold`
    const right = this.#quote(task, now, this.#terms.allowance)
    return right && compareSlack(right.slack, threshold) > 0
      ? `refuses task ${task}, whose slack of ${slack} is not below ${threshold}`
      : undefined
  }

  #isExpired(at: Time, now: Time): boolean {
    return this.#terms.expiry !== null && at + this.#terms.expiry < now
  }

  #taken({ task, completion, price }: Told<'taken'>, now: Time): string | undefined {
    const offer = this.#book.offers.get(task)
    const all = this.#book.all.get(task) ?? []
    if (!offer || !all.some((one) => one.completion === completion && one.price === price))
      return `takes task ${task} by terms that it does not offer`
    if (this.#isExpired(offer.at, now)) return `takes task ${task}, whose offer has expired`
    const right = this.#terms.stale === 'renege' ? this.#quote(task, now, 0) : null
    return right && right.completion > offer.completion
      ? `takes task ${task}, although it would be done at ${instant(right.completion)} and not at ${instant(offer.completion)}`
      : undefined
  }

  /** The award may be one of an older offer, or come after a withdrawal. Then it is not judged. */
  #reneged({ task }: Told<'reneged'>, now: Time): string | undefined {
    const offer = this.#book.offers.get(task)
    if (this.#book.all.get(task)?.length !== 1 || !offer || this.#elsewhere.has(task)) return undefined
    if (this.#isExpired(offer.at, now)) return undefined
    if (this.#terms.stale === 'honour') return `reneges on task ${task}, whose offer stands`
    const right = this.#quote(task, now, 0)
    return right && right.completion <= offer.completion
      ? `reneges on task ${task}, although its promise of ${instant(offer.completion)} can be kept`
      : undefined
  }

  #ranking(now: Time): Ranking | null {
    const field = fieldOf(this.#book, this.#terms, now)
    return field && new Ranking(field, this.#terms, now)
  }

  #began(contract: Contract, processor: Address, now: Time): string | undefined {
    const { task } = contract.of
    if (!this.#book.idle().includes(processor)) return `begins task ${task} on ${processor}, which is not idle`
    const ranking = this.#ranking(now)
    const best = ranking && this.#better(ranking, contract, this.#book.in('waiting', now))
    return best ? `begins task ${task}, although task ${best.of.task} ranks higher` : undefined
  }

  /** A task that must begin before another one. */
  #better(ranking: Ranking, one: Contract, all: readonly Contract[]): Contract | undefined {
    return all.find((other) => other !== one && !ranking.isUnclear(other, one) && ranking.isBefore(other, one))
  }

  #preempted({ task, processor }: Told<'preempted'>, now: Time): string | undefined {
    const running = this.#book.in('running', now)
    const lowest = running.find(({ of, on }) => of.task === task && on === processor)
    if (!lowest) return `preempts task ${task}, which does not run on ${processor}`
    if (this.#terms.preempt === 0) return `preempts task ${task}, although it must not preempt`
    const challengers = challengersOf(this.#book, this.#terms, now)
    const ranking = this.#ranking(now)
    this.#preemption = {
      on: processor,
      fault: (next) => {
        const challenger = challengers.find(({ of }) => of.task === next.of.task)
        if (!challenger) return `lets task ${next.of.task} preempt, which may not`
        if (!ranking) return undefined
        if (ranking.compare(challenger, lowest) <= 0 && !ranking.isUnclear(challenger, lowest))
          return `lets task ${next.of.task} preempt task ${task}, which ranks as high`
        const best = this.#better(ranking, challenger, challengers)
        return best && `lets task ${next.of.task} preempt, although task ${best.of.task} ranks higher`
      },
    }
    const lower = running.find(
      (one) =>
        one !== lowest && one.left > 0 && ranking && !ranking.isUnclear(lowest, one) && ranking.isBefore(lowest, one),
    )
    return lower && `preempts task ${task}, although task ${lower.of.task} ranks lower`
  }

  #dispatched(now: Time): string | undefined {
    const [idle] = this.#book.idle()
    const [waiting] = this.#book.in('waiting', now)
    if (idle && waiting) return `leaves ${idle} idle, although task ${waiting.of.task} waits`
    const ranking = this.#ranking(now)
    if (!ranking) return undefined
    const running = this.#book.in('running', now).filter(({ left }) => left > 0)
    for (const one of challengersOf(this.#book, this.#terms, now)) {
      const lower = running.find((other) => ranking.compare(one, other) > 0)
      if (lower)
        return `lets task ${lower.of.task} run on, although task ${one.of.task} may preempt it and ranks higher`
    }
    return undefined
  }
}

/**
 * Each offer, refusal, contract, start and preemption of a site follows from its terms and from what it has told before: its contracts,
 * the times of their starts, and the processors that it takes for dead.
 */
export const siteDecisions = (market: ContractsMarket): Property =>
  safety('a site decides by its terms and its tasks', () => {
    const books = booksOf(market)
    const tasks = new Map(market.tasks.map((one) => [one.task, one]))
    const elsewhere = new Map<Address, Set<number>>([...books.keys()].map((site) => [site, new Set()]))
    const sites = new Map<Address, Decisions>()
    for (const [i, terms] of market.sites.entries()) {
      const [who, book] = [siteOf(i), books.get(siteOf(i))]
      if (book) sites.set(who, new Decisions(who, terms, book, tasks, elsewhere.get(who) ?? new Set()))
    }
    return {
      fold: ({ fact, who, at }) => {
        if (!isSite(fact, who)) return undefined
        if (fact.type === 'taken') for (const [other, taken] of elsewhere) if (other !== who) taken.add(fact.task)
        return sites.get(who)?.fold(fact, at)
      },
      died: (who) => sites.get(who)?.died(),
    }
  })
