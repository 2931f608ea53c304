/** Turns the flags of the contracts market into a model. */
import { PREEMPTIONS } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { hasFaults, type OptionsOf, roomOn, UsageError } from '../../lib/cli/index.ts'
import { jsonDigest } from '../../lib/core/json-digest.ts'
import type { Setup } from '../../lib/scenario/definition.ts'
import { bothWays, patienceOf } from '../patience.ts'
import type { flags } from './flags.ts'
import type { ContractsMarket } from './model.ts'
import { generateTasks } from './workload/generate.ts'
import { readWorkload, type TaskWorkload } from './workload/read.ts'

export type Options = OptionsOf<typeof flags>

const TASKS = 500

function generated(options: Options): Task[] {
  const { seed, tasks = TASKS, sites, processors, load, batch, gaps, runtimes, bound, stretch } = options
  if (stretch !== undefined) throw UsageError.requires('--stretch', '--workload')
  const { valueSkew, valueCv, decay, decaySkew, decayCv } = options
  const mix = {
    batch,
    gaps,
    runtimes,
    bound,
    value: { skew: valueSkew, mean: { of: 'all', is: 1 }, cv: valueCv },
    decay: { skew: decaySkew, mean: { of: 'all', is: decay }, cv: decayCv },
  } as const
  try {
    return generateTasks({ seed, tasks, processors: sites * processors, load, mix })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--tasks ${tasks} and --load ${load} make a run too long: choose fewer tasks or a higher load`)
  }
}

function marketOf(
  options: Options,
  { tasks, labels }: Pick<TaskWorkload, 'tasks'> & Partial<TaskWorkload>,
): ContractsMarket {
  const { sites, processors, heuristic: name, alpha, discount, threshold, preempt, stale, expiry } = options
  const { broker: preference, rounds, wait, rebids, claimCap, detector, allowance = bothWays(options) } = options
  // a recipient has to recognise a doubled message
  const isTroubled = hasFaults(options) || (options.duplicate > 0 && !options.reliable)
  const site = {
    heuristic: { name, alpha, discount },
    threshold,
    stale,
    expiry,
    allowance,
    processors,
    preempt: PREEMPTIONS.find((mode) => String(mode) === preempt) ?? 0,
  }
  return {
    sites: Array.from({ length: sites }, () => site),
    broker: { preference, rounds: rounds === 'serial' ? 'one by one' : 'all at once', wait, rebids },
    tasks,
    labels,
    claimCap,
    patience: patienceOf(options, isTroubled, hasFaults(options)),
    // a run with the usual detector has the same trace as before there was a choice
    ...(detector !== 'probes' && { detector }),
  }
}

/** All that a reader of the trace needs to repeat the run, with a digest of the tasks. */
export const aboutOf = ({ sites, broker, tasks, patience, claimCap, detector }: ContractsMarket) => ({
  sites,
  broker: { ...broker },
  tasks: jsonDigest(tasks),
  patience,
  claimCap,
  ...(detector && { detector }),
})

/**
 * Builds the model.
 *
 * @throws UsageError for flags that contradict each other, and for a workload that cannot be read
 */
export function setUp(options: Options): Setup<ContractsMarket> {
  const { sites, processors, workload, tasks: first, stretch } = options
  const actors = sites * (processors + 1) + 2
  const { most, mend } = roomOn(options.runtime)
  if (actors > most) {
    throw new UsageError(`--sites and --processors may make at most ${most} actors, not ${actors}${mend}`)
  }
  const read =
    workload === undefined
      ? { tasks: generated(options), dropped: new Map() }
      : readWorkload(workload, { first, stretch })
  return { model: marketOf(options, read), dropped: read.dropped }
}
