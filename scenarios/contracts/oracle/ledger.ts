/**
 * An oracle for tasks: it records what became of every task, and checks the invariants of sites and clients. It folds the
 * facts of a run as they come; no actor knows of it.
 */

import type { ClientFact } from '../../../actors/contracts/client-state.ts'
import type { SiteFact } from '../../../actors/contracts/site-state.ts'
import { type Task, yieldOf } from '../../../actors/contracts/values.ts'
import type { ProcessorFact } from '../../../actors/processor/messages.ts'
import { type Address, type Message, machineOf, roleOf, type Time } from '../../../lib/actor.ts'
import type { Violation } from '../../../lib/scenario/oracle.ts'
import { Executions } from './executions.ts'
import { isBroker, isClient, isSite } from './facts.ts'

export interface Rules {
  /** The largest penalty in dollars of tasks whose penalty is unbounded. */
  readonly claimCap: number
  /** Whether all mail takes equally long. Then sites and processors agree on how long a task ran. */
  readonly isEven: boolean
}

const isProcessor = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'

export class Ledger {
  readonly broken: Violation[] = []
  /** Awards that were turned down. */
  reneged = 0
  readonly #rules: Rules
  readonly #told = new Map<number, TaskFacts>()
  /** The records as of the last fact; null: they have to be computed again. */
  #stories: ReadonlyMap<number, TaskRecord> | null = null
  /** The slack of each offer, by site and task. */
  readonly #slacks = new Map<string, number>()
  readonly #executions = new Executions()

  constructor(rules: Rules) {
    this.#rules = rules
  }

  get tasks(): ReadonlyMap<number, TaskRecord> {
    this.#stories ??= new Map([...this.#told].map(([task, told]) => [task, recordOf(task, told)]))
    return this.#stories
  }

