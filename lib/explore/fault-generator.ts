/**
 * Draws the faults of each run of a search: their kinds, their actors, and the message or state that triggers them.
 * Deaths happen at logical points, so a plan means the same under another schedule. Pauses and partitions begin when their
 * victim did something without faults, or right after that, and last up to twice the longest timer.
 *
 * ```
 * kill any ROLE [N]     restart any ROLE [N]     pause any ROLE [N]     N times at most (default 1)
 * kill some ROLE [N]    restart some ROLE [N]    pause some ROLE [N]    two or more of them at the same point
 * cut any [N]           cut any machine [N]      slow any [N]           jump any [N]
 * lose [N]              double [N]               double late [N]        any [N]
 * ```
 *
 * A restart follows the death at once, or in half of the draws up to twice the longest timer later.
 *
 * ROLE is that of an address or of a group: `worker`, `worker.3` for a child, `worker.*` for all children of workers. With
 * `machine` as ROLE a fault strikes all actors of a machine at once. `cut any` is a partition between some machines and the others, and
 * `cut any machine` between one and all others. `slow any` makes a link slow, by a delay of up to twice the longest timer. `jump any`
 * moves the clock of a machine ahead or back by as much, for a while or for good. `double late` lets a second copy of a message
 * come after later mail, by up to twice the longest timer. `any` allows all kinds of faults of all actors, but neither losses of disks nor
 * jumps, since most protocols rely on their disk and on one clock. A quarter of its deaths and pauses strike several actors.
 * After `kill` and `restart` may stand `losing W` or `losing W torn`: each of these faults loses up to W writes of its actor's
 * disk, and the first of them may be torn.
 */

import type { DiskLoss } from '../actor/journal.ts'
import type { Scheduler, TransmissionOutcome } from '../actor/schedule.ts'
import { type Address, ALL_OTHERS, machineOf, rolesOf } from '../core/address.ts'
import { listed, nearest, quoted } from '../core/format.ts'
import { keyed } from '../core/random.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { type ActorPattern, type Fault, matchingAddresses, type When } from '../scenario/faults.ts'
import type { SystemInit } from '../system/options.ts'
import type { Conversation } from '../trace/entries.ts'

export type AllowedFault = AllowedDeath | AllowedPause | AllowedOther

interface AllowedDeath {
  readonly type: 'kill' | 'restart'
  /** The role of its victims; undefined: all actors. */
  readonly role: string | undefined
  readonly times: number
  readonly victims: Victims
  /** The largest loss of the actor's disk. */
  readonly loss?: DiskLoss
}

interface AllowedPause {
  readonly type: 'pause'
  readonly role: string | undefined
  readonly times: number
  readonly victims: Victims
}

/** How many actors a fault strikes at the same point: one, two or more, or as is drawn. */
type Victims = 'one' | 'some' | 'drawn'

interface AllowedOther {
  readonly type: 'cut' | 'cut machine' | 'slow' | 'jump' | 'lose' | 'double' | 'double late' | 'any'
  readonly times: number
}

/** A point where a fault can happen: an event that an actor handled in the baseline run, a state that it entered, or its start. */
export type Point = { readonly who: Address; readonly at: Time } & (
  | { readonly what: 'start' }
  | { readonly what: 'message'; readonly type: string }
  /** A timer with an event of this type. No fault is drawn there, but a fault after N events of the type counts it. */
  | { readonly what: 'timer'; readonly type: string }
  /** A state that an actor, or a conversation of it, entered; each once, since a fault waits for the first time. */
  | { readonly what: 'state'; readonly child?: Conversation; readonly state: string }
)

/** Where and for how long faults can happen in the runs of a search. */
export interface Opportunities {
  readonly points: readonly Point[]
  /** All actors that there were in the end. */
  readonly actors: readonly Address[]
  /** The longest pause or partition. */
  readonly longest: Time
  /** All pauses and partitions are over before this instant. */
  readonly until: Time
}

/** In place of a role: a fault strikes all actors of a machine at one point. */
const MACHINE = 'machine'

const ACTOR_FAULT =
  /^(kill|restart|pause) (any|some) ([\w-]+(?:\.(?:[\w-]+|\*))*)(?: ([1-9]\d?))?(?: losing ([1-9]\d?)( torn)?)?$/

/**
 * Parses a kind of fault that runs may draw, such as `kill any contractor 2`.
 *
 * @throws UsageError that names `flag`
 */
