/**
 * Decides whether two events of an actor commute. Both orders are run from one state, at one instant, and compared by all
 * observable results. Random draws and new ids of a step depend on their purpose (lib/core/random.ts), not on what came
 * before, so they make no difference.
 */
import type { Call, Effect } from '../actor/effect.ts'
import { stepContextOf } from '../actor/incarnation.ts'
import { enterStep, leaveStep } from '../actor/step-context.ts'
import { type Address, groupOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { canonical, type Difference, differenceOfLists, firstDifference } from '../core/difference.ts'
import { summaryOf } from '../core/thrown.ts'
import { type Time, type TimerKind, toUnits } from '../core/time.ts'
import type { Engine } from '../engine/engine.ts'

/** An actor before it handles either of the two. */
export interface ActorBefore<State> {
  readonly engine: Engine<State>
  readonly state: State
  readonly address: Address
  readonly incarnation: number
  /** The seed of the run. */
  readonly seed: number
  /** When the later of the two was handled. */
  readonly now: Time
  /** All that are set, in the order of setting: those that fire now among them. */
  readonly timers: readonly PendingTimer[]
}

export interface PendingTimer {
  readonly id: string
  readonly kind: TimerKind
  readonly due: Time
  readonly event: Message
}

/** Mail as the machine sees it, with `from`; or one of the timers that are set, by its id. */
export type Occurrence = { readonly mail: Message } | { readonly timer: string }

export type Verdict = { readonly commute: true } | ({ readonly commute: false } & Difference)

/**
 * A timer that the first handling cancels or sets again does not fire as the second. Sends to one recipient are compared
 * in order, those to different ones are not: they arrive at different actors. What is set and cancelled is compared by
 * what is set in the end, with the order among timers of one instant, which they fire in. Facts and records have none.
 *
 * An object's fields have no order here, so a machine must not go by it; nor can the end of a computation be seen that
 * was begun before, but by what else changes.
 */
export function commute<State>(moment: ActorBefore<State>, one: Occurrence, other: Occurrence): Verdict {
  const difference = compare(handle(moment, [one, other]), handle(moment, [other, one]))
  return difference ? { commute: false, ...difference } : { commute: true }
}

/** The result of handling events, one after another. */
export interface HandlingResult<State> {
  readonly moment: ActorBefore<State>
  readonly effects: readonly Effect[]
  /** What a step threw; nothing else came of it, nor of what was to be handled after it. */
  readonly crash: string | null
}

/**
 * Handles the events in this order, all at the one instant; an actor that has stopped handles nothing.
 *
 * @throws RangeError for a timer that is not set
 */
export function handle<State>(before: ActorBefore<State>, order: readonly Occurrence[]): HandlingResult<State> {
  const handled = order.map((occurrence) => ('mail' in occurrence ? occurrence : find(before, occurrence.timer)))
  let moment = before
  const all: Effect[] = []
  enterStep(stepContextOf(before.seed, before, () => before.now))
  try {
    for (const thing of handled) {
      const { engine, state, timers } = moment
      const isCalledOff = !('mail' in thing) && !timers.includes(thing)
      if (isCalledOff || engine.view(state).status !== 'active') continue
      const [next, effects] = engine.step(state, 'mail' in thing ? thing.mail : thing.event)
      const left = timers.filter((timer) => timer !== thing)
      const isOver = engine.view(next).status !== 'active'
      moment = { ...moment, state: next, timers: isOver ? [] : timersAfter(left, effects, moment.now) }
      all.push(...effects)
    }
  } catch (error) {
    const crash = summaryOf(error)
    return { moment: { ...moment, timers: [] }, effects: all, crash }
  } finally {
    leaveStep()
  }
  return { moment, effects: all, crash: null }
}

function find<State>({ timers }: ActorBefore<State>, id: string): PendingTimer {
  const timer = timers.find((set) => set.id === id)
  if (!timer) throw new RangeError(`expected a timer that is set, got ${id}`)
  return timer
}

function timersAfter(timers: readonly PendingTimer[], effects: readonly Effect[], now: Time): readonly PendingTimer[] {
  let set = timers
  for (const effect of effects) {
    if (effect.type !== 'timer' && effect.type !== 'cancel') continue
    const { id } = effect.params
    set = set.filter((timer) => timer.id !== id)
    if (effect.type === 'cancel') continue
    const { kind, delay, event } = effect.params
    set = [...set, { id, kind, due: now + delay, event }]
  }
  return set
}

/** The first observable difference between two orders, the most telling kind first. */
function compare<State>(one: HandlingResult<State>, other: HandlingResult<State>): Difference | undefined {
  return (
    firstDifference(stateOf(one), stateOf(other)) ??
    differenceInSends(one.effects, other.effects) ??
    firstDifference(pendingIn(one), pendingIn(other)) ??
    differenceOfLists('facts', canonicalOf('observe', one), canonicalOf('observe', other)) ??
    differenceOfLists('records', canonicalOf('persist', one), canonicalOf('persist', other))
  )
}

function stateOf<State>({ moment: { engine, state }, crash }: HandlingResult<State>) {
  const { value, context, status } = engine.view(state)
  return { crash, state: value, 'end of the actor': status === 'active' ? null : status, context }
}

function differenceInSends(one: readonly Effect[], other: readonly Effect[]): Difference | undefined {
  const recipients = [...one, ...other].flatMap(({ type, params }) => (type === 'tell' ? [params.to] : []))
  for (const recipient of new Set(recipients)) {
    const found = differenceOfLists(`sends to ${recipient}`, sendsTo(recipient, one), sendsTo(recipient, other))
    if (found) return found
  }
  return undefined
}

/** The messages to a recipient in order, messages to its group included. */
const sendsTo = (recipient: Address, effects: readonly Effect[]): readonly string[] =>
  effects.flatMap(({ type, params }) =>
    type === 'tell' && (params.to === recipient || params.to === groupOf(recipient)) ? [shown(params.message)] : [],
  )

/** A message as text, its type first. */
const shown = ({ type, ...fields }: Message): string => `${type} ${canonical(fields)}`

const canonicalOf = <State>(type: Effect['type'], { effects }: HandlingResult<State>): readonly string[] =>
  effects.flatMap((effect) => (effect.type === type ? [canonical(effect.params)] : [])).sort()

function pendingIn<State>({ moment: { timers }, effects }: HandlingResult<State>) {
  return {
    timers: Object.fromEntries(timers.map(({ id, kind, due, event }) => [id, { kind, due, event }])),
    ...orderOf(timers),
    computations: Object.fromEntries(computationsOf(effects)),
  }
}

/** The computations that were begun and have not ended. */
function computationsOf(effects: readonly Effect[]): ReadonlyMap<string, Call> {
  const begun = new Map<string, Call>()
  for (const { type, params } of effects) {
    if (type === 'compute') begun.set(params.id, params.call)
    if (type === 'cancel') begun.delete(params.id)
  }
  return begun
}

/** The order of setting among timers that are due together. */
function orderOf(timers: readonly PendingTimer[]): Record<string, string> {
  const orders: Record<string, string> = {}
  for (const { id, kind, due } of timers) {
    const name = `order of ${kind} timers due at ${toUnits(due)}`
    orders[name] = name in orders ? `${orders[name]}, ${id}` : id
  }
  return orders
}
