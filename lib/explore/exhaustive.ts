/**
 * Runs every order that matters. The orders are found without a system, by extending each world in every way (orders.ts).
 * Then each order is run as a schedule. The oracle of the specification cannot tell apart orders
 * with the same facts at the same times at every actor: one of them is run, unless all are wanted.
 */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { Directory } from '../actor/directory.ts'
import { inputOf } from '../actor/incarnation.ts'
import { DeviationScheduler, NO_DEVIATIONS } from '../actor/schedule.ts'
import type { Address } from '../core/address.ts'
import { isCount, requireThat } from '../core/check-options.ts'
import { actorNamed, NOT_REGISTERED } from '../core/code-registry.ts'
import { MAX_UNITS, quoted } from '../core/format.ts'
import { type Time, units } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { engineOf } from '../runtime/engine-cache.ts'
import { bounded, type Specification } from '../scenario/specification.ts'
import { complete } from '../system/options.ts'
import { execute, traced } from './execution.ts'
import { type Failure, limitOf, requireRest } from './explore.ts'
import { longestHoldOf } from './longest-hold.ts'
import { ordersOf } from './orders.ts'
import { ReplayScheduler } from './schedulers.ts'
import { type ActorSet, Worlds } from './world.ts'

export interface Exhaustive {
  readonly specification: Specification
  /** Whether only one of the orders with the same facts is run. */
  readonly reduce: boolean
  /** The most deviations from the first order on the way to another; Infinity for all orders. */
  readonly depth: number
  /** The most runs; Infinity for all. */
  readonly schedules: number
  /** Aborted when the time is up; the result has what was found until then. */
  readonly late?: AbortSignal | undefined
  /** Whether the search ends with this failure. */
  readonly isEnough?: (failure: Failure) => boolean
  /** Called after each run, and now and then between runs, with what was found so far. */
  readonly onProgress?: (found: Exhausted) => void
}

/** A kind of branch in the tree of orders: an actor can handle either of two events first. */
export type Branch = {
  readonly who: Address
  /** The types of both events, such as `bid / timer evaluate`. */
  readonly events: string
  /** How often the tree branched here. */
  readonly times: number
}

export interface Exhausted {
  /** The number of runs. */
  readonly schedules: number
  /** The number of orders found. */
  readonly orders: number
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly seen: ReadonlySet<string>
  /** How long an event can be held back, and how many choices were left out for that reason. */
  readonly longestHold: Time
  readonly cutHolds: number
  /** Where the tree of orders branched, the most frequent first. */
  readonly branches: readonly Branch[]
  /** The bound that ended the search before everything within the depth had been tried. */
  readonly bound: 'schedules' | 'time' | 'steps' | 'failure' | undefined
}

/** The most steps of an order; a longer one may never end. */
export const STEPS_MAX = 1000
/** The longest time, in milliseconds, for which signals and the end of the time are not seen. */
const TURN_MS = 50

const requireBound = (name: string, bound: number): void =>
  requireThat(`exhaust: option ${name}`, bound, isCount(bound) || bound === Infinity, 'an integer >= 0 or Infinity')

/**
 * Runs all orders of the events of a specification, within the given bounds.
 *
 * @throws UsageError for a specification with faults or other outside events, OutOfRange for an option out of its range
 */
