/**
 * What became of every task, and whether sites and clients kept their promises: folded from the facts that they observe, while
 * they come. Nothing here is known to any actor.
 */
import { type Address, type Message, machineOf, roleOf, type Time } from '../../lib/actor.ts'
import type { Violation } from '../../lib/explore/stage.ts'
import type { ProcessorFact } from '../processor/messages.ts'
import type { ClientFact } from './client.ts'
import { Executions } from './executions.ts'
import type { SiteFact } from './site.ts'
import { type Task, yieldOf } from './values.ts'

/** One task, as far as it has come. Money in dollars. */
export interface Story {
  readonly task: number
  readonly of: Task
  /** What its client was told; null: nothing yet. */
  readonly answer: 'placed' | 'unplaced' | null
  /** The name of its site's machine; null: none took it. */
  readonly site: string | null
  readonly promised: Time | null
  readonly price: number | null
  /** Of the offer that was taken up, in units. */
  readonly slack: number | null
  /** When it began first. */
  readonly start: Time | null
  readonly finish: Time | null
  readonly yield: number | null
  readonly earned: number | null
  readonly paid: number | null
  readonly preempted: number
}

const NEW = {
  ...{ answer: null, site: null, promised: null, price: null, slack: null, start: null, finish: null },
  ...{ yield: null, earned: null, paid: null, preempted: 0 },
} as const

const isSite = (_: Message, who: Address): _ is SiteFact => roleOf(who) === 'site'
const isProcessor = (_: Message, who: Address): _ is ProcessorFact => roleOf(who) === 'processor'
const isClient = (_: Message, who: Address): _ is ClientFact => roleOf(who) === 'client'

export class Ledger {
  readonly tasks = new Map<number, Story>()
  readonly broken: Violation[] = []
  /** Awards that were turned down. */
  reneged = 0
  /** The slack of each offer, by site and task. */
  readonly #slacks = new Map<string, number>()
  readonly #executions = new Executions((property, text) => this.#broke(property, text))

  /** Takes in one fact; those of other roles are none of its business. */
  fold(fact: Message, who: Address, at: Time): void {
    if (isSite(fact, who)) this.#ofSite(machineOf(who), fact, at)
    else if (isClient(fact, who)) this.#ofClient(fact)
    else if (isProcessor(fact, who)) this.#ofProcessor(fact, who, at)
  }

  /** Once nothing is left to do: nobody was forgotten. Asked only where nobody died and no mail was lost for good. */
  close(): void {
    for (const { task, answer, site, finish, paid } of this.tasks.values()) {
      if (answer === null) this.#broke('a client hears what becomes of each task', `task ${task}`)
      if ((answer === 'placed') !== (site !== null)) {
        this.#broke('who is told of a contract has one', `task ${task}: ${answer}, at ${site ?? 'no site'}`)
      }
      if (site !== null && finish === null) this.#broke('what is taken on is done', `task ${task} at ${site}`)
      if (site !== null && paid === null) this.#broke('what is taken on is paid', `task ${task} at ${site}`)
    }
  }

  #ofProcessor(fact: ProcessorFact, who: Address, at: Time): void {
    this.#executions.fold(fact, who)
    if (fact.type !== 'started') return
    const arrival = this.tasks.get(fact.task)?.of.arrival ?? 0
    if (at < arrival) this.#broke('no task begins before it arrives', `task ${fact.task} at ${at}, arrival ${arrival}`)
  }

  #broke(property: string, text: string): void {
    this.broken.push({ property, text })
  }

  #ofSite(site: string, fact: SiteFact, at: Time): void {
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
        return this.#change(task, (story) => {
          if (story.site !== null) this.#broke('a task has one contract', `task ${task} at ${story.site} and ${site}`)
          const slack = this.#slacks.get(`${site} ${task}`) ?? null
          return { ...story, site, promised: fact.completion, price: fact.price, slack }
        })
      case 'began':
        return this.#change(task, (story) => ({ ...story, start: story.start ?? at }))
      case 'preempted':
        return this.#change(task, (story) => ({ ...story, preempted: story.preempted + 1 }))
      case 'failed':
        return
      case 'earned':
        return this.#change(task, (story) => {
          if (story.finish !== null) this.#broke('a task is done once', `task ${task} was done again at ${site}`)
          this.#settles(story, fact)
          return { ...story, finish: fact.finish, yield: fact.yield, earned: fact.paid }
        })
    }
  }

  /** Equation 1, and what was agreed. */
  #settles({ task, of, price }: Story, fact: Extract<SiteFact, { type: 'earned' }>): void {
    const ran = this.#executions.ranOf(task)
    if (ran !== of.runtime) {
      this.#broke('a task runs for its runtime', `task ${task} ran for ${ran} of ${of.runtime}`)
    }
    const worth = yieldOf(of, fact.finish)
    if (fact.yield !== worth) {
      this.#broke('a yield is what the value function says', `task ${task}: ${fact.yield}, expected ${worth}`)
    }
    const due = Math.min(worth, price ?? worth)
    if (fact.paid !== due) {
      this.#broke('what is due is the price, or the yield if it is less', `task ${task}: ${fact.paid}, expected ${due}`)
    }
  }

  #ofClient(fact: ClientFact): void {
    const { task } = fact
    if (fact.type === 'requested') this.tasks.set(task, { task, of: fact.of, ...NEW })
    else if (fact.type === 'placed' || fact.type === 'unplaced') {
      this.#change(task, (story) => ({ ...story, answer: fact.type }))
    } else {
      this.#change(task, (story) => {
        if (story.paid !== null) this.#broke('a task is paid once', `task ${task}`)
        if (story.earned !== fact.paid) {
          this.#broke('what is paid is what is earned', `task ${task}: paid ${fact.paid}, earned ${story.earned}`)
        }
        return { ...story, paid: fact.paid }
      })
    }
  }

  #change(task: number, change: (story: Story) => Story): void {
    const story = this.tasks.get(task)
    if (story) this.tasks.set(task, change(story))
    else this.#broke('only tasks that were requested are spoken of', `task ${task}`)
  }
}