export function parseAllowed(text: string, flag: string): AllowedFault {
  const [, type, how, role, times = '1', writes, torn] = ACTOR_FAULT.exec(text.trim()) ?? []
  const victims = how === 'some' ? 'some' : 'one'
  if (type === 'pause' && role !== undefined && writes === undefined)
    return { type, role, times: Number(times), victims }
  if ((type === 'kill' || type === 'restart') && role !== undefined) {
    const loss =
      writes === undefined ? {} : { loss: { writes: Number(writes), ...(torn && { isTorn: true as const }) } }
    return { type, role, times: Number(times), victims, ...loss }
  }
  const [, other = '', often = '1'] =
    /^(cut any(?: machine)?|slow any|jump any|lose|double(?: late)?|any)(?: ([1-9]\d?))?$/.exec(text.trim()) ?? []
  const kind = OTHERS.get(other)
  if (kind !== undefined) return { type: kind, times: Number(often) }
  throw UsageError.invalid(
    flag,
    formOf(text),
    quoted(text),
    isFixed(text) ? 'for a fault at a fixed point use --fault' : undefined,
  )
}

/** The forms of each kind of fault, by its first word. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['kill', '"kill any ROLE [N] [losing W [torn]]", or "some" in place of "any"'],
  ['restart', '"restart any ROLE [N] [losing W [torn]]", or "some" in place of "any"'],
  ['pause', '"pause any ROLE [N]", or "some" in place of "any"'],
  ['cut', '"cut any [N]" or "cut any machine [N]"'],
  ['slow', '"slow any [N]"'],
  ['jump', '"jump any [N]"'],
  ['lose', '"lose [N]"'],
  ['double', '"double [N]" or "double late [N]"'],
  ['any', '"any [N]"'],
])

/** The words of `--fault` for kinds that have another name here. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['partition', 'cut'],
  ['stall', 'pause'],
])

/** What a faulty text should be, as far as the kind among its words tells, wherever it stands. */
function formOf(text: string): string {
  const kinds = [...FORMS.keys()]
  const words = text.trim().split(/\s+/)
  const named = words.map((word) => ALIASES.get(word) ?? word).filter((word) => FORMS.has(word))
  // "any" is a kind of its own, and a word of most others
  const isAny = words.find((word) => !/^\d+$/.test(word)) === 'any'
  const kind = named.find((word) => word !== 'any') ?? (isAny ? 'any' : nearest(words[0] ?? '', kinds))
  return FORMS.get(kind ?? '') ?? `a fault that begins with ${listed(kinds)} (--help shows the forms)`
}

/** Whether a text looks like a fault of `--fault`, at an instant or at another point. */
const isFixed = (text: string): boolean => /(^| )(at|after|when|enters) |@/.test(text)

const OTHERS: ReadonlyMap<string, AllowedOther['type']> = new Map([
  ['cut any', 'cut'],
  ['cut any machine', 'cut machine'],
  ['slow any', 'slow'],
  ['jump any', 'jump'],
  ['lose', 'lose'],
  ['double', 'double'],
  ['double late', 'double late'],
  ['any', 'any'],
])

type Kind =
  | AllowedDeath
  | AllowedPause
  | { readonly type: 'cut' | 'cut machine' | 'slow' | 'jump'; readonly times: number }
  | Loss

/** Losses and copies of messages, which are drawn as parts of a schedule. */
type Loss = { readonly type: 'lose' | 'double' | 'double late'; readonly times: number }

const isLoss = (kind: Kind): kind is Loss =>
  kind.type === 'lose' || kind.type === 'double' || kind.type === 'double late'

/** The victims of the deaths and pauses of `any`. */
const ALL_ACTORS = { role: undefined, victims: 'drawn' } as const

/** The allowed kinds, with each kind in place of `any`. */
const kindsIn = (allowed: readonly AllowedFault[]): readonly Kind[] =>
  allowed.flatMap((one): readonly Kind[] => {
    const { type, times } = one
    switch (type) {
      case 'any':
        return [
          ...(['kill', 'restart', 'pause'] as const).map((kind) => ({ ...ALL_ACTORS, type: kind, times })),
          ...(['cut', 'lose', 'double', 'slow', 'double late'] as const).map((kind) => ({ type: kind, times })),
        ]
      case 'kill':
      case 'restart':
      case 'pause':
        return [one]
      default:
        return [{ type, times }]
    }
  })

