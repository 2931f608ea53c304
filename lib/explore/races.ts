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
  /** Those that do not commute, in the order of the run. */
  readonly races: readonly Race[]
}

/** Goes through a replay, and judges every pair of steps that could be swapped; groups with most races first. */
export function racesIn(replay: Replay): readonly RaceGroup[] {
  const { run, trace } = replay
  const seed = numberIn(trace.head, 'seed')
  const swaps = new Swaps(run)
  const groups = new Map<
    string,
    { role: string; state: string; types: [string, string]; pairs: number; races: Race[] }
  >()
  const last = new Map<string, Replayed>()
  for (const later of replay) {
    const { who } = later.step
    const earlier = last.get(who)
    last.set(who, later)
    if (earlier?.step.life !== later.step.life || !swaps.areOpen(earlier, later)) continue
    const kind = kindOf(earlier.step, later.step, stateName(earlier.replica.engine.view(earlier.before).value))
    const key = JSON.stringify(kind)
    const group = groups.get(key) ?? { ...kind, pairs: 0, races: [] }
    groups.set(key, group)
    group.pairs++
    const verdict = judge(earlier, later, seed)
    if (verdict) group.races.push(verdict)
  }
  return [...groups.values()].sort((one, other) => other.races.length - one.races.length)
}

function kindOf(earlier: Step, later: Step, state: string) {
  const [one, other] = [nameOf(earlier), nameOf(later)]
  const types: [string, string] = one < other ? [one, other] : [other, one]
  return { role: roleOf(earlier.who), state, types }
}

const nameOf = (step: Step): string => (step.on.what === 'timer' ? `timer ${eventOf(step)}` : eventOf(step))

/** Undefined if they commute. */
function judge(earlier: Awake, later: Replayed, seed: number): Race | undefined {
  const { replica, before, timersBefore, step } = earlier
  const { address, life } = replica.who
  const [one, other] = [occurrenceOf(earlier), occurrenceOf(later)]
  if (!one || !other) return undefined
  const timers = [...timersBefore.values()]
  const moment = { engine: replica.engine, state: before, address, life, seed, now: later.step.at, timers }
  const verdict = commute(moment, one, other)
  if (verdict.commute) return undefined
  const { what, values } = verdict
  const hold = { thing: thingOf(step), until: step.n + 1 }
  return { earlier: step, later: later.step, difference: { what, values }, hold }
}

function occurrenceOf({ step: { on }, event }: Replayed): Occurrence | undefined {
  if (on.what === 'timer') return { timer: on.id }
  return event ? { mail: event } : undefined
}
