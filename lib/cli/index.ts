/** Everything that a scenario needs for its command line. */

export { makeFolder, resultFile, writeResult } from '../core/result-file.ts'
export { UsageError } from '../core/usage-error.ts'
export { type Check, is, named, none, noneViolated, within } from '../scenario/checks.ts'
export type { Invocation, Progress } from '../scenario/command.ts'
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
} from '../scenario/flags.ts'
export { loadRegistered } from '../scenario/load.ts'
export {
  choice,
  duration,
  fileFlag,
  indices,
  integer,
  number,
  off,
  oneOf,
  positiveNumbers,
  probability,
  schedule,
  text,
} from '../scenario/parsers.ts'
export {
  accessFlags,
  faultsOf,
  hasFaults,
  isDemonstration,
  onlyFlag,
  outputFlags,
  type RunFlagOptions,
  registerFlag,
  roomOn,
  runFlags,
  runFlagsWith,
  type SeedOptions,
  seedFlags,
  systemOptions,
} from '../scenario/run-flags.ts'
export { flagTable, helpText } from './help.ts'
export {
  type Command,
  EXIT,
  execute,
  type Outcome,
  runMain,
  runProgram,
  type Shell,
  signalOf,
} from './shell.ts'
