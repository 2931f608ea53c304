/** The heuristics of sections 4 and 5. Each ranks the tasks of a site by one number; the highest rank runs first. */
import { type Time, toUnits } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import { expires, leftOf, type Task, yieldOf } from './values.ts'

export const HEURISTICS = ['FCFS', 'SRPT', 'SWPT', 'FirstPrice', 'PV', 'FirstReward'] as const
export type HeuristicName = (typeof HEURISTICS)[number]

export type Heuristic = {
  readonly name: HeuristicName
  /** The weight of the yield against the cost to others, for FirstReward; from 0 to 1. */
  readonly alpha: number
  /** The discount rate of future money, per unit. */
  readonly discount: number
}

/** A task that may be run next. */
export type Candidate = Task & {
  /** The remaining runtime, > 0. */
  readonly remaining: Time
}

const presentValue = (dollars: number, discount: number, remaining: Time): number =>
  dollars / (1 + discount * toUnits(remaining))

/** The tasks that compete with each other for rank. */
export interface Field {
  /** The sum of all decays, in dollars per unit. */
  readonly decay: number
  /** Whether any task can expire, so that it has nothing more to lose. */
  readonly expires: boolean
  readonly all: () => readonly Candidate[]
}

export const fieldOf = (candidates: readonly Candidate[]): Field => ({
  decay: sum(candidates, ({ worth }) => worth.decay),
  expires: candidates.some(expires),
  all: () => candidates,
})

/**
 * The cost to all others of each unit that a candidate runs now (equation 4): the sum of decay * min(RPT, left) over the
 * others, divided by RPT. If no task expires, this is the sum of their decays (equation 5). Otherwise the others are sorted by
 * the time that they have left, and the cost is two prefix sums, found by binary search: O(n log n) for all candidates.
 */
function costs(field: Field, now: Time): Rank {
  if (!field.expires) return ({ worth }) => field.decay - worth.decay
  const lefts = field.all().map((task) => ({ decay: task.worth.decay, left: leftOf(task, now + task.remaining) }))
  const finite = lefts.filter(({ left }) => left < Number.POSITIVE_INFINITY).sort((one, other) => one.left - other.left)
  /** Prefix sums over the first k tasks: what they can still lose, and their decays. */
  const lost = [0]
  const decays = [0]
  for (const [k, { decay, left }] of finite.entries()) {
    lost.push((lost[k] ?? 0) + decay * left)
    decays.push((decays[k] ?? 0) + decay)
  }
  return (candidate) => {
    const minutes = toUnits(candidate.remaining)
    let [low, high] = [0, finite.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((finite[middle]?.left ?? 0) <= minutes) low = middle + 1
      else high = middle
    }
    const own = candidate.worth.decay * Math.min(minutes, leftOf(candidate, now + candidate.remaining))
    return ((lost[low] ?? 0) + minutes * (field.decay - (decays[low] ?? 0)) - own) / minutes
  }
}

/** The splitter 2^12 + 1: it leaves 41 of the 53 bits of a number. */
const SPLITTER = 4097

/**
 * Rounds to 40 bits after the first (Veltkamp's splitting: Dekker 1971). Otherwise the order of equals would depend on the
 * rounding of sums. A number so large that the splitting overflows is returned as it is.
 */
export function rounded(value: number): number {
  const times = value * SPLITTER
  const high = times - (times - value)
  return Number.isFinite(high) ? high : value
}

/** Ranks candidates at this instant, as if each started now and the others had to wait. */
export function ranks({ name, alpha, discount }: Heuristic, field: Field, now: Time): Rank {
  const gain = (task: Candidate) => yieldOf(task, now + task.remaining)
  switch (name) {
    case 'FCFS':
      return ({ arrival }) => -arrival
    case 'SRPT':
      return ({ remaining }) => -remaining
    case 'SWPT':
      return ({ worth, remaining }) => rounded(worth.decay / toUnits(remaining))
    case 'FirstPrice':
      return (task) => rounded(gain(task) / toUnits(task.remaining))
    case 'PV':
      return (task) => rounded(presentValue(gain(task), discount, task.remaining) / toUnits(task.remaining))
    case 'FirstReward': {
      const cost = costs(field, now)
      return (task) => {
        const value = presentValue(gain(task), discount, task.remaining)
        return rounded((alpha * value) / toUnits(task.remaining) - (1 - alpha) * cost(task))
      }
    }
  }
}

export type Rank = (candidate: Candidate) => number

/**
 * The standing of a task: a number that orders waiting tasks as their ranks do, at every instant and in every field. It is null
 * if time alone can change the order. Ranks may be equal where standings are not, but never the other way round.
 */
export function standing({ name, alpha }: Heuristic, { arrival, remaining, worth }: Candidate): number | null {
  switch (name) {
    case 'FCFS':
      return -arrival
    case 'SRPT':
      return -remaining
    case 'SWPT':
      return rounded(worth.decay / toUnits(remaining))
    case 'FirstReward':
      return alpha === 0 ? worth.decay : null
    default:
      return null
  }
}

/** Whether standings order this field. Under FirstReward costs depend on the time as soon as one task can expire. */
export const isStanding = ({ name }: Heuristic, field: Field): boolean => name !== 'FirstReward' || !field.expires

/** Sorts tasks by rank, the best first; equals by number. */
export function inOrder<C extends Candidate>(rank: Rank, some: readonly C[]): C[] {
  return some
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .sort((one, other) => other.rank - one.rank || one.candidate.task - other.candidate.task)
    .map(({ candidate }) => candidate)
}

/** The first task in order of rank, without sorting. */
export function bestOf<C extends Candidate>(rank: Rank, some: readonly C[]): C | undefined {
  let best: { readonly candidate: C; readonly rank: number } | undefined
  for (const candidate of some) {
    const own = rank(candidate)
    if (!best || own > best.rank || (own === best.rank && candidate.task < best.candidate.task)) {
      best = { candidate, rank: own }
    }
  }
  return best?.candidate
}
