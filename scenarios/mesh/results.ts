/** Results of a run on a mesh: partitions after each step of a script, or response times, and the checks. */

import type { Rectangle } from '../../actors/mesh/rectangle.ts'
import { type Check, is } from '../../lib/cli/index.ts'
import { csvText } from '../../lib/core/csv.ts'
import { printUnits } from '../../lib/core/format.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { checksOf } from '../../lib/scenario/verdict.ts'
import { timeCell } from '../../lib/workload/jobs-out.ts'
import { type Measures, measuresOf } from './measures.ts'
import type { MeshModel } from './model.ts'
import type { Watch } from './oracle.ts'
import type { MeshRun } from './run.ts'

export type Owned = Rectangle & { readonly job: number }

/** The partitions after an operation of a script. */
export type StepResult = { readonly op: string; readonly partitions: readonly Owned[] }

/** The partitions after each operation that was done, by job number. */
export function stepsOf({ ops }: Pick<MeshModel, 'ops'>, { steps }: Pick<Watch, 'steps'>): readonly StepResult[] {
  let done = 0
  return ops.flatMap(({ op, steps: { length } }) => {
    done += length
    const snapshot = steps[done - 1]
    if (!snapshot) return []
    const inOrder = [...snapshot.partitions].sort(([one], [other]) => one - other)
    return [{ op, partitions: inOrder.map(([job, partition]) => ({ job, ...partition })) }]
  })
}

/** Results of a run with arrivals; times are in seconds. */
export type Arrived = {
  readonly jobs: number
  readonly measures: Measures
  /** The most jobs that had processors at the same time. */
  readonly most: number
  /** The number of times that a job made room for another. */
  readonly swaps: number
  /** The number of moves to a partition, including the first. */
  readonly movesPerJob: number
  readonly messagesPerJob: number
  /** Jobs without an end: they failed, or the run ended before them. */
  readonly unfinished: number
}

export function arrivedOf(
  { jobs }: Pick<MeshModel, 'jobs'>,
  { oracle, messages }: Pick<MeshRun, 'oracle' | 'messages'>,
): Arrived {
  const stories = [...oracle.jobs.values()]
  const perJob = (count: number): number => count / Math.max(1, jobs.length)
  return {
    jobs: jobs.length,
    measures: measuresOf(jobs, oracle.jobs),
    most: oracle.most,
    swaps: oracle.swaps,
    movesPerJob: perJob(sum(stories, ({ moves }) => moves)),
    messagesPerJob: perJob(messages),
    unfinished: jobs.length - endedIn(oracle),
  }
}

const endedIn = ({ jobs }: Pick<Watch, 'jobs'>): number =>
  [...jobs.values()].filter(({ ended }) => ended !== null).length

/** The checks of a run. All work must be done only if no fault kills an actor or processor. */
export function checksIn({ ops, jobs, multicomputer }: MeshModel, faults: readonly Fault[], run: MeshRun): Check[] {
  const { oracle } = run
  const done =
    'script' in multicomputer.work
      ? is(
          'steps done',
          oracle.steps.length,
          sum(ops, ({ steps: { length } }) => length),
        )
      : is('jobs that ended', endedIn(oracle), jobs.length)
  return [...checksOf(run), ...(faults.length > 0 || (multicomputer.outages ?? []).length > 0 ? [] : [done])]
}

/** CSV with a row for each job; times are in seconds, missing values empty. */
export function jobsCsv({ jobs, ops }: Pick<MeshModel, 'jobs' | 'ops'>, oracle: Pick<Watch, 'jobs'>): string {
  const classed = new Map(jobs.map((job) => [job.job, job]))
  const numbers = ops.length > 0 ? [...oracle.jobs.keys()] : [...classed.keys()]
  const rows = numbers.map((job) => {
    const [story, of] = [oracle.jobs.get(job), classed.get(job)]
    const { began = null, ended = null, moves = '' } = story ?? {}
    const alone = of ? printUnits(of.work) : ''
    return [job, of?.class ?? '', timeCell(of?.arrival ?? began), alone, timeCell(ended), moves]
  })
  return csvText([['id', 'class', 'arrival', 'alone', 'end', 'moves'], ...rows])
}
