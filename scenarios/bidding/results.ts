/** The results of a run of a market: numbers, and a row for each task. */
import { type Time, toUnits, units } from '../../lib/actor.ts'
import { meanOf, sum } from '../../lib/core/tally.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import type { JobRow } from '../../lib/workload/jobs-out.ts'
import { offeredLoad } from '../../lib/workload/load.ts'
import { comingTasks, type Market, type MarketTask, machinesOf } from './model.ts'
import type { Ending, Ledger } from './oracle/ledger.ts'
import type { MarketRun } from './oracle.ts'
import { isLongEnough } from './study/agreement.ts'

export type MarketResults = {
  /** The mean flow time in units; null if no task finished. */
  readonly meanFlow: number | null
  /** Half of the 90 % interval of the mean (40 batch means, first 5 % dropped); null with too few tasks. */
  readonly halfWidth: number | null
  /**
   * The mean time from arrival to the start of the execution that gave the result, in units; null if no task finished.
   */
  readonly meanWait: number | null
  /**
   * The mean of (wait + execution) / max(execution, 10 units), at least 1 each (Feitelson); null if no task finished.
   */
  readonly boundedSlowdown: number | null
  readonly tasks: number
  /** All work over the capacity between the first and the last arrival; null if all arrive at once, or for calls. */
  readonly offeredLoad: number | null
  /** The work that led to a result, over the capacity from the first arrival to the last finish. */
  readonly utilisation: number
  /** The number of messages between clients and contractors, per finished task. */
  readonly messagesPerTask: number
  /** The messages per finished task by type, for the types that were counted and sent. */
  readonly messagesPerTaskByType: Readonly<Record<string, number>>
  /** The number of tasks that have neither a result nor an end, also of dead clients. */
  readonly unfinished: number
  /** The number of tasks that ended without a result: cut off, failed and not restartable, or their call threw. */
  readonly ended: number
  readonly restarts: number
  readonly bumps: number
  /** The work without a result, in units at speed 1. */
  readonly wastedWork: number
}

/** The least execution time in the bounded slowdown, so that tiny tasks do not dominate its mean. */
const BOUND = units(10)

const slowdown = ({ arrival, start, finish }: Ending): number =>
  Math.max(1, (finish - arrival) / Math.max(finish - start, BOUND))

const ofAll = (busy: ReadonlyMap<string, Time>, market: Market): number =>
  sum(machinesOf(market), (machine, i) => (busy.get(machine) ?? 0) * (market.speeds[i] ?? 0))

/** Whether the work of a job is simulated. The work of a call is unknown. */
const isSimulated = (job: MarketTask): job is MarketTask & { readonly work: Time } => typeof job.work === 'number'

export function resultsOf(market: Market, run: MarketRun): MarketResults {
  const {
    oracle: { ledger },
    messages,
  } = run
  const flows = flowsOf(ledger)
  const endings = [...ledger.endings.values()]
  const span =
    endings.reduce((last, { finish }) => Math.max(last, finish), 0) -
    endings.reduce((first, { arrival }) => Math.min(first, arrival), Number.POSITIVE_INFINITY)
  const speed = sum(market.speeds)
  const capacity = span * speed
  const { mean: meanFlow, halfWidth } = flows.length > 0 ? batchMeans(flows) : { mean: null, halfWidth: null }
  return {
    meanFlow,
    halfWidth,
    meanWait: meanOf(endings, ({ start, arrival }) => toUnits(start - arrival)),
    boundedSlowdown: meanOf(endings, slowdown),
    tasks: flows.length,
    offeredLoad: offeredLoadOf(market),
    utilisation: capacity > 0 ? ofAll(ledger.useful, market) / capacity : 0,
    messagesPerTask: flows.length > 0 ? messages / flows.length : 0,
    messagesPerTaskByType: Object.fromEntries(
      [...run.messagesByType].flatMap(([type, count]) =>
        count * flows.length > 0 ? [[type, count / flows.length]] : [],
      ),
    ),
    unfinished: comingTasks(market).length - flows.length - ledger.ended.size - ledger.before.size,
    ended: ledger.ended.size,
    restarts: ledger.restarts,
    bumps: ledger.bumps,
    wastedWork: toUnits(ofAll(ledger.wasted, market)),
  }
}

/** Whether a run with so many finished tasks is long enough for the interval of its mean flow time. */
export const isTrusted = (load: number | null, tasks: number): boolean =>
  load === null || (load < 1 && isLongEnough(tasks, load))

/** All work over the capacity between the first and the last arrival; null if all arrive at once, or for calls. */
export const offeredLoadOf = ({ jobs, speeds }: Pick<Market, 'jobs' | 'speeds'>): number | null =>
  jobs.every(isSimulated) ? offeredLoad(jobs, sum(speeds)) : null

/** The rows of all tasks, finished or not. */
export const rowsOf = (market: Market, { oracle: { ledger } }: MarketRun): JobRow[] =>
  comingTasks(market).map(([task, { id, arrival }]) => {
    const ending = ledger.endings.get(task)
    if (!ending) return { id, arrival, attempts: ledger.attempts.get(task) ?? 0 }
    const { start, finish, flow, machine, attempt } = ending
    return { id, arrival, start, finish, flow, machine, attempts: attempt }
  })

/** The flow time of every finished task in units, in the order of arrival. */
export const flowsOf = (ledger: Ledger): number[] =>
  [...ledger.endings.values()].sort((a, b) => a.task - b.task).map(({ flow }) => toUnits(flow))
