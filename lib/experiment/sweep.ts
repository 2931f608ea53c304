/**
 * A sweep: one function over many points (a cell of a table, a replication), each in a process of its own, on all
 * cores. Results come in the order of the points and do not depend on how many run at a time; with `keep` a point that
 * has been run is not run again.
 */
import { availableParallelism } from 'node:os'
import { type NamesOf, requireKnown } from '../core/check-options.ts'
import { nameOfModule } from '../core/code-registry.ts'
import { NotPlainError, type Plain } from '../core/data.ts'
import { BourseError, type ErrorCode } from '../core/error.ts'
import { VERSION } from '../core/version.ts'
import { Checkpoint, keyOf, type Origin } from './checkpoint.ts'
import { faultOf } from './fields.ts'
import { type Pool, poolOf } from './pool.ts'
import { type Ending, requireForgiven } from './worker-process.ts'

/** A sweep: one function, and the points to run it on. */
export interface Sweep<P extends Plain> {
  /** The module that exports the study, such as `new URL('./study.ts', import.meta.url)`. */
  readonly module: URL
  /** The name of its export: `(point: Plain) => Promise<Plain>`, whose result depends on the point alone. */
  readonly export: string
  readonly points: readonly P[]
  /** A file of results. Remove it after a change of the code: it knows versions, not commits. */
  readonly keep?: string | undefined
  /** The pool that runs the points (default: this machine, as many points at a time as there are cores). */
  readonly pool?: Pool | undefined
  /** Called with the number of distinct points that have ended, kept ones first; fits a scenario's `progress`. */
  readonly onDone?: (done: number, total: number) => void
  /** Aborts the sweep and ends its processes; results in the file stay there. */
  readonly signal?: AbortSignal
}

const OPTIONS: NamesOf<Sweep<Plain>> = { module: 1, export: 1, points: 1, keep: 1, pool: 1, onDone: 1, signal: 1 }

/** A point of a sweep that failed, with the message of its error. */
export interface FailedPoint<P> {
  readonly point: P
  readonly message: string
  /** The code of the error, if it is one of the library. */
  readonly code?: ErrorCode
}

/** Thrown when some points failed. All others were run, and kept if there is a file. */
export class SweepError<P extends Plain = Plain> extends BourseError {
  override readonly name = 'SweepError'
  readonly failures: readonly FailedPoint<P>[]
  /** The results in the order of the points; undefined for a point that failed. */
  readonly results: readonly (Plain | undefined)[]

  constructor(failures: readonly FailedPoint<P>[], results: readonly (Plain | undefined)[]) {
    const shown = failures.slice(0, 3).map(({ point, message }) => `${JSON.stringify(point)}: ${message}`)
    const more = failures.length > shown.length ? [`and ${failures.length - shown.length} more`] : []
    super('BOURSE_SWEEP', `${failures.length} of ${results.length} points failed: ${[...shown, ...more].join('; ')}`)
    this.failures = failures
    this.results = results
  }
}

/**
 * Runs a study at every point; equal points are run once.
 *
 * ```ts
 * const results = await sweep({ module: new URL('./study.ts', import.meta.url), export: 'flow', points, keep })
 * ```
 *
 * @throws SweepError if points failed, BourseError for the first mistake that the option `strict` of a system finds in one, UsageError for a file or an option that cannot be used, OutOfRange for an unknown
 *   option, an Error if the study cannot be loaded, and the signal's reason if it was aborted
 */
export async function sweep<P extends Plain>(options: Sweep<P>): Promise<Plain[]> {
  requireKnown<Sweep<P>>('sweep', options, OPTIONS)
  const { module, export: name, points, keep, pool = poolOf(availableParallelism()), onDone, signal } = options
  for (const [i, point] of points.entries()) {
    const fault = faultOf(point, `points[${i}]`)
    if (fault !== undefined) throw new NotPlainError(`sweep: ${fault}`)
  }
  const kept = keep === undefined ? undefined : new Checkpoint(keep)
  const study = `${nameOfModule(module)}#${name}`
  const keys = points.map((point) => keyOf({ study, point, version: VERSION }))
  const endings = new Map<string, Ending>()
  const missing = new Map<string, Origin>()
  for (const [i, key] of keys.entries()) {
    const result = kept?.get(key)
    if (result !== undefined) endings.set(key, { result })
    else missing.set(key, { study, point: points[i] ?? null, version: VERSION })
  }

  const total = endings.size + missing.size
  const toRun = [...missing]
  await pool.run({
    study: { module: module.href, export: name },
    points: toRun.map(([, { point }]) => point),
    signal,
    onReady: () => onDone?.(endings.size, total),
    onEnding: (index, ending) => {
      const [key, origin] = toRun[index] ?? []
      if (key === undefined || origin === undefined) return
      requireForgiven(ending)
      endings.set(key, ending)
      if ('result' in ending) kept?.add(key, origin, ending.result)
      onDone?.(endings.size, total)
    },
  })

  const results = keys.map((key) => {
    const ending = endings.get(key)
    return ending !== undefined && 'result' in ending ? ending.result : undefined
  })
  const failures = points.flatMap((point, i) => {
    const ending = endings.get(keys[i] ?? '')
    return ending !== undefined && 'message' in ending ? [{ point, ...ending }] : []
  })
  if (failures.length > 0) throw new SweepError(failures, results)
  return results.flatMap((result) => (result === undefined ? [] : [result]))
}