/** @throws UsageError for the first allowed fault of a role that none of the actors has, which would never strike */
export function requireRolesOf(allowed: readonly AllowedFault[], actors: readonly Address[], flag: string): void {
  const known = new Set(actors.flatMap(rolesOf))
  for (const one of allowed) {
    if (!('role' in one) || one.role === undefined || one.role === MACHINE || known.has(one.role)) continue
    throw UsageError.unknown('role', one.role, [...known, MACHINE], {
      where: `${flag} ${quoted(`${one.type} ${one.victims === 'some' ? 'some' : 'any'} ${one.role}`)}`,
    })
  }
}

/**
 * Checks that the copies of messages may come late in runs of this order.
 *
 * @throws UsageError for `double late` in causal order, where a late copy would hold all later mail back
 */
export function requireLateCopies(allowed: readonly AllowedFault[], order: SystemInit['order'], flag: string): void {
  if (order !== 'causal' || !allowed.some(({ type }) => type === 'double late')) return
  throw new UsageError(`${flag} "double late" needs order fifo, not causal: allow "double"`)
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

  oneOf(...numbers: readonly [number, ...number[]]): number {
    return numbers[this.below(numbers.length)] ?? numbers[0]
  }

  /** A number of occurrences up to `times`; 0 in half of the runs. */
  often(times: number): number {
    return this.below(2) === 0 ? 0 : 1 + this.below(times)
  }
}

/** The faults of one run, each at a point of its victim in the baseline run. */
export function drawFaults(
  allowed: readonly AllowedFault[],
  opportunities: Opportunities,
  seed: number,
  run: number,
): Fault[] {
  const { points, actors } = opportunities
  const places = points.filter(({ what }) => what !== 'timer')
  const draws = new Draws(seed, run)
  return kindsIn(allowed).flatMap((one) => {
    if (isLoss(one)) return []
    const role = 'role' in one ? one.role : undefined
    const isVictim = (who: Address) => role === undefined || role === MACHINE || rolesOf(who).includes(role)
    const near = places.filter(({ who }) => isVictim(who))
    return Array.from({ length: near.length === 0 ? 0 : draws.often(one.times) }).flatMap((): Fault[] => {
      const point = near[draws.below(near.length)]
      if (!point) return []
      const nameOf = (who: Address): ActorPattern => (role === MACHINE ? `@${machineOf(who)}` : who)
      const isSome = 'victims' in one && isOfSeveral(one.victims, draws)
      const own = nameOf(point.who)
      const all = isSome ? [...new Set(actors.filter(isVictim).map(nameOf))] : []
      const who = isSome ? withOthers(own, all, draws) : own
      if (one.type !== 'kill' && one.type !== 'restart') return passing(one.type, who, point, opportunities, draws)
      const loss = one.loss && { loss: lossWithin(one.loss, draws) }
      const before = points.slice(0, points.indexOf(point))
      const when = isSome ? whenOne(point, before) : whenAt(who, point, before)
      const back = one.type === 'restart' ? returnAfter(point, opportunities, draws) : undefined
      if (back === undefined) return [{ type: one.type, who, when, ...loss }]
      return [
        { type: 'kill', who, when, ...loss },
        { type: 'restart', who, when: { type: 'at', time: back } },
      ]
    })
  })
}

/**
 * A pause, a partition, a slow link or a jump of a clock that begins with what its victim handled at a point, or between that
 * and whatever comes next. None if it had no time, or if there are no two machines.
 */
