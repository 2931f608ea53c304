/** The API for authors of scenarios: what runs, with which flags, and what it promises. */
export { runMain, runProgram } from './cli/shell.ts'
export { UsageError } from './core/usage-error.ts'
// the types of the options that every run has, which declarations of a user's scenario name
export type { Place } from './distributed/coordinator/placement.ts'
export type { Secret } from './distributed/secret.ts'
export { type Check, is, named, none, noneViolated, within } from './scenario/checks.ts'
export type { CommandOutcome, DrawnChart, Invocation, Progress } from './scenario/command.ts'
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
export {
  always,
  eventually,
  FactLog,
  type History,
  type ObservedFact,
  type Oracle,
  type Property,
  promises,
  type Violation,
} from './scenario/oracle.ts'
export {
  duration,
  indices,
  integer,
  number,
  oneOf,
  positiveNumbers,
  probability,
  text,
} from './scenario/parsers.ts'
export { type RunFlagOptions, runFlags, runFlagsWith } from './scenario/run-flags.ts'
export { type DefinedScenario, defineScenario, type Scenario } from './scenario/scenario.ts'
export type { ScheduleString } from './scenario/schedule-string.ts'
export { type Sometime, sometime } from './scenario/specification.ts'
export type { Timeline } from './scenario/timeline.ts'
