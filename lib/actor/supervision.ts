/**
 * Supervision: whether, when and with whom an actor is restarted after its end. These rules are pure; the system carries
 * their outcome out (lib/system/lifecycle.ts).
 */
import { isCount, type NamesOf, requireChoice, requireCount, requireKnown, requireSpan } from '../core/check-options.ts'
import { isObject } from '../core/data.ts'
import { OutOfRange } from '../core/error.ts'
import { keyed } from '../core/random.ts'
import { shown } from '../core/thrown.ts'
import { isTime, type Time, units } from '../core/time.ts'

/** Restart policies as in OTP: never; after a crash or a kill; also after the actor stopped by itself. */
export const RESTART_POLICIES = ['temporary', 'transient', 'permanent'] as const
/** When an actor is restarted: one of `RESTART_POLICIES`. */
export type RestartPolicy = (typeof RESTART_POLICIES)[number]

/** Which siblings are restarted with a child, as in OTP: none; all of them; those that were spawned after it. */
export const STRATEGIES = ['one-for-one', 'one-for-all', 'rest-for-one'] as const
/** Which siblings are restarted with a child: one of `STRATEGIES`. */
export type Strategy = (typeof STRATEGIES)[number]

/** What becomes of a child when its parent is restarted. */
export const PARENT_RESTARTS = ['stop', 'restart', 'keep'] as const
/** What becomes of a child when its parent is restarted: one of `PARENT_RESTARTS`. */
export type ParentRestart = (typeof PARENT_RESTARTS)[number]

/** What happens when a child has been restarted too often: it stays dead, or its parent dies of it. */
export const GIVE_UPS = ['stop', 'escalate'] as const
/** What happens when a child was restarted too often: one of `GIVE_UPS`. */
export type GiveUp = (typeof GIVE_UPS)[number]

/** Exponential back-off: the pause before a restart, which doubles with each restart within the period. */
export type Backoff = {
  /** The pause before the first restart, > 0. */
  readonly least: Time
  /** The longest pause. Each pause is shortened by up to a half, by a draw that the seed fixes. */
  readonly most: Time
}

/** How an actor is restarted. */
export type SupervisionOptions = {
  /** `temporary` (the default): never. `transient`: after a crash or a kill. `permanent`: also after it stopped by itself. */
  readonly restart?: RestartPolicy
  /** The restarts that are allowed within `period` (default 3 within 1000 units). */
  readonly intensity?: number
  /** The period of `intensity`, > 0. */
  readonly period?: Time
  /** A pause before each restart; without it an actor is restarted at once. */
  readonly backoff?: Backoff
}

/** How a child is restarted, and what its end does to others. */
export type ChildOptions = SupervisionOptions & {
  /** Which siblings are restarted with it (default `one-for-one`: none). Siblings that are `temporary` only end. */
  readonly strategy?: Strategy
  /** What happens after more than `intensity` restarts: `stop` (the default) or `escalate`. */
  readonly giveUp?: GiveUp
  /** What becomes of it when its parent is restarted: `stop` (the default), `restart` or `keep`. */
  readonly parentRestart?: ParentRestart
}

/** The options of a child, completed by their defaults. */
export interface Supervision {
  readonly restart: RestartPolicy
  readonly intensity: number
  readonly period: Time
  readonly backoff: Backoff | null
  readonly strategy: Strategy
  readonly giveUp: GiveUp
  readonly parentRestart: ParentRestart
}

const CHILD: NamesOf<ChildOptions> = {
  restart: 1,
  intensity: 1,
  period: 1,
  backoff: 1,
  strategy: 1,
  giveUp: 1,
  parentRestart: 1,
}

/**
 * Reads the options of a child and completes them by their defaults.
 *
 * @param where names the caller in errors: `spawn`
 * @throws OutOfRange that names the option, what it must be, and its value
 */
export function supervisionOf(where: string, given: unknown): Supervision {
  if (!isObject(given)) throw new OutOfRange(`${where} takes its options in an object`)
  requireKnown<object>(where, given, CHILD)
  const { restart = 'temporary', intensity = 3, period = units(1000), backoff = null } = given
  const { strategy = 'one-for-one', giveUp = 'stop', parentRestart = 'stop' } = given
  requireCount(`${where}: option intensity`, intensity)
  requireSpan(`${where}: option period`, period)
  return {
    restart: requireChoice(`${where}: option restart`, restart, RESTART_POLICIES),
    intensity: isCount(intensity) ? intensity : 0,
    period: isTime(period) ? period : 0,
    backoff: backoffOf(`${where}: option backoff`, backoff),
    strategy: requireChoice(`${where}: option strategy`, strategy, STRATEGIES),
    giveUp: requireChoice(`${where}: option giveUp`, giveUp, GIVE_UPS),
    parentRestart: requireChoice(`${where}: option parentRestart`, parentRestart, PARENT_RESTARTS),
  }
}

function backoffOf(name: string, given: unknown): Backoff | null {
  if (given === null) return null
  const isBackoff = isObject(given) && isTime(given['least']) && isTime(given['most'])
  const { least, most } = isBackoff ? given : { least: 0, most: 0 }
  if (isTime(least) && isTime(most) && 0 < least && least <= most) return { least, most }
  throw new OutOfRange(`${name} must be { least, most }, two times with 0 < least <= most, not ${shown(given)}`)
}

/** What supervision decides after the end of an incarnation. */
export type Verdict =
  | { readonly type: 'over' }
  /** Restart after `pause`; `restarts` are the instants of the restarts that still count. */
  | { readonly type: 'restart'; readonly pause: Time; readonly restarts: readonly Time[] }
  | { readonly type: 'give up' }

/**
 * Decides after the end of an incarnation.
 *
 * @param end `stopped`: its machine reached a final state
 * @param restarts the instants of earlier restarts
 * @param seed with `who`, it fixes the draw of the back-off
 */
export function verdictOn(
  { restart, intensity, period, backoff }: Supervision,
  end: 'died' | 'stopped',
  restarts: readonly Time[],
  { now, seed, who }: { readonly now: Time; readonly seed: number; readonly who: string },
): Verdict {
  if (restart === 'temporary' || (restart === 'transient' && end === 'stopped')) return { type: 'over' }
  const recent = [...restarts.filter((at) => at > now - period), now]
  if (recent.length > intensity) return { type: 'give up' }
  return {
    type: 'restart',
    pause: backoff ? pauseOf(backoff, recent.length, seed, `${who} ${now}`) : 0,
    restarts: recent,
  }
}

/** The pause before the `n`-th restart within a period, n >= 1. */
function pauseOf({ least, most }: Backoff, n: number, seed: number, key: string): Time {
  let full = least
  for (let i = 1; i < n && full < most; i++) full *= 2
  return Math.max(1, Math.round(Math.min(full, most) * (1 - keyed(seed, 'back-off', key) / 2)))
}

/** The siblings that end with a child, given all children in the order of spawning. */
export function siblingsOf<T>(strategy: Strategy, child: T, children: readonly T[]): readonly T[] {
  if (strategy === 'one-for-one') return []
  const place = children.indexOf(child)
  return children.filter((one, i) => one !== child && (strategy === 'one-for-all' || i > place))
}
