/** Shrinking in commands: the limit of its time, and its progress. */
import { number, type Progress, value } from '../../lib/cli/index.ts'
import { counted } from '../../lib/core/format.ts'
import type { InevitableOptions } from '../../lib/explore/inevitable.ts'
import type { ShrinkOptions } from '../../lib/explore/shrink.ts'
import { shareOfTime } from './progress.ts'

/** The flag that limits the time of shrinking. */
export const shrinkSeconds = value({
  metavar: 'S',
  fallback: '60',
  parse: number({ above: 0, max: 1e6 }),
  help: 'shrink each failing run for at most S seconds, and continue it (--inevitable) for at most S more',
})

/** The options for shrinking a failing run, called `what`, for some seconds at most. It tells its progress. */
export function shrinkingFor(limit: number, what: string, { progress }: Pick<Progress, 'progress'>): ShrinkOptions {
  const { late, tell } = limitedTo(limit, progress)
  return {
    late,
    onProgress: ({ runs, deviations, faults, tasks }) => {
      const size = [
        counted(deviations, 'deviation'),
        counted(faults, 'fault'),
        ...(tasks > 0 ? [counted(tasks, 'task')] : []),
      ]
      tell(`shrinking ${what}: ${size.join(', ')} left after ${counted(runs, 'run')}`)
    },
  }
}

/** The options for continuing a failing run, called `what`, `runs` times from each step that is tried. */
export function continuingFor(
  limit: number,
  what: string,
  runs: number,
  { progress }: Pick<Progress, 'progress'>,
): InevitableOptions {
  const { late, tell } = limitedTo(limit, progress)
  return { runs, late, onRun: (done) => tell(`continuing ${what}: ${counted(done, 'continuation')}`) }
}

/** A limit in seconds from now on, and the progress towards it. */
function limitedTo(limit: number, progress: Progress['progress']) {
  const seconds = Math.ceil(limit)
  const began = performance.now()
  const tell = (what: string): void =>
    progress((performance.now() - began) / 1000, seconds, shareOfTime('--shrink-seconds', what))
  return { late: AbortSignal.timeout(1000 * seconds), tell }
}
