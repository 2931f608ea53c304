/** Turns the flags of the contracts market into a model. */
import { createHash } from 'node:crypto'
import { PREEMPTIONS } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { faultsOf, type OptionsOf, UsageError } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import type { Time } from '../../lib/core/time.ts'
import { type Fault, printFault } from '../../lib/scenario/faults.ts'
import { bothWays, enough, requireEnough } from '../patience.ts'
import type { flags } from './flags.ts'
import { addressesOf, type ContractsMarket } from './model.ts'
import { generateTasks } from './workload/generate.ts'
import { readWorkload, type TaskWorkload } from './workload/read.ts'

export type Options = OptionsOf<typeof flags>

/** The most actors: sites with their processors, a broker and a client. */
const MOST_ACTORS = 1023

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

function patienceOf(options: Options, faults: readonly Fault[]): Time | null {
  const { patience, duplicate, reliable } = options
  // a recipient has to recognise a doubled message
  const isTroubled = faults.length > 0 || (duplicate > 0 && !reliable)
  if (patience === undefined) return isTroubled ? enough(options) : null
  if (patience === null && faults.length > 0)
    throw UsageError.invalid('--patience', 'a time', '"off"', 'with faults some answers never come')
  return patience === null ? null : requireEnough(patience, options)
}

function marketOf(options: Options, tasks: readonly Task[], faults: readonly Fault[]): ContractsMarket {
  const { sites, processors, heuristic: name, alpha, discount, threshold, preempt, stale, expiry } = options
  const { broker: preference, rounds, wait, rebids, claimCap, allowance = bothWays(options) } = options
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
    claimCap,
    patience: patienceOf(options, faults),
  }
}

/** The head of the trace: all that a reader needs to repeat the run, with a digest of the tasks. */
function aboutOf({ sites, broker, tasks, patience, claimCap }: ContractsMarket, faults: readonly Fault[]): Plain {
  const digest = createHash('sha256').update(JSON.stringify(tasks)).digest('hex')
  const market = { sites, broker: { ...broker }, tasks: digest, patience, claimCap }
  return { scenario: 'contracts/run', ...market, faults: faults.map(printFault) }
}

function onlyOf(tasks: readonly Task[], only: readonly number[] | undefined): readonly Task[] {
  const absent = only?.find((task) => task >= tasks.length)
  if (absent !== undefined) throw UsageError.invalid('--only-tasks', `numbers below ${tasks.length}`, String(absent))
  return only ? tasks.filter(({ task }) => only.includes(task)) : tasks
}

export interface Setup extends Pick<TaskWorkload, 'dropped'> {
  readonly market: ContractsMarket
  readonly faults: readonly Fault[]
  /** The ids of the tasks in their file. */
  readonly labels: readonly string[]
  readonly about: Plain
}

/**
 * Builds the model.
 *
 * @throws UsageError for flags that contradict each other, and for a workload that cannot be read
 */
export function setUp(options: Options): Setup {
  const { sites, processors, workload, tasks: first, stretch } = options
  const actors = sites * (processors + 1) + 2
  if (actors > MOST_ACTORS) {
    throw new UsageError(`--sites and --processors may make at most ${MOST_ACTORS} actors, not ${actors}`)
  }
  const read = workload === undefined ? null : readWorkload(workload, { first, stretch })
  const all = read?.tasks ?? generated(options)
  const tasks = onlyOf(all, options.onlyTasks)
  const faults = faultsOf(options, addressesOf({ sites: Array.from({ length: sites }, () => ({ processors })) }))
  const market = marketOf(options, tasks, faults)
  const labels = tasks.map(({ task }) => read?.labels[task] ?? String(task))
  return { market, faults, labels, about: aboutOf(market, faults), dropped: read?.dropped ?? new Map() }
}
