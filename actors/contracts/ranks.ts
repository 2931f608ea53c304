/** Who is next at a site: the heuristics of sections 4 and 5, each as one number; the highest is first. */
import { type Time, toUnits } from '../../lib/actor.ts'
import { leftOf, type Task, yieldOf } from './values.ts'

export const HEURISTICS = ['FCFS', 'SRPT', 'SWPT', 'FirstPrice', 'PV', 'FirstReward'] as const
export type HeuristicName = (typeof HEURISTICS)[number]

export type Heuristic = {
  readonly name: HeuristicName
  /** Of FirstReward: the weight of what it yields against what it costs others; from 0 to 1. */
  readonly alpha: number
  /** By how much money to come is discounted, per unit. */
  readonly discount: number
}

/** A task that may be run next. */
export type Candidate = Task & {
  /** What is left to run, > 0. */
  readonly remaining: Time
}

const presentValue = (dollars: number, discount: number, remaining: Time): number =>
  dollars / (1 + discount * toUnits(remaining))

/**
 * What it costs all others if each candidate runs now (equation 4): cost_i = sum over j of decay_j * min(RPT_i, left_j). With
 * the others in order of what they have left, a cost is two sums, found by halving: n log n for all.
 */
function costs(candidates: readonly Candidate[], now: Time): Rank {
  const lefts = candidates.map((task) => ({ decay: task.worth.decay, left: leftOf(task, now + task.remaining) }))
  const finite = lefts.filter(({ left }) => left < Number.POSITIVE_INFINITY).sort((one, other) => one.left - other.left)
  /** Of the first k: what they can still lose, and how fast. */
  const lost = [0]
  const decays = [0]
  for (const [k, { decay, left }] of finite.entries()) {
    lost.push((lost[k] ?? 0) + decay * left)
    decays.push((decays[k] ?? 0) + decay)
  }
  const all = lefts.reduce((sum, { decay }) => sum + decay, 0)
  return (candidate) => {
    const minutes = toUnits(candidate.remaining)
    let [low, high] = [0, finite.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((finite[middle]?.left ?? 0) <= minutes) low = middle + 1
      else high = middle
    }
    const own = candidate.worth.decay * Math.min(minutes, leftOf(candidate, now + candidate.remaining))
    return (lost[low] ?? 0) + minutes * (all - (decays[low] ?? 0)) - (candidate.worth.decay === 0 ? 0 : own)
  }
}

/** Offers so near to each other are equal. */
const BITS = 40
const TWO = 2

/** Rounded to so many bits, or the order of equals would hang on how a sum was rounded. */
export function rounded(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value
  const exponent = Math.floor(Math.log2(Math.abs(value)))
  const unit = scale(exponent - BITS)
  return Math.round(value / unit) * unit
}

/** A power of two, exactly. */
function scale(exponent: number): number {
  let power = 1
  for (let i = 0; i < Math.abs(exponent); i++) power *= TWO
  return exponent < 0 ? 1 / power : power
}

/** The rank of each candidate at this instant, if it started now and the others had to wait. */
export function ranks({ name, alpha, discount }: Heuristic, candidates: readonly Candidate[], now: Time): Rank {
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
      const cost = costs(candidates, now)
      return (task) => {
        const value = presentValue(gain(task), discount, task.remaining)
        return rounded((alpha * value - (1 - alpha) * cost(task)) / toUnits(task.remaining))
      }
    }
  }
}

export type Rank = (candidate: Candidate) => number

/** In order of rank, the best first; equals by number. */
export function inOrder<C extends Candidate>(rank: Rank, some: readonly C[]): C[] {
  return some
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .sort((one, other) => other.rank - one.rank || one.candidate.task - other.candidate.task)
    .map(({ candidate }) => candidate)
}

/** The first of that order, without sorting. */
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
