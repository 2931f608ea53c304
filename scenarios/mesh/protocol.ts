/** The mesh as a library: its actors, and its scenario with the model that it runs. */
export * from '../../actors/mesh/index.ts'
export type { MeshModel, Multicomputer } from './model.ts'
export { meshRun } from './run.ts'
