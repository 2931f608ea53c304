/** What a step may read besides its context and event. The cell sets it for each step, and it is constant within a step. */
import type { Address } from '../core/address.ts'
import type { Time } from '../core/time.ts'

export interface StepContext {
  readonly self: Address
  readonly now: Time
  draw(purpose: string, key: string | number): number
  newId(key: string | number): string
}

let current: StepContext | undefined

export const enterStep = (context: StepContext): void => {
  current = context
}

export const leaveStep = (): void => {
  current = undefined
}

const step = (): StepContext => {
  if (!current) throw new Error('now(), self(), draw() and newId() exist only inside a step of an actor')
  return current
}

/** The instant of this step. */
export const now = (): Time => step().now

/** This actor's own address. */
export const self = (): Address => step().self

/**
 * A number in [0, 1) that depends on the seed, the purpose and the key alone: the same work for task 17 under every
 * protocol, and two deliveries that commute still commute when they draw.
 */
export const draw = (purpose: string, key: string | number): number => step().draw(purpose, key)

/** A fresh id of 10 characters (nanoid's alphabet), fixed by the seed, this actor, its incarnation and the key. */
export const newId = (key: string | number): string => step().newId(key)
