/** From the flags of a contracts market to what is to be run. */
import { createHash } from 'node:crypto'
import { PREEMPTIONS } from '../../actors/contracts/terms.ts'
import type { Task } from '../../actors/contracts/values.ts'
import { type OptionsOf, UsageError } from '../../lib/cli.ts'
import type { Plain } from '../../lib/plain.ts'
import type { flags } from './flags.ts'
import type { Market } from './market.ts'
import { generateTasks } from './workload/generate.ts'
import { readWorkload, type TaskWorkload } from './workload/read.ts'

export type Options = OptionsOf<typeof flags>

/** Sites with their processors, a broker and a client. */
const MOST_ACTORS = 1023

const TASKS = 500

function generated(options: Options): Task[] {
  const { seed, tasks = TASKS, sites, processors, load, batch, gaps, runtimes, bound, stretch } = options
  if (stretch !== undefined) throw new UsageError('--stretch', '--workload beside it', 'it alone')
  const { valueSkew, valueCv, decay, decaySkew, decayCv } = options
  const mix = {
    ...{ batch, gaps, runtimes, bound },
    value: { skew: valueSkew, mean: { of: 'all', is: 1 }, cv: valueCv },
    decay: { skew: decaySkew, mean: { of: 'all', is: decay }, cv: decayCv },
  } as const
  try {
    return generateTasks({ seed, tasks, processors: sites * processors, load, mix })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError('--tasks and --load', 'a run that ends in time', `${tasks} and ${load}`)
  }
}

/** Faults are refused as long as sites and brokers write nothing down that a later life could go on from. */
function refuseFaults({ fault, kill }: Options): void {
  if (fault.length > 0) throw new UsageError('--fault', 'none: nobody dies in this scenario yet', 'a fault')
  if (kill.length > 0) throw new UsageError('--kill', 'none: nobody dies in this scenario yet', 'a death')
}

function marketOf(options: Options, tasks: readonly Task[]): Market {
  const { sites, processors, heuristic: name, alpha, discount, threshold, preempt, stale, offerLasts } = options
  const { broker: preference, rounds, wait } = options
  const site = {
    ...{ heuristic: { name, alpha, discount }, threshold: threshold ?? Number.NEGATIVE_INFINITY, stale, offerLasts },
    preempt: PREEMPTIONS.find((mode) => String(mode) === preempt) ?? 0,
    processors,
  }
  return {
    sites: Array.from({ length: sites }, () => site),
    broker: { preference, rounds: rounds === 'serial' ? 'one by one' : 'all at once', wait },
    ...{ tasks, durable: false },
  }
}

/** What a reader of the trace needs to have the same run again; the tasks by their digest, wherever they came from. */
function aboutOf({ sites, broker, tasks }: Market): Plain {
  const digest = createHash('sha256').update(JSON.stringify(tasks)).digest('hex')
  const terms = sites.map(({ threshold, ...site }) => ({
    ...site,
    threshold: Number.isFinite(threshold) ? threshold : null,
  }))
  return { scenario: 'contracts/run', sites: terms, broker: { ...broker }, tasks: digest, faults: [] }
}

export interface Setup extends Pick<TaskWorkload, 'dropped'> {
  readonly market: Market
  /** By task: as its file calls it. */
  readonly labels: readonly string[]
  readonly about: Plain
}

/** @throws UsageError for what no single flag can say, and for a workload that cannot be read */
export function setUp(options: Options): Setup {
  const { sites, processors, workload, tasks: first, stretch } = options
  refuseFaults(options)
  const actors = sites * (processors + 1) + 2
  if (actors > MOST_ACTORS) {
    throw new UsageError('--sites and --processors', `${MOST_ACTORS} actors or fewer`, `${actors}`)
  }
  const read = workload === undefined ? null : readWorkload(workload, '--workload', { first, stretch })
  const tasks = read?.tasks ?? generated(options)
  const market = marketOf(options, tasks)
  const labels = read?.labels ?? tasks.map(({ task }) => String(task))
  return { market, labels, about: aboutOf(market), dropped: read?.dropped ?? new Map() }
}
