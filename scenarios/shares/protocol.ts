/** Fair shares as a library: its actors, and its scenarios with the model that they run. */
export * from '../../actors/shares/index.ts'
export { sharesCluster } from './cluster.ts'
export { coscheduling } from './coscheduling.ts'
export type { Cluster } from './model.ts'
