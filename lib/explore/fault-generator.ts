/**
 * Draws the faults of each run of a search: their kinds, their actors, and the message or state that triggers them.
 * They happen at logical points, so a plan means the same under another schedule, and can be shrunk.
 *
 * ```
 * kill any ROLE [N]     restart any ROLE [N]     lose [N]     double [N]       N times at most (default 1)
 * ```
 *
 * ROLE is that of an address or of a group: `worker`, `worker.3` for a child, `worker.*` for all children of workers.
 * After `kill` and `restart` may stand `losing W` or `losing W torn`: each of these faults loses up to W writes of its actor's
 * disk, and the first of them may be torn.
 */

import type { DiskLoss } from '../actor/journal.ts'
import type { Scheduler, TransmissionOutcome } from '../actor/schedule.ts'
import { type Address, rolesOf } from '../core/address.ts'
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
  /** The largest loss of the actor's disk. */
  readonly loss?: DiskLoss
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

const ACTOR_FAULT = /^(kill|restart) any ([\w-]+(?:\.(?:[\w-]+|\*))*)(?: ([1-9]\d?))?(?: losing ([1-9]\d?)( torn)?)?$/

/**
 * Parses a kind of fault that runs may draw, such as `kill any contractor 2`.
 *
 * @throws UsageError that names `flag`
 */
export function parseAllowed(text: string, flag: string): AllowedFault {
  const [, type, role, times = '1', writes, torn] = ACTOR_FAULT.exec(text.trim()) ?? []
  if ((type === 'kill' || type === 'restart') && role !== undefined) {
    const loss =
      writes === undefined ? {} : { loss: { writes: Number(writes), ...(torn && { isTorn: true as const }) } }
    return { type, role, times: Number(times), ...loss }
  }
  const [, fate, often = '1'] = /^(lose|double)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  if (fate === 'lose' || fate === 'double') return { type: fate, times: Number(often) }
  throw UsageError.invalid(
    flag,
    '"kill any ROLE [N]", "restart any ROLE [N]" (both also with "losing W [torn]"), "lose [N]" or "double [N]"',
    quoted(text),
  )
}

/** @throws UsageError for the first allowed fault of a role that none of the actors has, which would never strike */
export function requireRolesOf(allowed: readonly AllowedFault[], actors: readonly Address[], flag: string): void {
  const known = new Set(actors.flatMap(rolesOf))
  for (const one of allowed) {
    if (!('role' in one) || known.has(one.role)) continue
    throw UsageError.unknown('role', one.role, [...known], {
      where: `${flag} ${quoted(`${one.type} any ${one.role}`)}`,
    })
  }
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
    const own = points.filter(({ who }) => rolesOf(who).includes(one.role))
    return Array.from({ length: own.length === 0 ? 0 : draws.often(one.times) }).flatMap((): Fault[] => {
      const place = draws.below(own.length)
      const point = own[place]
      if (!point) return []
      const loss = one.loss && { loss: lossWithin(one.loss, draws) }
      return [{ type, who: point.who, when: whenAt(point, own.slice(0, place)), ...loss }]
    })
  })
}

function lossWithin({ writes, isTorn }: DiskLoss, draws: Draws): DiskLoss {
  const drawn = { writes: 1 + draws.below(writes) }
  return isTorn && draws.below(2) === 0 ? { ...drawn, isTorn } : drawn
}

function whenAt(point: Point, before: readonly Point[]): When {
  const { who } = point
  if ('at' in point) return { type: 'at', time: point.at }
  if ('state' in point) return { type: 'enters', ...point }
  const earlier = before.filter((one) => 'type' in one && one.who === who && one.type === point.type)
  return { type: 'after', count: earlier.length + 1, message: point.type }
}

/**
 * The scheduler, with messages lost and doubled as drawn; `passages` is the number of transmissions in the baseline run, and
 * `onStruck` is called for each message that is lost or doubled.
 */
export function withLosses(
  scheduler: Scheduler,
  allowed: readonly AllowedFault[],
  passages: number,
  seed: number,
  run: number,
  onStruck: () => void = () => {},
): Scheduler {
  const draws = new Draws(seed, -1 - run)
  const fates = new Map<number, TransmissionOutcome>()
  for (const { type, times } of allowed) {
    if (type !== 'lose' && type !== 'double') continue
    for (let i = draws.often(times); i > 0; i--) fates.set(draws.below(passages), type === 'lose' ? 'lost' : 'twice')
  }
  if (fates.size === 0) return scheduler
  let passed = 0
  return {
    next: (choice) => scheduler.next(choice),
    outcomeOf: () => {
      const fate = fates.get(passed++)
      if (fate) onStruck()
      return fate ?? 'once'
    },
  }
}
