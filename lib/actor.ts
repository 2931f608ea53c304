/** The API for actor authors. */
export {
  type ActorConfig,
  type ActorMachine,
  type ActorModule,
  type Answered,
  actor,
  type Computed,
  type Delivery,
  type Handler,
  type Implementations,
  type InputOf,
  type Joined,
  type Kit,
  type Left,
  type NamedKit,
  type Names,
  type Reaction,
  type RefOf,
  type Shape,
} from './actor/actor.ts'
export { type Child, type ChildChart, childChart } from './actor/child-chart.ts'
export {
  child,
  restart,
  type Started,
  type StartFailed,
  spawn,
  stop,
  type Terminated,
  type TerminationReason,
  unwatch,
  watch,
} from './actor/children.ts'
export { answered, asked, excused, type Gathering, isAwaited, isComplete } from './actor/correlation.ts'
export type { Decision } from './actor/decision.ts'
export {
  type Ask,
  type AskOutcome,
  answer,
  ask,
  type Call,
  type Computation,
  type ComputationOutcome as Outcome,
  cancel,
  compute,
  defer,
  type Effect,
  observe,
  persist,
  type Request,
  receiveTimeout,
  refuse,
  snapshot,
  type Timer,
  tell,
  timer,
} from './actor/effect.ts'
export { type EventSourced, eventSourced } from './actor/event-sourcing.ts'
export {
  awaitInspection,
  type FailureDetector,
  heardOf,
  idleDetector,
  inspected,
  probed,
} from './actor/failure-detector.ts'
export { type ModuleUrl, moduleUrl } from './actor/module-url.ts'
export { pipe } from './actor/requests.ts'
export { LONGEST_PAUSE, retry } from './actor/retry.ts'
export { draw, newId, now, self, sender } from './actor/step-context.ts'
export type {
  Backoff,
  ChildOptions,
  GiveUp,
  ParentRestart,
  RestartPolicy,
  Strategy,
  SupervisionOptions,
} from './actor/supervision.ts'
export { type Draft, type Turn, turn } from './actor/turn.ts'
export { type Address, groupOf, machineOf, roleOf } from './core/address.ts'
export type { Message, Plain } from './core/data.ts'
export { type MessageTo, type Ref, type ReplyOf, ref } from './core/ref.ts'
export type { Failure, Thrown } from './core/thrown.ts'
export { type Time, type TimerKind, toUnits, units } from './core/time.ts'
