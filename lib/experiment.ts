/** The API for experiments: many runs on all cores, and what their numbers are worth. */
export { type Column, csvOf, type Interval, markdownOf, plainOf, type ResultTable, textOf } from './core/table.ts'
export { type BatchMeans, type BatchMeansOptions, batchMeans } from './experiment/batch-means.ts'
export type { Axis, Chart, Point, Series } from './experiment/chart.ts'
export { mg1, mm1, mmc } from './experiment/closed-forms.ts'
export {
  againstBaseline,
  type Comparison,
  type Paired,
  type Policy,
  paired,
  type Unpaired,
  welch,
} from './experiment/compare.ts'
export { svgOf } from './experiment/drawing.ts'
export { tInterval } from './experiment/interval.ts'
export { type LawCarson, type LawCarsonOptions, lawCarson } from './experiment/law-carson.ts'
export { acrossReplications, mser5, type WarmUp } from './experiment/mser.ts'
export { type Pool, poolOf } from './experiment/pool.ts'
export {
  type Precision,
  type Replicated,
  ratioOfSums,
  replicate,
  replicationSeed,
  type Share,
} from './experiment/replications.ts'
export { type FailedPoint, type Sweep, SweepError, sweep } from './experiment/sweep.ts'
