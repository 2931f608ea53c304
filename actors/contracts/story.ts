/** What is told of a task: its contracts, each as far as it has come, and which of them counts. */
import type { Time } from '../../lib/actor.ts'
import type { Task } from './values.ts'

/** A contract of a task with a site, as far as it has come. Money in dollars. */
export interface Deal {
  /** The name of its site's machine. */
  readonly site: string
  readonly promised: Time
  readonly price: number
  /** Of the offer that was taken up, in units. */
  readonly slack: number | null
  /** When it began first. */
  readonly start: Time | null
  readonly finish: Time | null
  readonly yield: number | null
  readonly earned: number | null
  readonly preempted: number
  /** How often a processor lost it. */
  readonly failures: number
  /** Its client, or the broker, has given the site up and looks for another; the contract stands. */
  readonly isLost: boolean
  readonly state: 'open' | 'received' | 'voided'
  /** What the site owes because it was given up; null: nothing was claimed. */
  readonly claim: number | null
}

/** One task: the contract that counts is the one that was paid, or else the last. */
export interface Story extends Omit<Deal, 'site' | 'promised' | 'price' | 'isLost' | 'state' | 'claim'> {
  readonly task: number
  readonly of: Task
  /** What its client was told last; null: nothing yet. */
  readonly answer: 'placed' | 'unplaced' | null
  /** Null: none took it. */
  readonly site: string | null
  readonly promised: Time | null
  readonly price: number | null
  readonly paid: number | null
  /** In the order in which sites took it. */
  readonly deals: readonly Deal[]
}

export interface Told {
  readonly of: Task
  readonly answer: Story['answer']
  /** By site. */
  readonly deals: ReadonlyMap<string, Deal>
  /** Sites that its client was told of. */
  readonly told: readonly string[]
  /** Rounds whose site the broker gave up. */
  readonly passed: readonly number[]
  readonly paid: { readonly site: string; readonly finish: Time; readonly amount: number } | null
}

/** Of a contract that has just been taken on. */
export const NOTHING = { slack: null, start: null, finish: null, yield: null, earned: null, preempted: 0, failures: 0 }

/** Is somebody counted on for it? */
export const isLive = ({ isLost, state }: Deal): boolean => state === 'open' && !isLost

export function storyOf(task: number, { of, answer, deals, paid }: Told): Story {
  const all = [...deals.values()]
  const counts = (paid && deals.get(paid.site)) ?? all.at(-1)
  const { slack, start, finish, yield: worth, earned, preempted, failures } = counts ?? NOTHING
  const { site = null, promised = null, price = null } = counts ?? {}
  const run = { slack, start, finish, yield: worth, earned, preempted, failures }
  return { task, of, answer, site, promised, price, ...run, paid: paid?.amount ?? null, deals: all }
}
