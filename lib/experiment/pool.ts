/** Runs the points of a study side by side, each in a process (lane.ts). */
import type { Plain } from '../core/data.ts'
import { UsageError } from '../core/usage-error.ts'
import { temporaryFolder } from '../runtime/temporary-folder.ts'
import { type Ending, type Study, WorkerProcess } from './worker-process.ts'

/** The points to run, and the functions that hear of progress. */
export interface Work {
  readonly study: Study
  readonly points: readonly Plain[]
  readonly signal?: AbortSignal | undefined
  /** Called when the first process or the connection is ready, before the first point is run. */
  readonly onReady?: () => void
  /** Called with what a point has found so far, if its study tells that; each part stands for all earlier ones. Hosts tell no parts. */
  readonly onPart?: (index: number, part: Plain) => void
  /** Called when a point has ended, once for each point. */
  readonly onEnding: (index: number, ending: Ending) => void
}

/** A place where points are run. */
export interface Pool {
  /**
   * Runs every point. When the promise settles, no point is running any more.
   *
   * @throws Error if the study cannot be loaded, and the signal's reason if it was aborted
   */
  run(work: Work): Promise<void>
  /** The number of points that each host is running, for people: `h2 2, h3 1`; '' for this machine. */
  readonly status: string
}

/**
 * A pool on this machine that runs `parallel` points at a time.
 *
 * @throws UsageError unless `parallel` is an integer >= 1
 */
export function poolOf(parallel: number): Pool {
  if (!Number.isInteger(parallel) || parallel < 1)
    throw UsageError.invalid('parallel', 'an integer >= 1', String(parallel))
  return { run: (work) => runHere(work, parallel), status: '' }
}

async function runHere({ study, points, signal, onReady, onPart, onEnding }: Work, parallel: number): Promise<void> {
  signal?.throwIfAborted()
  if (points.length === 0) onReady?.()
  const folder = temporaryFolder()
  const lanes = Array.from({ length: Math.min(parallel, points.length) }, () => new WorkerProcess(study, folder.path))
  const stopped = new AbortController()
  const stop = (reason: unknown): void => {
    stopped.abort(reason)
    for (const lane of lanes) lane.stop()
  }
  const interrupted = (): void => stop(signal?.reason)
  const exiting = (): void => {
    stop('exit')
    folder.remove()
  }
  let next = 0
  const heard = (index: number, part: Plain): void => {
    if (!stopped.signal.aborted) onPart?.(index, part)
  }
  let isReady = false
  const begin = (): void => {
    if (!isReady) onReady?.()
    isReady = true
  }
  const runAll = async (lane: WorkerProcess): Promise<void> => {
    await lane.ready()
    stopped.signal.throwIfAborted()
    begin()
    while (next < points.length) {
      const index = next++
      const ending = await lane.run(points[index] ?? null, onPart && ((part) => heard(index, part)))
      stopped.signal.throwIfAborted()
      onEnding(index, ending)
    }
  }

  signal?.addEventListener('abort', interrupted)
  process.once('exit', exiting)
  try {
    const running = lanes.map(runAll)
    for (const one of running) one.catch(stop)
    await Promise.allSettled(running)
    stopped.signal.throwIfAborted()
  } finally {
    await Promise.all(lanes.map((lane) => lane.leave()))
    signal?.removeEventListener('abort', interrupted)
    process.off('exit', exiting)
    folder.remove()
  }
}