export async function exhaust({
  specification: given,
  reduce,
  depth,
  schedules,
  late,
  isEnough = () => false,
  onProgress = () => {},
}: Exhaustive): Promise<Exhausted> {
  requireBound('depth', depth)
  requireBound('schedules', schedules)
  const actorSet = await actorSetOf(given)
  const { longestHold } = actorSet
  const specification = bounded(given, { ...given.limits, longestHold })
  const worlds = new Worlds(actorSet)
  const told = new Set<string>()
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const seen = new Set<string>()
  let orders = 0
  let runs = 0
  let bound: Exhausted['bound']
  const counts = new Map<string, Branch>()
  const addresses = new Map(actorSet.actors.map(({ slot, address }) => [slot, address]))
  const onBranch = (slot: number, types: readonly [string, string]): void => {
    const who = addresses.get(slot)
    if (!who) return
    const events = [...types].sort().join(' / ')
    const times = 1 + (counts.get(`${who} ${events}`)?.times ?? 0)
    counts.set(`${who} ${events}`, { who, events, times })
  }
  const found = (): Exhausted => {
    const { cutHolds } = worlds
    const branches = [...counts.values()].sort((one, other) => other.times - one.times)
    return { schedules: runs, orders, outcomes, failures, seen, longestHold, cutHolds, branches, bound }
  }
  let turned = performance.now()
  for (const { things, end, isCut } of ordersOf(worlds, { depth, steps: STEPS_MAX, onBranch })) {
    if (performance.now() - turned >= TURN_MS) {
      onProgress(found())
      await setImmediate() // lets signals and the end of the time be seen
      turned = performance.now()
    }
    if (late?.aborted || runs === schedules) {
      bound = late?.aborted ? 'time' : 'schedules'
      break
    }
    orders++
    if (isCut) bound = 'steps'
    const what = worlds.toldIn(end)
    if (reduce && told.has(what)) continue
    told.add(what)
    const following = new ReplayScheduler(things)
    const { outcome, violations, deviations, ...rest } = await execute(specification, following)
    // mail sent after the cut may be due too early to wait for earlier events of the order
    if (!isCut && rest.result.crashes.length === 0) following.requireFollowed()
    runs++
    for (const name of rest.seen) seen.add(name)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const limit = limitOf(rest.result, specification.options)
    const failure = { run: runs - 1, violations, deviations, faults: specification.faults, limit }
    if (violations.length > 0) failures.push(failure)
    if (violations.length > 0 && isEnough(failure)) bound = 'failure'
    onProgress(found())
    if (bound === 'failure') break
  }
  return found()
}

/** The strategy as errors name it. */
const EXHAUSTIVE = '--strategy exhaustive'
/** The strategies that run the actors, and so take all that they do. */
const OTHERS = 'take random, pct:D or delay:K'

function registered(module: string): string {
  const url = actorNamed(module)
  if (url === undefined) throw new UsageError(`${EXHAUSTIVE}: ${quoted(module)} is not ${NOT_REGISTERED}`)
  return url
}

/**
 * The actors of a specification, from one run of it. Orders can be predicted only if nothing but these actors acts.
 *
 * @throws UsageError for a specification with faults or other outside events, or whose actors come and go
 */
export async function actorSetOf(specification: Specification): Promise<ActorSet> {
  const { seed, network, order, reliable, asks, deferred, engine, impure, strict } = complete(specification.options)
  if (specification.faults.length > 0) throw UsageError.conflicts(EXHAUSTIVE, 'faults')
  if (order === 'causal') throw UsageError.conflicts(EXHAUSTIVE, '--order causal')
  if (reliable) throw UsageError.conflicts(EXHAUSTIVE, '--reliable')
  if (specification.calm !== undefined) throw UsageError.conflicts(EXHAUSTIVE, 'a scenario with a calm part')
  const { run, trace, result, violations } = await traced(specification, new DeviationScheduler(NO_DEVIATIONS))
  requireRest(specification, { violations })
  const used = trace.lines.find(({ t }) => t === 'order')
  if (used) {
    const { who, order: effect } = used
    throw UsageError.requires(EXHAUSTIVE, `actors without the effect ${effect}, but ${who} used it: ${OTHERS}`)
  }
  const late = run.incarnations.find(({ at, incarnation }) => at > 0 || incarnation > 0)
  if (late) throw UsageError.requires(EXHAUSTIVE, `actors that are there from the start, but ${late.who} comes later`)
  const sent = run.system.find(({ type }) => type === 'send')
  if (sent) throw UsageError.requires(EXHAUSTIVE, 'a scenario that sends no messages itself')
  const addresses: Address[] = ['']
  for (const { who, slot } of run.incarnations) addresses[slot] = who
  const directory = Directory.of(addresses)
  const loading = run.incarnations.map(async ({ slot, who, module, input }) => ({
    slot,
    address: who,
    input: inputOf(input, []),
    engine: await engineOf(registered(module), engine, strict),
  }))
  const actors = await Promise.all(loading)
  const hasty = actors.find(({ engine }) => engine.urgent !== undefined)
  if (hasty) throw UsageError.requires(EXHAUSTIVE, `actors without urgent messages, but ${hasty.address} has them`)
  return {
    seed,
    isPure: !impure,
    network,
    directory,
    asks,
    deferred,
    // where everything comes to rest, every order ends
    longestHold:
      specification.limits?.longestHold ?? (result.isIdle ? units(MAX_UNITS) : await longestHoldOf(trace, false)),
    until: specification.until ?? Number.POSITIVE_INFINITY,
    actors,
  }
}