  /** Takes in one fact. Facts of other roles are ignored. */
  fold(fact: Message, who: Address, at: Time): void {
    this.#stories = null
    if (isSite(fact, who)) this.#ofSite(machineOf(who), fact, at)
    else if (isClient(fact, who)) this.#ofClient(fact)
    else if (isProcessor(fact, who)) this.#executions.fold(fact, who)
    else if (isBroker(fact, who) && fact.type === 'passed') {
      this.#change(fact.task, (told) => ({
        ...told,
        passed: [...told.passed, inRound(fact.round, machineOf(fact.site))],
      }))
      this.#giveUp(fact.task, machineOf(fact.site))
    }
  }

  /** Checks the end of a run whose broker is alive: no task and no contract was forgotten. */
  close(dead: ReadonlySet<Address> = new Set()): void {
    const hasClient = ![...dead].some((who) => roleOf(who) === 'client')
    const sites = new Set([...dead].flatMap((who) => (roleOf(who) === 'site' ? [machineOf(who)] : [])))
    for (const [task, told] of this.#told) {
      if (hasClient) this.#closeAnswer(task, told)
      for (const deal of told.deals.values())
        this.#closeDeal(task, told, deal, { hasClient, isDead: sites.has(deal.site) })
    }
  }

  #closeAnswer(task: number, { answer, paid, told, deals }: TaskFacts): void {
    if (answer === null && paid === null) this.#broke('a client learns the outcome of each task', `task ${task}`)
    const without = told.filter((site) => !deals.has(site))
    if (without.length > 0)
      this.#broke('a client is only told of contracts that exist', `task ${task} with ${without.join()}`)
  }

  /**
   * Checks that a contract is settled or a claim is recorded. Nothing is owed if its client never heard of it, or if another
   * site was paid and this one was not given up. A claim on the site that was paid must have been withdrawn.
   */
  #closeDeal(task: number, { told, paid }: TaskFacts, deal: Deal, ends: { hasClient: boolean; isDead: boolean }): void {
    const { site, state, finish, claim, isLost } = deal
    if (paid?.site === site && claim !== null && claim > 0) {
      this.#broke('a site that was paid for a task owes no claim for it', `task ${task}: ${site} owes ${claim}`)
    }
    if (state !== 'open') return
    if (!ends.isDead && finish === null) this.#broke('a task under contract is done', `task ${task} at ${site}`)
    if (!ends.hasClient) return
    const isFree = paid !== null && (paid.site === site || !isLost)
    if ((!ends.isDead || told.includes(site)) && !isFree && claim === null) {
      this.#broke('every contract is settled, or a claim recorded', `task ${task} at ${site}`)
    }
    if (!ends.isDead) this.#broke('a site gets an answer to each bill', `task ${task} at ${site}`)
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  // --- sites ----------------------------------------------------------------------------------------------------------

  #ofSite(site: string, fact: SiteFact, at: Time): void {
    if (!('task' in fact)) return
    const { task } = fact
    switch (fact.type) {
      case 'offered':
        this.#slacks.set(`${site} ${task}`, fact.slack)
        return
      case 'refused':
        return
      case 'reneged':
        this.reneged += 1
        return
      case 'taken':
        return this.#take(site, fact)
      case 'began':
        this.#executions.began(site, fact.processor)
        return this.#deal(task, site, (deal) => ({ ...deal, start: deal.start ?? at }))
      case 'preempted':
        return this.#deal(task, site, (deal) => ({ ...deal, preempted: deal.preempted + 1 }))
      case 'failed':
        this.#executions.failed(site, fact.processor, { task, attempt: fact.attempt })
        return this.#deal(task, site, (deal) => ({ ...deal, failures: deal.failures + 1 }))
      case 'earned':
        return this.#deal(task, site, (deal, { of }) => {
          if (deal.finish !== null) this.#broke('a task is done once', `task ${task} was done again at ${site}`)
          this.#settles(of, deal, fact)
          return { ...deal, finish: fact.finish, yield: fact.yield, earned: fact.paid }
        })
      case 'received':
      case 'voided':
        return this.#deal(task, site, (deal, { paid }) => {
          if ((fact.type === 'received') !== (paid?.site === site)) {
            this.#broke('only the paid site gets a receipt', `task ${task}: ${fact.type} at ${site}`)
          }
          return { ...deal, state: fact.type }
        })
    }
  }

  #take(site: string, { task, round, completion, price }: Extract<SiteFact, { type: 'taken' }>): void {
    this.#change(task, (told) => {
      const isLate = told.passed.includes(inRound(round, site))
      const other = [...told.deals.values()].find((deal) => deal.site === site || (isLive(deal) && !isLate))
      if (other) this.#broke('a task has one contract', `task ${task} at ${other.site} and ${site}`)
      const slack = this.#slacks.get(`${site} ${task}`) ?? null
      const promised = { site, promised: completion, price, slack }
      const deal: Deal = { ...NOTHING, ...promised, isLost: isLate, state: 'open', claim: null }
      return { ...told, deals: new Map(told.deals).set(site, deal) }
    })
  }

  /** Checks a settlement against the value function (equation 1) and the contract. */
  #settles(of: Task, { site, price, preempted }: Deal, fact: Extract<SiteFact, { type: 'earned' }>): void {
    const { task } = fact
    const ran = this.#executions.ranOf(site, task)
    const { isEven } = this.#rules
    if (isEven ? ran !== of.runtime : preempted === 0 && ran < of.runtime) {
      this.#broke('a task runs for its runtime', `task ${task} ran for ${ran} of ${of.runtime}`)
    }
    const worth = yieldOf(of, fact.finish)
    if (fact.yield !== worth) {
      this.#broke('a yield follows from the value function', `task ${task}: ${fact.yield}, expected ${worth}`)
    }
    const due = Math.min(worth, price)
    if (fact.paid !== due) {
      this.#broke(
        'the amount due is the price, or the yield if that is less',
        `task ${task}: ${fact.paid}, expected ${due}`,
      )
    }
  }

  // --- clients --------------------------------------------------------------------------------------------------------

  #ofClient(fact: ClientFact): void {
    const { task } = fact
    switch (fact.type) {
      case 'requested':
        if (!this.#told.has(task)) {
          const { of } = fact
          this.#told.set(task, { of, answer: null, deals: new Map(), told: [], passed: [], paid: null })
        }
        return
      case 'unplaced':
        return this.#change(task, (told) => ({ ...told, answer: 'unplaced' }))
      case 'placed': {
        const site = machineOf(fact.site)
        return this.#change(task, (told) => ({ ...told, answer: 'placed', told: [...told.told, site] }))
      }
      case 'lost':
        return this.#giveUp(task, machineOf(fact.site))
      case 'paid':
        return this.#pay(machineOf(fact.site), fact)
      case 'claimed':
        return this.#claim(machineOf(fact.site), fact)
    }
  }

  #giveUp(task: number, site: string): void {
    if (this.#told.get(task)?.deals.has(site)) this.#deal(task, site, (deal) => ({ ...deal, isLost: true }))
  }

  #pay(site: string, { task, finish, paid: amount }: Extract<ClientFact, { type: 'paid' }>): void {
    this.#change(task, (told) => {
      if (told.paid !== null) this.#broke('a task is paid once', `task ${task}`)
      const earned = told.deals.get(site)?.earned
      if (earned !== amount) {
        this.#broke('the client pays the amount that the site earned', `task ${task}: paid ${amount}, earned ${earned}`)
      }
      return { ...told, paid: { site, finish, amount } }
    })
  }

  /** Checks a claim (section 6): the price less the final yield of the task, or the highest claim if the task is not done. */
  #claim(site: string, { task, amount }: Extract<ClientFact, { type: 'claimed' }>): void {
    this.#deal(task, site, (deal, { of, paid }) => {
      if (!deal.isLost) this.#broke('only a site that was given up owes a claim', `task ${task} at ${site}`)
      const most = deal.price + (of.worth.bound ?? this.#rules.claimCap)
      if (amount < 0 || amount > Math.max(0, most)) {
        this.#broke('a claim is capped', `task ${task}: ${amount}, at most ${most}`)
      }
      const rest = paid ? deal.price - yieldOf(of, paid.finish) : most
      const due = paid?.site === site ? 0 : Math.max(0, Math.min(most, rest))
      if (amount !== due) {
        this.#broke('a claim is the promised price less the final yield', `task ${task}: ${amount}, expected ${due}`)
      }
      return { ...deal, claim: amount }
    })
  }

  #change(task: number, change: (told: TaskFacts) => TaskFacts): void {
    const told = this.#told.get(task)
    if (told) this.#told.set(task, change(told))
    else this.#broke('facts only concern tasks that were requested', `task ${task}`)
  }

  #deal(task: number, site: string, change: (deal: Deal, told: TaskFacts) => Deal): void {
    this.#change(task, (told) => {
      const deal = told.deals.get(site)
      if (deal) return { ...told, deals: new Map(told.deals).set(site, change(deal, told)) }
      this.#broke('only a site with a contract reports on the task', `task ${task} at ${site}`)
      return told
    })
  }
}

