/**
 * Draws the faults of each run of a search: their kinds, their actors, and the message or state that triggers them.
 * They happen at logical points, so a plan means the same under another schedule, and can be shrunk.
 *
 * ```
 * kill any ROLE [N]     restart any ROLE [N]     lose [N]     double [N]       N times at most (default 1)
 * ```
 */

import type { Scheduler, TransmissionOutcome } from '../actor/schedule.ts'
import { type Address, roleOf } from '../core/address.ts'
import { quoted } from '../core/format.ts'
import { keyed } from '../core/random.ts'
import { UsageError } from '../core/usage-error.ts'
import type { Fault, When } from '../scenario/faults.ts'
import type { Conversation } from '../trace/entries.ts'

export type AllowedFault = AllowedActorFault | AllowedTransmissionFault

interface AllowedActorFault {
  readonly type: 'kill' | 'restart'
  readonly role: string
  readonly times: number
}

interface AllowedTransmissionFault {
  readonly type: 'lose' | 'double'
  readonly times: number
}

/** A point where a fault can happen: an event that an actor handled in the baseline run, a state that it entered, or its start. */
export type Point =
  /** Right after the start, before the first message. */
  | { readonly who: Address; readonly at: 0 }
  | { readonly who: Address; readonly type: string }
  /** A state that an actor, or a conversation of it, entered; each once, since a fault waits for the first time. */
  | { readonly who: Address; readonly child?: Conversation; readonly state: string }

/**
 * Parses a kind of fault that runs may draw, such as `kill any contractor 2`.
 *
 * @throws UsageError that names `flag`
 */
export function parseAllowed(text: string, flag: string): AllowedFault {
  const [, type, role, times = '1'] = /^(kill|restart) any ([\w-]+)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  if ((type === 'kill' || type === 'restart') && role !== undefined) return { type, role, times: Number(times) }
  const [, fate, often = '1'] = /^(lose|double)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  if (fate === 'lose' || fate === 'double') return { type: fate, times: Number(often) }
  throw UsageError.invalid(
    flag,
    '"kill any ROLE [N]", "restart any ROLE [N]", "lose [N]" or "double [N]"',
    quoted(text),
  )
}

/** Draws for one run. Every other run goes without a kind of fault (swarm testing, Groce et al. 2012). */
class Draws {
  readonly #seed: number
  readonly #run: number
  #n = 0

  constructor(seed: number, run: number) {
    this.#seed = seed
    this.#run = run
  }

  below(limit: number): number {
    return Math.floor(keyed(this.#seed, 'fault budget', this.#run, this.#n++) * limit)
  }

  /** A number of occurrences up to `times`; 0 in half of the runs. */
  often(times: number): number {
    return this.below(2) === 0 ? 0 : 1 + this.below(times)
  }
}

/** The faults of one run, each at a point of its victim in the baseline run. */
export function drawFaults(
  allowed: readonly AllowedFault[],
  points: readonly Point[],
  seed: number,
  run: number,
): Fault[] {
  const draws = new Draws(seed, run)
  return allowed.flatMap((one) => {
    if (!('role' in one)) return []
    const { type } = one
    const own = points.filter(({ who }) => roleOf(who) === one.role)
    return Array.from({ length: own.length === 0 ? 0 : draws.often(one.times) }).flatMap((): Fault[] => {
      const place = draws.below(own.length)
      const point = own[place]
      return point ? [{ type, who: point.who, when: whenAt(point, own.slice(0, place)) }] : []
    })
  })
}

function whenAt(point: Point, before: readonly Point[]): When {
  const { who } = point
  if ('at' in point) return { type: 'at', time: point.at }
  if ('state' in point) return { type: 'enters', ...point }
  const earlier = before.filter((one) => 'type' in one && one.who === who && one.type === point.type)
  return { type: 'after', count: earlier.length + 1, message: point.type }
}

/** The scheduler, with messages lost and doubled as drawn; `passages` is the number of transmissions in the baseline run. */
export function withLosses(
  scheduler: Scheduler,
  allowed: readonly AllowedFault[],
  passages: number,
  seed: number,
  run: number,
): Scheduler {
  const draws = new Draws(seed, -1 - run)
  const fates = new Map<number, TransmissionOutcome>()
  for (const { type, times } of allowed) {
    if (type !== 'lose' && type !== 'double') continue
    for (let i = draws.often(times); i > 0; i--) fates.set(draws.below(passages), type === 'lose' ? 'lost' : 'twice')
  }
  if (fates.size === 0) return scheduler
  let passed = 0
  return { next: (choice) => scheduler.next(choice), outcomeOf: () => fates.get(passed++) ?? 'once' }
}
