/** The laboratory as functions, for tests of a protocol in any test runner. */
export { BrokenUndisturbed } from './explore/broken-undisturbed.ts'
export type { Case } from './explore/counterexample.ts'
export {
  type Exploration,
  type ExploreOptions,
  explore,
  PromiseBroken,
  replay,
  replayCorpus,
} from './explore/laboratory.ts'
export type { FlagTexts } from './scenario/flags.ts'
export type { Scenario } from './scenario/scenario.ts'
