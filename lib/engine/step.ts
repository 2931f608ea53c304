/**
 * One step of an actor: the machine handles an event, and its effects are sorted by what they ask for. It changes nothing.
 * A cell, a replay and an exploration all take their steps here. They differ in what they do with the output: only they
 * know what the network does to a message.
 */
import type { Directory } from '../actor/directory.ts'
import type { Effect, EnteredState, Request, SystemOrder } from '../actor/effect.ts'
import { NEEDS_REAL_TIME } from '../actor/incarnation.ts'
import type { Inspection } from '../actor/inspection.ts'
import type { ReceiveTimeout } from '../actor/receive-timeout.ts'
import { answeredEvent, replyLetter, requestLetter } from '../actor/requests.ts'
import { enterStep, type Incoming, leaveStep, type StepContext } from '../actor/step-context.ts'
import type { PendingChange } from '../actor/timers.ts'
import { type Address, isGroup, machineOf, parentOf, SYSTEM } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { instantAfter } from '../core/time.ts'
import type { Engine, Step, View } from './engine.ts'

/** The actor that takes a step. */
export interface Stepper<State> {
  readonly engine: Engine<State>
  /** What the machine may read in a step. */
  readonly context: StepContext
  readonly time: 'virtual' | 'real'
  /** Whether clocks and random numbers of the process are refused in its steps. */
  readonly isPure?: boolean
  /** The actors that it knows of; without it, any address may be that of an actor. */
  readonly directory?: () => Directory
  /** Checks the messages of this incarnation; without it they are trusted. */
  readonly inspection?: Inspection
}

/** What a step asks for. Each list is in the order of the effects. */
export interface StepOutput<State> {
  readonly state: State
  /** The statechart's configuration, its context and status after the step. */
  readonly view: View
  readonly effects: readonly Effect[]
  /** Messages to one address or group each. */
  readonly sends: readonly { readonly to: Address; readonly message: Message }[]
  /** Changes to the timers and computations that the actor waits for. */
  readonly pending: readonly PendingChange[]
  readonly facts: readonly Message[]
  readonly records: readonly Plain[]
  /** Whether the records replace those of earlier steps. */
  readonly isSnapshot: boolean
  /** The orders to the system about other actors. */
  readonly orders: readonly SystemOrder[]
  /** The states that child charts entered. */
  readonly entered: readonly EnteredState[]
  /** The receive timeout that the step sets, null for none; undefined if it leaves that of before. */
  readonly receiveTimeout: ReceiveTimeout | undefined
  /** Whether the step handles a message, which ends a silence: neither the start nor a timer. */
  readonly isReceiving: boolean
  /** Whether the event is kept until the configuration changes. */
  readonly defers: boolean
  /** The type of the event if no transition took it. */
  readonly unhandled: string | null
}

/** The first step of an incarnation. Throws what the machine throws, and NotPlainError for effects that cannot travel. */
export function takeFirstStep<State>(stepper: Stepper<State>, input: unknown): StepOutput<State> {
  try {
    enterStep(stepper.context, undefined, stepper.isPure)
    return outputOf(stepper, stepper.engine.initial(input), null, NOTHING)
  } finally {
    leaveStep()
  }
}

/**
 * A step that handles `event`; `state` must be active. Throws what the machine throws, and NotPlainError for effects that
 * cannot travel.
 */
export function takeStep<State>(stepper: Stepper<State>, state: State, incoming: Incoming): StepOutput<State> {
  const { event, from, request } = incoming
  const { engine } = stepper
  try {
    enterStep(stepper.context, from, stepper.isPure, request)
    const step = engine.step(state, event)
    const isUnhandled = step[0] === state && step[1].length === 0 && !engine.handles(state, event)
    return outputOf(stepper, step, isUnhandled ? event.type : null, incoming)
  } finally {
    leaveStep()
  }
}

