/** The API for actor authors. */
export { actor, type Computed, type Joined, type Left, type Mail } from './actor/actor.ts'
export type { Decision } from './actor/decision.ts'
export {
  type Call,
  type Computation,
  type ComputationOutcome as Outcome,
  cancel,
  compute,
  type Effect,
  observe,
  persist,
  type Timer,
  tell,
  timer,
} from './actor/effect.ts'
export { draw, newId, now, self } from './actor/step-context.ts'
export { type Address, groupOf, machineOf, roleOf } from './core/address.ts'
export type { Message, Plain } from './core/data.ts'
export type { Thrown } from './core/thrown.ts'
export { type Time, type TimerKind, toUnits, units } from './core/time.ts'
