/** Everything that a scenario needs for its command line. */

export { UsageError } from '../core/usage-error.ts'
export { type Check, is, named, none, noneViolated, within } from '../scenario/checks.ts'
export { makeFolder, resultFile, writeResult } from './files.ts'
export {
  type Arguments,
  type Flag,
  type Flags,
  grouped,
  type OptionsOf,
  optional,
  type Parser,
  parseFlags,
  repeated,
  toggle,
  value,
} from './flags.ts'
export { flagTable, helpText } from './help.ts'
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
} from './parsers.ts'
export type { Progress } from './progress.ts'
export {
  accessFlags,
  faultsOf,
  isDemonstration,
  loadRegistered,
  outputFlags,
  type RunFlagOptions,
  registerFlag,
  runFlags,
  runFlagsWith,
  type SeedOptions,
  seedFlags,
  systemOptions,
} from './run-flags.ts'
export {
  EXIT,
  execute,
  type Invocation,
  type Outcome,
  runMain,
  type Scenario,
  type Shell,
  signalOf,
} from './shell.ts'