function outputOf<State>(
  { engine, context, time, inspection, directory }: Stepper<State>,
  [state, effects]: Step<State>,
  unhandled: string | null,
  { request, isTimer }: Pick<Incoming, 'request' | 'isTimer'>,
): StepOutput<State> {
  let unanswered = request && !effects.some((effect) => isReply(effect, request)) ? request : undefined
  let timersSet = 0
  let defers = false
  let receiveTimeout: ReceiveTimeout | undefined
  // Most steps ask for little, so each list is made when it is needed.
  let sends: { to: Address; message: Message }[] | undefined
  let pending: PendingChange[] | undefined
  let facts: Message[] | undefined
  let records: Plain[] | undefined
  let isSnapshot = false
  let entered: EnteredState[] | undefined
  let orders: SystemOrder[] | undefined
  for (const effect of effects) {
    inspection?.look(effect)
    switch (effect.type) {
      case 'tell':
        if (unanswered && effect.params.to === unanswered.from) {
          sends = added(sends, { to: unanswered.from, message: replyLetter(unanswered, effect.params.message) })
          unanswered = undefined
        } else sends = added(sends, effect.params)
        break
      case 'ask': {
        const { id, to, message, deadline } = effect.params
        sends = added(sends, { to, message: requestLetter(id, timersSet++, message) })
        const refusal = directory?.().faultOf(to)
        const due = instantAfter(context.now, refusal === undefined ? deadline : 0, `the deadline of ask ${id}`)
        const event = answeredEvent(id, refusal === undefined ? { timeout: true } : { refusal })
        pending = added(pending, { type: 'set', id, kind: 'protocol', event, due, isDeadline: true })
        break
      }
      case 'answer':
        sends = added(sends, {
          to: effect.params.request.from,
          message: replyLetter(effect.params.request, effect.params.message),
        })
        break
      case 'refuse':
        sends = added(sends, {
          to: effect.params.request.from,
          message: replyLetter(effect.params.request, effect.params.reason),
        })
        break
      case 'receiveTimeout':
        receiveTimeout = effect.params.after
        break
      case 'defer':
        if (isTimer)
          throw new Error('defer() is for messages: a step without one, or with that of a timer, cannot use it')
        defers = true
        break
      case 'timer': {
        const { id, kind, delay, event } = effect.params
        timersSet++
        pending = added(pending, { type: 'set', id, kind, event, due: instantAfter(context.now, delay, `timer ${id}`) })
        break
      }
      case 'compute':
        if (time === 'virtual') throw new Error(NEEDS_REAL_TIME)
        pending = added(pending, { type: 'compute', ...effect.params })
        break
      case 'cancel':
        pending = added(pending, { type: 'cancel', id: effect.params.id })
        break
      case 'observe':
        facts = added(facts, effect.params)
        break
      case 'persist':
        records = added(records, effect.params)
        break
      case 'snapshot':
        records = [effect.params]
        isSnapshot = true
        break
      case 'enter':
        entered = added(entered, effect.params)
        break
      default:
        orders = added(orders, effect)
    }
  }
  return {
    state,
    view: engine.view(state),
    effects,
    sends: sends ?? NONE,
    pending: pending ?? NONE,
    facts: facts ?? NONE,
    records: records ?? NONE,
    isSnapshot,
    orders: orders ?? NONE,
    entered: entered ?? NONE,
    receiveTimeout,
    isReceiving: !isTimer,
    defers,
    unhandled,
  }
}

const NONE: readonly never[] = []

/** Adds an item to a list, which is made for the first one. */
function added<T>(list: T[] | undefined, item: T): T[] {
  if (!list) return [item]
  list.push(item)
  return list
}

/** What the first step handles. */
const NOTHING = { isTimer: true } as const

/** Says whether an effect answers or refuses a request. */
function isReply({ type, params }: Effect, { from, incarnation, n }: Request): boolean {
  if (type !== 'answer' && type !== 'refuse') return false
  const { request } = params
  return request.from === from && request.incarnation === incarnation && request.n === n
}

/** One recipient of a message. */
export interface Recipient {
  readonly address: Address
  /** The slot of the recipient; undefined if the sender knows of no actor at this address. */
  readonly slot: number | undefined
  /** Whether the message stays within the machine, so that no network is involved. */
  readonly isNear: boolean
}

/** Thrown by a step that sends mail to a child of its actor that has never started. */
export class NotStarted extends BourseError {
  override readonly name = 'NotStarted'

  constructor(child: Address) {
    super('BOURSE_ADDRESS', `the child ${child} has not started: send it mail once \`started\` has come`)
  }
}

/** The recipients of a message to `to`: one, or each other member of a group in the order in which they joined. */
export function recipientsOf(
  to: Address,
  { slot, machine }: { readonly slot: number; readonly machine: string },
  directory: Directory,
): readonly Recipient[] {
  if (to === 'system') return [{ address: to, slot: SYSTEM, isNear: true }]
  if (!isGroup(to)) {
    const known = directory.slotOf(to)
    if (known === undefined && parentOf(to) === directory.addressOf(slot)) throw new NotStarted(to)
    return [{ address: to, slot: known, isNear: machineOf(to) === machine }]
  }
  const recipients: Recipient[] = []
  for (const member of directory.membersOf(to)) {
    const address = directory.addressOf(member)
    if (member !== slot) recipients.push({ address, slot: member, isNear: machineOf(address) === machine })
  }
  return recipients
}
