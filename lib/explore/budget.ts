/**
 * Faults that may happen while exploring: each run draws which of them do, to whom, and after which message. They
 * happen at logical points, so that a plan means the same under another schedule, and can be shrunk.
 *
 * ```
 * kill any ROLE [N]     restart any ROLE [N]     lose [N]     double [N]       N times at most (default 1)
 * ```
 */
import { type Address, roleOf } from '../address.ts'
import type { Fault } from '../faults/faults.ts'
import { keyed } from '../random.ts'
import type { Fate, Scheduler } from '../schedule.ts'
import { quoted } from '../text.ts'
import { UsageError } from '../usage.ts'

export type Allowed = AllowedFault | AllowedFate

interface AllowedFault {
  readonly type: 'kill' | 'restart'
  readonly role: string
  readonly times: number
}

interface AllowedFate {
  readonly type: 'lose' | 'double'
  readonly times: number
}

/** What each actor handled in the run that deviates nowhere: where faults can be. */
export interface Handling {
  readonly who: Address
  readonly type: string
}

/** @throws UsageError that names `flag` */
export function parseAllowed(text: string, flag: string): Allowed {
  const [, type, role, times = '1'] = /^(kill|restart) any ([\w-]+)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  if ((type === 'kill' || type === 'restart') && role !== undefined) return { type, role, times: Number(times) }
  const [, fate, often = '1'] = /^(lose|double)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  if (fate === 'lose' || fate === 'double') return { type: fate, times: Number(often) }
  throw new UsageError(flag, '"kill any ROLE [N]", "restart any ROLE [N]", "lose [N]" or "double [N]"', quoted(text))
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

  /** How often something happens that may `times` times: not at all in half of the runs. */
  often(times: number): number {
    return this.below(2) === 0 ? 0 : 1 + this.below(times)
  }
}

/** The faults of one run: each after a message that its victim handled in the run that deviates nowhere. */
export function drawFaults(
  allowed: readonly Allowed[],
  handled: readonly Handling[],
  seed: number,
  run: number,
): Fault[] {
  const draws = new Draws(seed, run)
  return allowed.flatMap((one) => {
    if (!('role' in one)) return []
    const { type } = one
    const points = handled.filter(({ who }) => roleOf(who) === one.role)
    return Array.from({ length: points.length === 0 ? 0 : draws.often(one.times) }, (): Fault => {
      const place = draws.below(points.length)
      const { who = '', type: message = '' } = points[place] ?? {}
      const count = points.slice(0, place + 1).filter((point) => point.who === who && point.type === message).length
      return { type, who, when: { type: 'after', count, message } }
    })
  })
}

/** The scheduler, with messages lost and doubled as drawn; `passages` is how many went over the network in that run. */
export function withLosses(
  scheduler: Scheduler,
  allowed: readonly Allowed[],
  passages: number,
  seed: number,
  run: number,
): Scheduler {
  const draws = new Draws(seed, -1 - run)
  const fates = new Map<number, Fate>()
  for (const { type, times } of allowed) {
    if (type !== 'lose' && type !== 'double') continue
    for (let i = draws.often(times); i > 0; i--) fates.set(draws.below(passages), type === 'lose' ? 'lost' : 'twice')
  }
  if (fates.size === 0) return scheduler
  let passed = 0
  return { next: (choice) => scheduler.next(choice), passes: () => fates.get(passed++) ?? 'once' }
}
