/**
 * Races by meaning: what an actor handled one after the other, where nothing but the schedule had decided which comes
 * first, and where it matters (see commute.ts). A race by timing alone would be every pair.
 *
 * Lamport 1978 says which order is given; that two of no given order need to be tried both ways only if they do not
 * commute is the idea of partial-order reduction (Godefroid 1996; for actors Lauterburg et al. 2010).
 */
import { roleOf } from '../address.ts'
import { numberIn } from '../fields.ts'
import type { Replay, Replayed } from '../replay/replay.ts'
import type { Hold } from '../schedule.ts'
import type { Time } from '../time.ts'
import { stateName } from '../trace/names.ts'
import { eventOf, type Step, thingOf } from '../trace/run.ts'
import { commute, type Occurrence } from './commute.ts'
import type { Difference } from './difference.ts'
import { type Awake, Swaps } from './swaps.ts'

/** Two steps of one life, next to each other, which could have come in the other order, and then otherwise. */
export interface Race {
  readonly earlier: Step
  readonly later: Step
  /** Where the two orders part first; `values` are of the recorded order and of the other one. */
  readonly difference: Difference
  /** What gives the other order. */
  readonly hold: Hold
}

/** All pairs of one kind. */
export interface RaceGroup {
  readonly role: string
  /** Of the machine before both, in a word. */
  readonly state: string
  /** What the two were, in alphabetical order: the type of a message, or `timer` and the type of its event. */
  readonly types: readonly [string, string]
  /** How many there were of either order. */
  readonly pairs: number
  /** Those that do not commute; first those whose two came closest to each other in time. */
  readonly races: readonly Race[]
}

/** Two steps of one life, next to each other, which could have come in the other order. */
export interface Pair {
  readonly earlier: Awake
  readonly later: Replayed
  /** What gives the other order. */
  readonly hold: Hold
}

/** Goes through a replay: every pair of steps that could be swapped, in the order of the run. */
export function* pairsIn(replay: Replay): Generator<Pair> {
  const swaps = new Swaps(replay.run)
  const last = new Map<string, Replayed>()
  for (const later of replay) {
    const { who, life } = later.step
    const earlier = last.get(who)
    last.set(who, later)
    if (earlier?.step.life !== life || !swaps.areOpen(earlier, later)) continue
    yield { earlier, later, hold: { thing: thingOf(earlier.step), until: earlier.step.n + 1 } }
  }
}

/** Where the two orders of a pair part first, both at the instant of the later; undefined if they commute. */
export function differenceOf({ earlier, later }: Omit<Pair, 'hold'>, { trace }: Replay): Difference | undefined {
  const { replica, before, timersBefore } = earlier
  const { address, life } = replica.who
  const [one, other] = [occurrenceOf(earlier), occurrenceOf(later)]
  if (!one || !other) return undefined
  const [seed, now, timers] = [numberIn(trace.head, 'seed'), later.step.at, [...timersBefore.values()]]
  const verdict = commute({ engine: replica.engine, state: before, address, life, seed, now, timers }, one, other)
  return verdict.commute ? undefined : { what: verdict.what, values: verdict.values }
}

/** Goes through a replay, and judges every pair of steps that could be swapped; groups with most races first. */
export function racesIn(replay: Replay): readonly RaceGroup[] {
  const groups = new Map<
    string,
    { role: string; state: string; types: [string, string]; pairs: number; races: Race[] }
  >()
  for (const pair of pairsIn(replay)) {
    const { earlier, later, hold } = pair
    const kind = kindOf(earlier.step, later.step, stateName(earlier.replica.engine.view(earlier.before).value))
    const key = JSON.stringify(kind)
    const group = groups.get(key) ?? { ...kind, pairs: 0, races: [] }
    groups.set(key, group)
    group.pairs++
    const difference = differenceOf(pair, replay)
    if (difference) group.races.push({ earlier: earlier.step, later: later.step, difference, hold })
  }
  for (const { races } of groups.values()) races.sort((one, other) => gapOf(one) - gapOf(other))
  return [...groups.values()].sort((one, other) => other.races.length - one.races.length)
}

export const gapOf = ({ earlier, later }: Race): Time => later.at - earlier.at

function kindOf(earlier: Step, later: Step, state: string) {
  const [one, other] = [nameOf(earlier), nameOf(later)]
  const types: [string, string] = one < other ? [one, other] : [other, one]
  return { role: roleOf(earlier.who), state, types }
}

const nameOf = (step: Step): string => (step.on.what === 'timer' ? `timer ${eventOf(step)}` : eventOf(step))

function occurrenceOf({ step: { on }, event }: Replayed): Occurrence | undefined {
  if (on.what === 'timer') return { timer: on.id }
  return event ? { mail: event } : undefined
}