function passing(
  type: 'pause' | 'cut' | 'cut machine' | 'slow' | 'jump',
  victim: ActorPattern,
  point: Point,
  { points, actors, longest, until }: Opportunities,
  draws: Draws,
): Fault[] {
  const { who } = point
  const next = points.reduce(
    (first, one) => (one.at > point.at && one.what !== 'timer' ? Math.min(first, one.at) : first),
    Number.POSITIVE_INFINITY,
  )
  const at = draws.below(2) === 0 && Number.isFinite(next) ? Math.floor((point.at + next) / 2) : point.at
  // short ones as often as long ones: what matters is which timeouts they exceed
  const duration = Math.floor(longest / draws.oneOf(1, 2, 4, 8))
  const by = type === 'slow' ? Math.floor(longest / draws.oneOf(1, 2, 4, 8)) : 0
  const end = Math.min(at + duration, until - 1 - by)
  if (end <= at) return []
  if (type === 'pause') return [{ type, who: victim, duration: end - at, at }]
  const own = machineOf(who)
  if (type === 'jump') {
    const size = Math.floor(longest / draws.oneOf(1, 2, 4, 8))
    // what is wrong for good cannot be asked for in a calm part
    const isForGood = draws.below(2) === 0 && !Number.isFinite(until)
    const jump = { type, who: `@${own}`, by: draws.below(2) === 0 ? size : -size, at } as const
    return size === 0 ? [] : [isForGood ? jump : { ...jump, until: end }]
  }
  const machines = [...new Set(actors.map(machineOf))]
  const others = machines.filter((machine) => machine !== own)
  if (type === 'slow') {
    const other = others[draws.below(others.length)]
    return other === undefined || by === 0 ? [] : [{ type: 'slow links', sides: [[own], [other]], by, at, until: end }]
  }
  if (type === 'cut machine')
    return others.length === 0 ? [] : [{ type: 'partition', sides: [[own], [ALL_OTHERS]], at, until: end }]
  const left = machines.filter((machine) => machine === own || draws.below(4) === 0)
  const right = machines.filter((machine) => !left.includes(machine))
  return right.length === 0 ? [] : [{ type: 'partition', sides: [left, right], at, until: end }]
}

/** When an actor returns that died at a point: undefined, for at once, in half of the draws. */
function returnAfter({ at }: Point, { longest, until }: Opportunities, draws: Draws): Time | undefined {
  if (draws.below(2) === 0) return undefined
  const back = Math.min(at + Math.floor(longest / draws.oneOf(1, 2, 4, 8)), until - 1)
  return back > at ? back : undefined
}

const isOfSeveral = (victims: Victims, draws: Draws): boolean =>
  victims === 'some' || (victims === 'drawn' && draws.below(4) === 0)

function lossWithin({ writes, isTorn }: DiskLoss, draws: Draws): DiskLoss {
  const drawn = { writes: 1 + draws.below(writes) }
  return isTorn && draws.below(2) === 0 ? { ...drawn, isTorn } : drawn
}

/** The condition of a fault of `victim` at a point; `before` are the points before that one. */
function whenAt(victim: ActorPattern, point: Point, before: readonly Point[]): When {
  const { who } = point
  if (point.what === 'start') return { type: 'at', time: point.at }
  if (point.what === 'state') {
    const { child, state } = point
    return { type: 'enters', who, ...(child && { child }), state }
  }
  // a fault counts the events of all its victims
  const earlier = before.filter(
    (one) => 'type' in one && one.type === point.type && matchingAddresses(victim, [one.who]).length > 0,
  )
  return { type: 'after', count: earlier.length + 1, message: point.type }
}

/** The condition of a fault of several victims at a point: what the actor of the point has handled or entered. */
function whenOne(point: Point, before: readonly Point[]): When {
  const when = whenAt(point.who, point, before)
  return when.type === 'after' ? { ...when, who: point.who } : when
}

/** A victim and at least one of the others, if there are any. */
function withOthers(own: ActorPattern, all: readonly ActorPattern[], draws: Draws): ActorPattern {
  const others = all.filter((one) => one !== own)
  const first = draws.below(others.length)
  return [own, ...others.filter((_, i) => i === first || draws.below(2) === 0)].join()
}

/** What the draws of lost and doubled messages depend on. */
export interface Losses {
  readonly allowed: readonly AllowedFault[]
  /** The number of transmissions in the baseline run. */
  readonly passages: number
  /** The longest lateness of a copy; null where all copies must keep the order of their link, and none comes late. */
  readonly longest: Time | null
  readonly seed: number
  readonly run: number
}

/** The scheduler, with messages lost and doubled as drawn. `onStruck` is called for each message that is lost or doubled. */
export function withLosses(
  scheduler: Scheduler,
  { allowed, passages, longest, seed, run }: Losses,
  onStruck: () => void = () => {},
): Scheduler {
  const draws = new Draws(seed, -1 - run)
  const fates = new Map<number, TransmissionOutcome>()
  for (const { type, times } of kindsIn(allowed).filter(isLoss)) {
    if (type === 'double late' && longest === null) continue
    for (let i = draws.often(times); i > 0; i--) {
      const place = draws.below(passages)
      const isLate = type === 'double late' && longest !== null
      const lateBy = isLate ? Math.max(1, Math.floor(longest / draws.oneOf(1, 2, 4, 8))) : 0
      fates.set(place, type === 'lose' ? 'lost' : isLate ? { lateBy } : 'twice')
    }
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
