/**
 * Decides whether two events of an actor commute. Both orders are run from one state, at one instant, and compared by all
 * observable results. Random draws and new ids of a step depend on their purpose (lib/core/random.ts), not on what came
 * before, so they make no difference.
 */
import { type Deferred, deferredAfter, NONE_DEFERRED, requireRest, takeReady, waitingIn } from '../actor/deferred.ts'
import type { Call } from '../actor/effect.ts'
import { stepContextOf } from '../actor/incarnation.ts'
import { Inspection } from '../actor/inspection.ts'
import { type ReceiveTimeout, timeoutAfter } from '../actor/receive-timeout.ts'
import type { Incoming } from '../actor/step-context.ts'
import { type TimerSetting, timersAfter } from '../actor/timers.ts'
import { type Address, groupOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { canonical, type Difference, differenceOfLists, firstDifference } from '../core/difference.ts'
import { OutOfRange } from '../core/error.ts'
import { summaryOf } from '../core/thrown.ts'
import { type Time, toUnits } from '../core/time.ts'
import type { Engine } from '../engine/engine.ts'
import { type StepOutput, type Stepper, takeStep } from '../engine/step.ts'
import { requirePurityForTurn } from '../runtime/step-purity.ts'

/** An actor before it handles either of the two. */
export interface ActorBefore<State> {
  readonly engine: Engine<State>
  readonly state: State
  readonly address: Address
  readonly incarnation: number
  /** The seed of the run. */
  readonly seed: number
  /** Whether clocks and random numbers of the process are refused in its steps. */
  readonly isPure?: boolean
  /** The instant when the later of the two events was handled. */
  readonly now: Time
  /** How far the clock of its machine is ahead; 0 by default. */
  readonly skew?: Time
  /** All timers that are set, in the order of setting, with those that fire now. */
  readonly timers: readonly TimerSetting[]
  /** The messages that it keeps until its state changes; none by default. */
  readonly deferred?: Deferred<Incoming>
  /** Its receive timeout; none by default. */
  readonly receiveTimeout?: ReceiveTimeout
}

/** Mail, or one of the timers that are set, by its id. */
export type Occurrence = { readonly mail: Incoming } | { readonly timer: string }

export type Verdict = { readonly commute: true } | ({ readonly commute: false } & Difference)

/**
 * A timer that the first handling cancels or sets again does not fire as the second. Sends to one recipient are compared
 * in order, those to different ones are not: they arrive at different actors. Timers are compared
 * by those that are set in the end, with the order of firing within one instant. The order of facts and records does not count.
 *
 * The order of an object's fields does not count, so a machine must not depend on it. Cancelling a computation that was
 * begun before is not visible here, unless something else changes.
 */
export function commute<State>(moment: ActorBefore<State>, one: Occurrence, other: Occurrence): Verdict {
  const difference = compare(handle(moment, [one, other]), handle(moment, [other, one]))
  return difference ? { commute: false, ...difference } : { commute: true }
}

/** The result of handling events, one after another. */
export interface HandlingResult<State> {
  readonly moment: ActorBefore<State>
  /** The outputs of the steps, in order. */
  readonly steps: readonly StepOutput<State>[]
  /** The error of a step that failed, or null; a failed step has no other result, and nothing is handled after it. */
  readonly crash: string | null
}

/**
 * Handles the events in this order, all at the one instant; an actor that has stopped handles nothing.
 *
 * @throws OutOfRange for a timer that is not set
 */
export function handle<State>(before: ActorBefore<State>, order: readonly Occurrence[]): HandlingResult<State> {
  const handled = order.map((occurrence) => ('mail' in occurrence ? occurrence : find(before, occurrence.timer)))
  // only one of two answers to an ask is handled, or its deadline
  const deadlineOf = ({ answers }: Incoming) =>
    before.timers.find(({ id, isDeadline }) => isDeadline && id === answers?.id)
  let moment = before
  const steps: StepOutput<State>[] = []
  const context = stepContextOf(before.seed, before, before)
  // a computation is compared as what was asked for, in virtual time too
  const stepper: Stepper<State> = {
    engine: before.engine,
    context,
    time: 'real',
    isPure: before.isPure ?? false,
    // stricter than a cell, which has checked some types before: what is reported too much is decided by running both orders
    inspection: new Inspection(),
  }
  requirePurityForTurn()
  try {
    for (const thing of handled) {
      const { engine, state, timers } = moment
      const awaited = 'mail' in thing ? deadlineOf(thing.mail) : thing
      const isCalledOff = awaited !== undefined && !timers.includes(awaited)
      if (isCalledOff || engine.view(state).status !== 'active') continue
      moment = { ...moment, timers: timers.filter((timer) => timer !== awaited) }
      let next: Incoming | undefined =
        'mail' in thing ? thing.mail : { event: thing.event, from: before.address, isTimer: true }
      for (let rehandled = 0; next && engine.view(moment.state).status === 'active'; rehandled++) {
        requireRest(rehandled)
        const step = takeStep(stepper, moment.state, next)
        moment = momentAfter(moment, next, step)
        steps.push(step)
        const [ready, rest]: readonly [Incoming?, Deferred<Incoming>?] =
          takeReady(moment.deferred ?? NONE_DEFERRED) ?? []
        next = ready
        if (rest) moment = { ...moment, deferred: rest }
      }
    }
  } catch (error) {
    return { moment: { ...moment, timers: [] }, steps, crash: summaryOf(error) }
  }
  return { moment, steps, crash: null }
}

function momentAfter<State>(moment: ActorBefore<State>, own: Incoming, step: StepOutput<State>): ActorBefore<State> {
  const { engine, timers, deferred = NONE_DEFERRED } = moment
  const { pending, receiveTimeout } = timeoutAfter(moment.receiveTimeout ?? null, step, moment.now)
  const isChanged = canonical(engine.view(moment.state).value) !== canonical(step.view.value)
  const isOver = step.view.status !== 'active'
  return {
    ...moment,
    state: step.state,
    timers: isOver ? [] : timersAfter(timers, pending, (timer) => timer),
    receiveTimeout,
    deferred: deferredAfter(deferred, step.defers ? own : undefined, isChanged, Number.POSITIVE_INFINITY),
  }
}

function find<State>({ timers }: ActorBefore<State>, id: string): TimerSetting {
  const timer = timers.find((set) => set.id === id)
  if (!timer) throw new OutOfRange(`no timer ${id} is set`)
  return timer
}

/** The first observable difference between two orders, the most telling kind first. */
function compare<State>(one: HandlingResult<State>, other: HandlingResult<State>): Difference | undefined {
  return (
    firstDifference(stateOf(one), stateOf(other)) ??
    differenceInSends(one.steps, other.steps) ??
    firstDifference(pendingIn(one), pendingIn(other)) ??
    differenceOfLists('orders', ordersIn(one), ordersIn(other)) ??
    differenceOfLists('deferred messages', deferredIn(one), deferredIn(other)) ??
    differenceOfLists('facts', factsIn(one), factsIn(other)) ??
    differenceOfLists('records', recordsIn(one), recordsIn(other))
  )
}

function stateOf<State>({ moment: { engine, state }, crash }: HandlingResult<State>) {
  const { value, context, status } = engine.view(state)
  return { crash, state: value, 'end of the actor': status === 'active' ? null : status, context }
}

type Sends = Pick<StepOutput<unknown>, 'sends'>

function differenceInSends(one: readonly Sends[], other: readonly Sends[]): Difference | undefined {
  const recipients = [...one, ...other].flatMap(({ sends }) => sends.map(({ to }) => to))
  for (const recipient of new Set(recipients)) {
    const found = differenceOfLists(`sends to ${recipient}`, sendsTo(recipient, one), sendsTo(recipient, other))
    if (found) return found
  }
  return undefined
}

/** The messages to a recipient in order, messages to its group included. */
const sendsTo = (recipient: Address, steps: readonly Sends[]): readonly string[] =>
  steps
    .flatMap(({ sends }) => sends)
    .filter(({ to }) => to === recipient || to === groupOf(recipient))
    .map(({ message }) => shown(message))

/** A message as text, its type first. */
const shown = ({ type, ...fields }: Message): string => `${type} ${canonical(fields)}`

const factsIn = <State>({ steps }: HandlingResult<State>): readonly string[] =>
  steps.flatMap(({ facts }) => facts.map(canonical)).sort()

/** The records, from the last snapshot on; their order counts only if there is one. */
function recordsIn<State>({ steps }: HandlingResult<State>): readonly string[] {
  const last = steps.findLastIndex(({ isSnapshot }) => isSnapshot)
  const records = steps.slice(Math.max(0, last)).flatMap((step) => step.records.map(canonical))
  return last < 0 ? records.sort() : ['snapshot', ...records]
}

/** The orders to the system, in their order. */
const ordersIn = <State>({ steps }: HandlingResult<State>): readonly string[] =>
  steps.flatMap(({ orders }) => orders.map((order) => canonical(order)))

const deferredIn = <State>({ moment }: HandlingResult<State>): readonly string[] =>
  waitingIn(moment.deferred ?? NONE_DEFERRED).map(({ event }) => canonical(event))

function pendingIn<State>({ moment: { timers, receiveTimeout = null }, steps }: HandlingResult<State>) {
  return {
    timers: Object.fromEntries(
      timers.map(({ id, isDeadline, kind, due, event }) => [`${isDeadline ? 'ask ' : ''}${id}`, { kind, due, event }]),
    ),
    ...orderOf(timers),
    'receive timeout': receiveTimeout,
    computations: Object.fromEntries(computationsOf(steps)),
  }
}

/** The computations that were begun and have not ended. */
function computationsOf(steps: readonly Pick<StepOutput<unknown>, 'pending'>[]): ReadonlyMap<string, Call> {
  const begun = new Map<string, Call>()
  for (const change of steps.flatMap(({ pending }) => pending)) {
    if (change.type === 'compute') begun.set(change.id, change.call)
    if (change.type === 'cancel') begun.delete(change.id)
  }
  return begun
}

/** The order of setting among timers that are due together. */
function orderOf(timers: readonly TimerSetting[]): Record<string, string> {
  const orders: Record<string, string> = {}
  for (const { id, kind, due } of timers) {
    const name = `order of ${kind} timers due at ${toUnits(due)}`
    orders[name] = name in orders ? `${orders[name]}, ${id}` : id
  }
  return orders
}
