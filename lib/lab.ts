/** The laboratory as functions, for the tests of one's own protocol. */
export type { Scenario } from './scenario/scenario.ts'