// --- records ------------------------------------------------------------------------------------------------------------

/** A contract of a task with a site, and its progress. Money is in dollars. */
interface Deal {
  /** The name of the site's machine. */
  readonly site: string
  readonly promised: Time
  readonly price: number
  /** The slack of the accepted offer, in units. */
  readonly slack: number | null
  /** When the task first began. */
  readonly start: Time | null
  readonly finish: Time | null
  readonly yield: number | null
  readonly earned: number | null
  readonly preempted: number
  /** How often a processor lost the task. */
  readonly failures: number
  /** Whether the client or the broker has given the site up and looks for another. The contract stands. */
  readonly isLost: boolean
  readonly state: 'open' | 'received' | 'voided'
  /** The dollars that the site owes because it was given up; null: nothing was claimed. */
  readonly claim: number | null
}

/** One task with its contract. The contract that counts is the one that was paid, or else the last. */
export interface TaskRecord extends Omit<Deal, 'site' | 'promised' | 'price' | 'isLost' | 'state' | 'claim'> {
  readonly task: number
  readonly of: Task
  /** The last answer to the client; null: none yet. */
  readonly answer: 'placed' | 'unplaced' | null
  /** The site; null: none took the task. */
  readonly site: string | null
  readonly promised: Time | null
  readonly price: number | null
  readonly paid: number | null
  /** All contracts, in the order of their acceptance. */
  readonly deals: readonly Deal[]
}

/** The state of a task, as the facts tell it. */
interface TaskFacts {
  readonly of: Task
  readonly answer: TaskRecord['answer']
  /** The contracts by site. */
  readonly deals: ReadonlyMap<string, Deal>
  /** Sites that the client was told of. */
  readonly told: readonly string[]
  /** The sites that the broker gave up in a round (`inRound`). */
  readonly passed: readonly string[]
  readonly paid: { readonly site: string; readonly finish: Time; readonly amount: number } | null
}

const inRound = (round: number, site: string): string => `${round} ${site}`

/** The progress of a contract that has just been made. */
const NOTHING = { slack: null, start: null, finish: null, yield: null, earned: null, preempted: 0, failures: 0 }

/** Whether the client counts on this contract. */
const isLive = ({ isLost, state }: Deal): boolean => state === 'open' && !isLost

function recordOf(task: number, { of, answer, deals, paid }: TaskFacts): TaskRecord {
  const all = [...deals.values()]
  const counts = (paid && deals.get(paid.site)) ?? all.at(-1)
  const { slack, start, finish, yield: worth, earned, preempted, failures } = counts ?? NOTHING
  const { site = null, promised = null, price = null } = counts ?? {}
  const run = { slack, start, finish, yield: worth, earned, preempted, failures }
  return { task, of, answer, site, promised, price, ...run, paid: paid?.amount ?? null, deals: all }
}
