/**
 * Races: pairs of events at one actor whose order only the schedule decided, and whose order matters (see commute.ts). By
 * timing alone every concurrent pair would be a race.
 *
 * Happens-before (Lamport 1978) says which orders are given. Two concurrent events need to be tried both ways only if they do
 * not commute: this is partial-order reduction (Godefroid 1996; for actors Lauterburg et al. 2010).
 */

import { setImmediate } from 'node:timers/promises'
import { allWaiting } from '../actor/deferred.ts'
import type { Hold } from '../actor/schedule.ts'
import { roleOf } from '../core/address.ts'
import { numberIn } from '../core/decode.ts'
import type { Difference } from '../core/difference.ts'
import type { Time } from '../core/time.ts'
import { isPureRun, type Replay, type Replayed } from '../replay/replay.ts'
import { stateName } from '../trace/names.ts'
import { type Step, thingOf } from '../trace/run.ts'
import { commute } from './commute.ts'
import { occurrenceOf, type RacingEvent, Reorderings, typeName } from './reorderings.ts'

/** A step and an event that could have come before it, where the two do not commute. */
export interface Race {
  readonly step: Step
  readonly rival: RacingEvent
  /** The first difference between the two orders; `values` are of the recorded order and of the other. */
  readonly difference: Difference
  /** The hold that produces the other order. */
  readonly hold: Hold
}

/** All pairs of racing events of one kind. */
export interface RaceGroup {
  readonly role: string
  /** The state of the machine before both. */
  readonly state: string
  /** The types of the two events, in alphabetical order: the type of a message, or `timer` and the type of its event. */
  readonly types: readonly [string, string]
  /** The number of pairs, of either order. */
  readonly pairs: number
  /** The pairs that do not commute; first those whose events were closest to each other in time. */
  readonly races: readonly Race[]
}

/** A step, an event that could have come in its place, and the hold that produces the other order. */
export interface Pair {
  readonly step: Replayed
  readonly rival: RacingEvent
  readonly hold: Hold
}

/** Replays a run and yields every step in whose place another event could have come. */
export function* pairsIn(replay: Replay): Generator<Pair> {
  const swaps = new Reorderings(replay.run)
  const last = new Map<string, Replayed>()
  const pairOf = (step: Replayed, next: Replayed | undefined): Pair[] => {
    const rival = swaps.racingEventOf(step, next)
    return rival ? [{ step, rival, hold: { thing: thingOf(step.step), until: step.step.n + 1 } }] : []
  }
  for (const next of replay) {
    const step = last.get(next.step.who)
    last.set(next.step.who, next)
    if (step) yield* pairOf(step, step.step.incarnation === next.step.incarnation ? next : undefined)
  }
  for (const step of last.values()) yield* pairOf(step, undefined)
}

/** The first difference between the two orders, both at the instant of the later event; undefined if they commute. */
export function differenceOf(
  { replica, before, timersBefore, timeoutBefore, deferredBefore, step, incoming }: Replayed,
  rival: RacingEvent,
  { trace }: Replay,
): Difference | undefined {
  const own = occurrenceOf(step, incoming)
  if (!before || !own) return undefined
  const { address, incarnation } = replica.who
  const seed = numberIn(trace.head, 'seed')
  const { engine } = replica
  const isPure = isPureRun(trace.head)
  const moment = {
    engine,
    state: before,
    address,
    incarnation,
    seed,
    isPure,
    now: rival.at,
    skew: rival.skew,
    timers: timersBefore,
    receiveTimeout: timeoutBefore,
    deferred: allWaiting(deferredBefore),
  }
  const verdict = commute(moment, own, rival.occurrence)
  return verdict.commute ? undefined : { what: verdict.what, values: verdict.values }
}

/**
 * Examines every pair of a replay whose events are at most `within` apart in time; groups with the most races first. A pair
 * that is farther apart than the network can reorder is no race in practice.
 */
export async function racesIn(replay: Replay, within: Time = Number.POSITIVE_INFINITY): Promise<readonly RaceGroup[]> {
  const groups = new Map<
    string,
    { role: string; state: string; types: [string, string]; pairs: number; races: Race[] }
  >()
  for (const { step, rival, hold } of pairsIn(replay)) {
    if (rival.at - step.step.at > within) continue
    await setImmediate() // lets signals be seen
    const kind = kindOf(step, rival)
    const key = JSON.stringify(kind)
    const group = groups.get(key) ?? { ...kind, pairs: 0, races: [] }
    groups.set(key, group)
    group.pairs++
    const difference = differenceOf(step, rival, replay)
    if (difference) group.races.push({ step: step.step, rival, difference, hold })
  }
  for (const { races } of groups.values()) races.sort((one, other) => timeBetween(one) - timeBetween(other))
  return [...groups.values()].sort((one, other) => other.races.length - one.races.length)
}

/** The time between the two events of a race. */
export const timeBetween = ({ step, rival }: Race): Time => rival.at - step.at

function kindOf({ step, replica, before }: Replayed, rival: RacingEvent) {
  const own = typeName(step)
  const types: [string, string] = own < rival.type ? [own, rival.type] : [rival.type, own]
  return { role: roleOf(step.who), state: before ? stateName(replica.engine.view(before).value) : '-', types }
}
