/** Promises about the decisions of a broker: each follows from the answers that it has told before. */
import type { BrokerFact } from '../../../actors/contracts/broker-state.ts'
import type { BrokerTerms } from '../../../actors/contracts/terms.ts'
import { type Address, roleOf, type Time } from '../../../lib/actor.ts'
import type { Property } from '../../../lib/scenario/oracle.ts'
import { instant, safety } from '../../../lib/scenario/promises/safety.ts'
import { type ContractsMarket, siteOf } from '../model.ts'
import { type FactOf, isBroker, isClient, isSite } from './facts.ts'

type Told<T extends BrokerFact['type']> = FactOf<BrokerFact, T>
type Offer = NonNullable<Told<'answered'>['offer']>

/** The last round of a search, as the broker remembers it. */
interface Search {
  /** The number of the last round; 0 for one that a restart has forgotten. */
  readonly round: number
  readonly since: Time
  /** How many rounds there were. */
  readonly rounds: number
  readonly answers: ReadonlyMap<Address, Offer | null>
  /** The sites that were awarded the task in this round. */
  readonly tried: readonly Address[]
  /** The site that was awarded the task last; null before. A restart does not forget it. */
  readonly awarded: Address | null
  readonly state: 'soliciting' | 'awarded'
}

/** Judges the decisions of the broker. */
class Decisions {
  readonly #terms: BrokerTerms
  readonly #patience: Time | null
  readonly #sites: readonly Address[]
  readonly #searches = new Map<number, Search>()
  /** Sites that the broker need not wait for until they answer. */
  readonly #silent = new Set<Address>()
  /** Sites that a client has given up. */
  readonly #lost = new Set<Address>()
  /** What the next fact must be. */
  #next: { readonly type: BrokerFact['type']; readonly task: number; readonly because: string } | null = null

  constructor({ broker, patience, sites }: ContractsMarket) {
    this.#terms = broker
    this.#patience = patience
    this.#sites = sites.map((_, i) => siteOf(i))
  }

  lost(site: Address): void {
    this.#lost.add(site)
  }

  /** The broker persists its searches and their awards, and has forgotten all answers. */
  died(): void {
    this.#next = null
    this.#silent.clear()
    for (const [task, one] of this.#searches) {
      this.#searches.set(task, { ...one, round: 0, answers: new Map(), tried: [] })
    }
  }

  fold(fact: BrokerFact, now: Time): string | undefined {
    const next = this.#next
    this.#next = null
    if (next && (next.type !== fact.type || next.task !== fact.task)) return `${next.because} of task ${next.task}`
    switch (fact.type) {
      case 'opened':
        return this.#opened(fact, now)
      case 'answered':
        return this.#answered(fact)
      case 'doubted':
        return this.#doubted(fact, now)
      case 'passed':
      case 'declined':
        return this.#passed(fact)
      case 'decided':
        return this.#decided(fact, now)
      case 'closed':
        return this.#closed(fact)
    }
  }

