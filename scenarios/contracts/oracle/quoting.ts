/** What a site must promise for a new task: the candidate schedule of rules 6 to 9, computed from scratch. */
import type { SiteTerms } from '../../../actors/contracts/terms.ts'
import type { Task } from '../../../actors/contracts/values.ts'
import type { Time } from '../../../lib/actor.ts'
import type { Contract, SiteBook } from './site-book.ts'
import { compare, type Part, type Rank, rankOf, type Slack, slackOf, worthAt } from './valuing.ts'

/** The most tasks of a field that is judged: the costs of FirstReward take the square of this number. */
const TASKS_MAX = 50

/** The ranks of a field now. */
export class Ranking {
  readonly #ranks: ReadonlyMap<number, Rank>

  constructor(field: readonly Part[], { heuristic }: SiteTerms, now: Time) {
    this.#ranks = new Map(field.map((one) => [one.of.task, rankOf(one, field, heuristic, now)]))
  }

  #of({ of }: Part): Rank {
    return this.#ranks.get(of.task) ?? { value: Number.NaN, size: 0 }
  }

  /** Above 0 if the first task ranks higher, 0 if ranks are equal or too near to tell. */
  compare(one: Part, other: Part): number {
    return compare(this.#of(one), this.#of(other))
  }

  /** Whether two ranks are too near to tell. Ranks that are whole numbers never are. */
  isUnclear(one: Part, other: Part): boolean {
    return this.compare(one, other) === 0 && this.#of(one).size + this.#of(other).size > 0
  }

  /** Whether the first task is before the other one: by rank, and of equals by number. */
  isBefore(one: Part, other: Part): boolean {
    return (this.compare(one, other) || other.of.task - one.of.task) > 0
  }

  /** The tasks by rank, the best first. */
  ordered<P extends Part>(parts: readonly P[]): P[] {
    return [...parts].sort((one, other) => (this.isBefore(one, other) ? -1 : 1))
  }
}

/** The tasks that compete for rank: those that wait or are held, the others, and with preemption those that run. */
export function fieldOf(book: SiteBook, { preempt }: SiteTerms, now: Time, ...others: readonly Part[]): Part[] | null {
  if (book.contracts.size > TASKS_MAX) return null
  const running = preempt === 0 ? [] : book.in('running', now)
  return [...book.in('waiting', now), ...book.in('held', now), ...running, ...others]
}

/** The waiting tasks that may preempt a running one. */
export const challengersOf = (book: SiteBook, { preempt }: SiteTerms, now: Time): Contract[] =>
  preempt === 0 ? [] : book.in('waiting', now).filter(({ of }) => preempt === 2 || book.fresh.has(of.task))

export interface Quote {
  readonly completion: Time
  readonly price: number
  readonly slack: Slack
}

/** The right quote; null if there are too many tasks, or the order of two is too near to tell. */
export function quoteOf(book: SiteBook, terms: SiteTerms, task: Task, now: Time, award: Time): Quote | null {
  const { allowance, preempt, heuristic } = terms
  const own: Part = { of: task, left: task.runtime }
  const field = fieldOf(book, terms, now, own)
  if (!field) return null
  const ranking = new Ranking(field, terms, now)
  if (field.some((one, i) => field.slice(i + 1).some((other) => ranking.isUnclear(one, other)))) return null
  const waiting = book.in('waiting', now)
  let running = book.in('running', now)
  const idle = book.idle().length
  const begun: Part[] = []
  const displaced: Part[] = []
  const onIdle = ranking.ordered([...waiting, own]).slice(0, idle)
  const challengers = preempt === 0 ? [] : ranking.ordered([...challengersOf(book, terms, now), own])
  for (const challenger of challengers) {
    if (onIdle.includes(challenger)) continue
    const lowest = ranking.ordered(running.filter(({ left }) => left > 0)).at(-1)
    if (!lowest || ranking.compare(challenger, lowest) <= 0) break
    running = running.filter((one) => one !== lowest)
    begun.push(challenger)
    displaced.push(lowest)
  }
  const others = [...waiting, ...book.in('held', now), ...displaced].filter((one) => !begun.includes(one))
  const behind = others.filter((one) => ranking.isBefore(own, one))
  const ends = running.map(({ left }) => Math.max(now, now + left + allowance))
  const free = [
    ...ends,
    ...Array.from({ length: idle }, () => now),
    ...begun.filter((one) => one !== own).map(({ left }) => now + left + allowance),
  ]
  /** Puts a task on the processor that is free first. */
  function put({ left }: Part, ready: Time): Time {
    const first = Math.min(...free)
    const end = Math.max(first, ready) + left + allowance
    free[free.indexOf(first)] = end
    return end
  }
  const ready = now + award
  let completion: Time
  if (begun.includes(own)) completion = ready + own.left + allowance
  else {
    for (const one of ranking.ordered(others.filter((one) => !behind.includes(one)))) put(one, now)
    for (const one of ranking.ordered(behind)) if (Math.min(...free) < ready) put(one, now)
    completion = put(own, ready)
  }
  const price = worthAt(task, completion)
  return { completion, price, slack: slackOf(task, price, behind, heuristic.discount) }
}
