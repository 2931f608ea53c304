/** The API for authors of scenarios: what runs, with which flags, and what it promises. */
export { runMain, runProgram } from './cli/shell.ts'
export { UsageError } from './core/usage-error.ts'
// the types of the options that every run has, which declarations of a user's scenario name
export type { Place } from './distributed/coordinator/placement.ts'
export type { Secret } from './distributed/secret.ts'
export { type Check, is, named, none, noneViolated, within } from './scenario/checks.ts'
export type { CommandOutcome, DrawnChart, Invocation, Progress, ShownAs } from './scenario/command.ts'
export type {
  Circumstances,
  CommandRun,
  Definition,
  Results,
  ScenarioRun,
  Setup,
  Shown,
  Stage,
  Tasks,
} from './scenario/definition.ts'
export { type Fault, parseFault, printFault } from './scenario/faults.ts'
export {
  type Flag,
  type Flags,
  grouped,
  type OptionsOf,
  optional,
  type Parser,
  repeated,
  toggle,
  value,
} from './scenario/flags.ts'
export { Lives } from './scenario/lives.ts'
export {
  always,
  type Broken,
  eventually,
  FactLog,
  type History,
  type Monitor,
  Monitors,
  type ObservedFact,
  type Oracle,
  type Property,
  promises,
  type Violation,
} from './scenario/oracle.ts'
export {
  few,
  type Link,
  type Noun,
  type ObjectPhase,
  type ObjectRow,
  type Objects,
  ofRun,
  outOf,
  type PageReader,
  type Picture,
  type PictureAxis,
  type PicturePoint,
  type PictureSeries,
  type RunNoun,
  type Sentence,
  say,
  type Tile,
  time,
} from './scenario/page.ts'
export {
  choice,
  duration,
  fileFlag,
  indices,
  integer,
  number,
  oneOf,
  positiveNumbers,
  probability,
  text,
} from './scenario/parsers.ts'
export { agreement, type Decision, oneLeaderPerTerm } from './scenario/promises/agreement.ts'
export { type BarrierEvent, barrier } from './scenario/promises/barrier.ts'
export { type Accounts, conservation, type Transfer } from './scenario/promises/conservation.ts'
export {
  type ConsistencyOptions,
  linearizable,
  type RegisterInput,
  register,
  sequentiallyConsistent,
} from './scenario/promises/consistency.ts'
export { type Move, mutualExclusion } from './scenario/promises/exclusion.ts'
export {
  completeness,
  eventualAccuracy,
  type Opinion,
  strongAccuracy,
} from './scenario/promises/failure-detector.ts'
export { atLeastOnce, atMostOnce, type Expected, exactlyOnce } from './scenario/promises/once.ts'
export type { Call } from './scenario/promises/operations.ts'
export { type CauseAndEffect, increasing, precedence, response } from './scenario/promises/order.ts'
export { noOrphans, type WorkEvent } from './scenario/promises/orphans.ts'
export { type Automaton, invariant, type Key, type Reads, type Several, safety } from './scenario/promises/safety.ts'
export type { SequentialObject } from './scenario/promises/sequential-search.ts'
export { type RunFlagOptions, runFlags, runFlagsWith } from './scenario/run-flags.ts'
export { type DefinedScenario, defineScenario, type Scenario } from './scenario/scenario.ts'
export type { ScheduleString } from './scenario/schedule-string.ts'
export { type Sometime, sometime } from './scenario/specification.ts'
export type { Timeline } from './scenario/timeline.ts'
export { Windows } from './scenario/windows.ts'
