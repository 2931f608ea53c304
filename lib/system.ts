/** The API for programs that run actors. */
export { BourseError, type ErrorCode } from './core/error.ts'
export type { Distribution } from './memory/meters.ts'
export { type ActorCounts, type ActorMetrics, type Metrics, OPENMETRICS_TYPE, openMetrics } from './system/metrics.ts'
export {
  type AskOptions,
  AskRefused,
  AskTimeout,
  type Death,
  type DiskLoss,
  type FactAbout,
  type RunEnd,
  type RunOptions,
  type SpawnOptions,
  System,
  type SystemInit,
  type SystemOptions,
  type Unlisten,
} from './system/system.ts'