  #opened({ task, round }: Told<'opened'>, now: Time): string | undefined {
    const before = this.#searches.get(task)
    const others = [...this.#searches].filter(([other, { state }]) => other !== task && state === 'soliciting')
    const rounds = (before?.rounds ?? 0) + 1
    this.#searches.set(task, {
      round,
      since: now,
      rounds,
      answers: new Map(),
      tried: [],
      awarded: null,
      state: 'soliciting',
    })
    const [other] = others
    return !before && other && this.#terms.rounds === 'one by one'
      ? `asks about task ${task} before it has decided on task ${other[0]}`
      : undefined
  }

  #answered({ task, round, site, offer }: Told<'answered'>): string | undefined {
    this.#silent.delete(site)
    const one = this.#searches.get(task)
    if (one?.state !== 'soliciting' || one.round !== round || one.answers.has(site)) return undefined
    const answers = new Map(one.answers).set(site, offer)
    this.#searches.set(task, { ...one, answers })
    if (this.#sites.every((other) => answers.has(other) || this.#silent.has(other))) {
      this.#next = { type: 'decided', task, because: 'waits longer for answers than it must' }
    }
    return undefined
  }

  #doubted({ task, sites, why }: Told<'doubted'>, now: Time): string | undefined {
    const one = this.#searches.get(task)
    for (const site of sites) this.#silent.add(site)
    if (why === 'given up') {
      const wrong = sites.find((site) => !this.#lost.has(site))
      return wrong && `doubts ${wrong}, which no client has given up`
    }
    if (why === 'passed over') {
      const wrong = sites.find((site) => site !== one?.awarded)
      return wrong && `doubts ${wrong}, which was not awarded task ${task}`
    }
    this.#next = { type: 'decided', task, because: 'does not decide although it does not wait for answers' }
    const longest = this.#terms.wait ?? this.#patience
    if (!one || longest === null || now < one.since + longest)
      return `waits for answers about task ${task} for less than its time`
    const wrong = sites.find((site) => one.answers.has(site))
    return wrong && `doubts ${wrong}, which has answered`
  }

  #passed({ task, site }: Told<'passed'>): string | undefined {
    const one = this.#searches.get(task)
    this.#next = { type: 'decided', task, because: 'does not decide after a site was passed over' }
    return one?.awarded === site ? undefined : `passes over ${site}, which was not awarded task ${task}`
  }

  #decided({ task, round, site, again }: Told<'decided'>, now: Time): string | undefined {
    const one = this.#searches.get(task)
    if (!one) return `decides on task ${task} without having asked`
    const tried = site === null ? one.tried : [...one.tried, site]
    this.#searches.set(task, { ...one, tried, awarded: site, state: site === null ? 'soliciting' : 'awarded' })
    if (site === null)
      this.#next = { type: again ? 'opened' : 'closed', task, because: 'neither asks again nor ends the search' }
    const awaited = this.#sites.find((other) => !one.answers.has(other) && !this.#silent.has(other))
    if (one.state === 'soliciting' && awaited)
      return `decides on task ${task} without ${awaited}, which it has heard since it last waited for it in vain`
    const best = this.#best(one, now)
    if (site !== best) return `awards task ${task} in round ${round} to ${site ?? 'no site'}, not to ${best ?? 'none'}`
    const isOpen = one.answers.size === 0 || [...one.answers.values()].some((offer) => offer !== null)
    const mustAgain = site === null && isOpen && one.rounds <= this.#terms.rebids
    return again === mustAgain
      ? undefined
      : `${again ? 'asks again' : 'does not ask again'} about task ${task} after ${one.rounds} rounds`
  }

  /** The best offer that has not expired, of sites that were not awarded the task in this round. */
  #best({ answers, tried }: Search, now: Time): Address | null {
    let best: readonly [Address, Offer] | null = null
    for (const site of this.#sites) {
      const offer = answers.get(site)
      if (!offer || tried.includes(site) || (offer.expires !== null && offer.expires < now)) continue
      if (!best || this.#isBetter(offer, best[1])) best = [site, offer]
    }
    return best?.[0] ?? null
  }

  #isBetter(one: Offer, other: Offer): boolean {
    const [sooner, cheaper] = [other.completion - one.completion, other.price - one.price]
    return (this.#terms.preference === 'earliest' ? sooner || cheaper : cheaper || sooner) > 0
  }

  #closed({ task, site }: Told<'closed'>): string | undefined {
    const awarded = this.#searches.get(task)?.awarded ?? null
    this.#searches.delete(task)
    return site === awarded
      ? undefined
      : `ends the search for task ${task} by ${site}, but has awarded it to ${awarded}`
  }
}

/**
 * The broker waits for each site that it has heard since it last waited for it in vain, awards a task to the best of the offers that it
 * has heard, and asks again as often as its terms say.
 */
export const brokerDecisions = (market: ContractsMarket): Property =>
  safety('a broker decides by its terms and the answers that it has heard', () => {
    const decisions = new Decisions(market)
    return {
      fold: ({ fact, who, at }) => {
        if (isClient(fact, who) && fact.type === 'lost') decisions.lost(fact.site)
        const fault = isBroker(fact, who) ? decisions.fold(fact, at) : undefined
        return fault && `${who} at ${instant(at)} ${fault}`
      },
      died: (who) => {
        if (roleOf(who) === 'broker') decisions.died()
      },
    }
  })

/** The sites offered what the broker says that it heard. */
export const heardOffers: Property = safety('a broker hears only what a site has offered', () => {
  const offered = new Set<string>()
  const keyOf = (site: Address, task: unknown, { completion, price }: Pick<Offer, 'completion' | 'price'>) =>
    `task ${task} at ${site}: ${completion} for ${price}`
  return {
    fold: ({ fact, who }) => {
      if (isSite(fact, who) && fact.type === 'offered') offered.add(keyOf(who, fact.task, fact))
      if (!isBroker(fact, who) || fact.type !== 'answered' || fact.offer === null) return undefined
      const heard = keyOf(fact.site, fact.task, fact.offer)
      return offered.has(heard) ? undefined : heard
    },
  }
})
