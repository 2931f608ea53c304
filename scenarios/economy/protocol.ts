/** The economy as a library: its actors, and its scenario with the model that it runs. */
export * from '../../actors/economy/index.ts'
export type { Economy } from './model.ts'
export { economyRun } from './run.ts'
