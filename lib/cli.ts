/** Everything a scenario needs for its command line. */
export { type Check, is, named, none, within } from './cli/checks.ts'
export { makeFolder, resultFile, writeResult } from './cli/files.ts'
export {
  type Arguments,
  type Flag,
  type Flags,
  type OptionsOf,
  optional,
  type Parser,
  parseFlags,
  repeated,
  toggle,
  value,
} from './cli/flags.ts'
export { flagTable, helpText } from './cli/help.ts'
export {
  EXIT,
  execute,
  type Invocation,
  type Outcome,
  runMain,
  type Scenario,
  type Shell,
  signalOf,
} from './cli/main.ts'
export {
  duration,
  indices,
  integer,
  number,
  off,
  oneOf,
  positiveNumbers,
  probability,
  schedule,
  text,
} from './cli/parsers.ts'
export type { Progress } from './cli/progress.ts'
export {
  accessFlags,
  type CommonOptions,
  commonFlags,
  faultsOf,
  isDemonstration,
  loadRegistered,
  plainFlags,
  registerFlag,
  type SharedOptions,
  sharedFlags,
  systemOptions,
} from './cli/shared.ts'
export { UsageError } from './usage.ts'
