/** Who is next at a site: the heuristics of sections 4 and 5, each as one number; the highest is first. */
import { type Time, toUnits } from '../../lib/actor.ts'
import { expires, leftOf, type Task, yieldOf } from './values.ts'

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

/** Those whom a rank is taken among. */
export interface Field {
  /** Of all together, in dollars per unit. */
  readonly decay: number
  /** Is there one that can have nothing more to lose? */
  readonly expires: boolean
  readonly all: () => readonly Candidate[]
}

export const fieldOf = (candidates: readonly Candidate[]): Field => ({
  decay: candidates.reduce((sum, { worth }) => sum + worth.decay, 0),
  expires: candidates.some(expires),
  all: () => candidates,
})

/**
 * What it costs all others, for each unit that a candidate runs now (equation 4): the sum over them of decay * min(RPT, left),
 * over RPT. If nobody expires that is what they all lose in a unit (equation 5). Else, with the others in order of what they
 * have left, it is two sums, found by halving: n log n for all.
 */
function costs(field: Field, now: Time): Rank {
  if (!field.expires) return ({ worth }) => field.decay - worth.decay
  const lefts = field.all().map((task) => ({ decay: task.worth.decay, left: leftOf(task, now + task.remaining) }))
  const finite = lefts.filter(({ left }) => left < Number.POSITIVE_INFINITY).sort((one, other) => one.left - other.left)
  /** Of the first k: what they can still lose, and how fast. */
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

/** Two to the power of 12, and 1: of the 53 bits of a number it leaves 41. */
const SPLITTER = 4097

/**
 * To 40 bits after the first (Veltkamp's splitting: Dekker 1971), or the order of equals would hang on how a sum was rounded.
 * Equal to itself where it is so large that splitting overflows.
 */
export function rounded(value: number): number {
  const times = value * SPLITTER
  const high = times - (times - value)
  return Number.isFinite(high) ? high : value
}

/** The rank of each candidate at this instant, if it started now and the others had to wait. */
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
 * A number in whose order those who wait are ranked at every instant and whoever else waits; null: two can swap places with
 * time alone. Ranks may be equal where these numbers are not, but never the other way round.
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

/** Does that hold among these? What running one costs the others hangs on the time as soon as one of them expires. */
export const isStanding = ({ name }: Heuristic, field: Field): boolean => name !== 'FirstReward' || !field.expires

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
