/** Contracts as a library: its actors, and its scenario with the model that it runs. */
export * from '../../actors/contracts/index.ts'
export type { ContractsMarket } from './model.ts'
export { contractsRun } from './run.ts'
