/** Shrinking in commands: the limit of its time, and its progress. */
import { number, type Progress, value } from '../../lib/cli/index.ts'
import type { ShrinkOptions } from '../../lib/explore/shrink.ts'

/** The flag that limits the time of shrinking. */
export const shrinkSeconds = value({
  metavar: 'S',
  fallback: '60',
  parse: number({ above: 0, max: 1e6 }),
  help: 'shrink each failing run for at most S seconds',
})

/** The options for shrinking a failing run, called `what`, for some seconds at most. It tells its progress. */
export function shrinkingFor(limit: number, what: string, { progress }: Pick<Progress, 'progress'>): ShrinkOptions {
  const seconds = Math.ceil(limit)
  const began = performance.now()
  return {
    late: AbortSignal.timeout(1000 * seconds),
    onProgress: ({ runs, deviations, faults, tasks }) => {
      const size = [`${deviations} deviations`, `${faults} faults`, ...(tasks > 0 ? [`${tasks} tasks`] : [])]
      const done = (performance.now() - began) / 1000
      progress(done, seconds, `shrinking ${what}: ${size.join(', ')} left after ${runs} runs`)
    },
  }
}
