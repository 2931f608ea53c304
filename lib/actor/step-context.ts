/** What a step may read besides its context and event. The cell sets it for each step, and it is constant within a step. */
import type { EventObject } from 'xstate'
import type { Address } from '../core/address.ts'
import { BourseError } from '../core/error.ts'
import type { Time } from '../core/time.ts'
import type { Request } from './effect.ts'
import type { RequestKey } from './requests.ts'

export interface StepContext {
  readonly self: Address
  /** The instant of the step. */
  readonly now: Time
  /** What the clock of its machine shows. It differs from `now` after a jump of that clock. */
  readonly clock: Time
  draw(purpose: string, key: string | number): number
  newId(key: string | number): string
}

/** An event for an actor. Its sender is the actor itself for a timer, and `system` for news of the system. */
export interface Incoming<E extends EventObject = EventObject> {
  readonly event: E
  readonly from: Address
  /** The request that the event makes; absent if nobody asked. */
  readonly request?: Request
  /** The ask of this actor whose outcome the event `answered` brings; absent for all other events. */
  readonly answers?: RequestKey
  /** Whether it is a timer of the actor, which cannot be deferred. */
  readonly isTimer?: true
}

let current: StepContext | undefined
let from: Address | undefined
let isPure = false
let asked: Request | undefined

/**
 * `sender` is the sender of the event that the step handles; absent at the first step, which has none. `made` is the request
 * that the event makes. In a `pure` step the clocks and random numbers of the process are refused.
 */
export const enterStep = (context: StepContext, sender?: Address, pure = false, made?: Request): void => {
  current = context
  from = sender
  isPure = pure
  asked = made
}

export const leaveStep = (): void => {
  current = undefined
  from = undefined
  isPure = false
  asked = undefined
}

/** Says whether a step is under way in which the clocks and random numbers of the process are refused. */
export const isPureStep = (): boolean => isPure

const step = (): StepContext => {
  if (!current) {
    const text = 'now(), self(), sender(), draw() and newId() exist only inside a step of an actor'
    throw new BourseError('BOURSE_OUTSIDE_STEP', text)
  }
  return current
}

/** What the clock of this actor's machine shows: the instant of this step, unless a fault has made the clock jump. */
export const now = (): Time => step().clock

/** This actor's own address. */
export const self = (): Address => step().self

/** The sender of the event that this step handles: this actor itself for a timer, and for the first step of a machine. */
export const sender = (): Address => from ?? self()

/** The request that this step handles; null if nobody asked. */
export const request = (): Request | null => asked ?? null

/**
 * A number in [0, 1) that depends on the seed, the purpose and the key alone: the same work for task 17 under every
 * protocol, and two deliveries that commute still commute when they draw.
 */
export const draw = (purpose: string, key: string | number): number => step().draw(purpose, key)

/** A fresh id of 10 characters (nanoid's alphabet), fixed by the seed, this actor, its incarnation and the key. */
export const newId = (key: string | number): string => step().newId(key)
