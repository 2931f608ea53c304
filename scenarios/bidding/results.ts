/** What a run of a market is summed up to: numbers, invariants, rows. */
import { mean } from 'simple-statistics'
import type { Ending, Ledger } from '../../actors/bidding/ledger.ts'
import { bridges } from '../../lib/actor/reliable-options.ts'
import { isDeviations } from '../../lib/actor/schedule.ts'
import { type Time, toUnits, units } from '../../lib/actor.ts'
import { type Check, is, none } from '../../lib/cli/index.ts'
import { batchMeans } from '../../lib/experiment/batch-means.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import type { JobRow } from '../../lib/workload/jobs-out.ts'
import { offeredLoad } from '../../lib/workload/load.ts'
import { ENDED, endChecks } from '../promises.ts'
import { comingTasks, type Market, type MarketTask, machinesOf } from './model.ts'
import { flowsOf, type MarketRun } from './one-run.ts'

export type MarketResults = {
  /** Units; null if no task finished. */
  readonly meanFlow: number | null
  /** Of a 90 % interval by 40 batch means, the first 5 % dropped; null with too few tasks. */
  readonly halfWidth: number | null
  /** Mean time from arrival to the start of the execution whose result counted, in units; null as above. */
  readonly meanWait: number | null
  /** Mean of (wait + execution) / max(execution, 10 units), at least 1 each (Feitelson's bound); null as above. */
  readonly boundedSlowdown: number | null
  readonly tasks: number
  /** Work of all jobs over what the machines can do between the first arrival and the last; null if all arrive at once. */
  readonly offeredLoad: number | null
  /** Work that served a result, over what all machines could have done from the first arrival to the last finish. */
  readonly utilisation: number
  /** Between clients and contractors, per finished task. */
  readonly messagesPerTask: number
  /** The same by type, of the types that were counted and sent. */
  readonly messagesPerTaskByType: Readonly<Record<string, number>>
  /** Tasks that have neither a result nor an end, those of clients that are dead included. */
  readonly unfinished: number
  /** Tasks that were cut off, or were calls that threw, or lost and not to be restarted. */
  readonly ended: number
  readonly restarts: number
  readonly bumps: number
  /** Work done for nothing, in units at speed 1. */
  readonly wastedWork: number
}

/** Executions shorter than this count as this long, so that tiny tasks do not rule the mean slowdown. */
const BOUND = units(10)

const slowdown = ({ arrival, start, finish }: Ending): number =>
  Math.max(1, (finish - arrival) / Math.max(finish - start, BOUND))

const meanOf = (values: readonly number[]): number | null => (values.length > 0 ? mean([...values]) : null)

const ofAll = (busy: ReadonlyMap<string, Time>, market: Market): number =>
  machinesOf(market).reduce((sum, machine, i) => sum + (busy.get(machine) ?? 0) * (market.speeds[i] ?? 0), 0)

/** What real work will take, nobody knows beforehand. */
const isSimulated = (job: MarketTask): job is MarketTask & { readonly work: Time } => typeof job.work === 'number'

export function resultsOf(market: Market, run: MarketRun): MarketResults {
  const { ledger, messages } = run
  const flows = flowsOf(ledger)
  const endings = [...ledger.endings.values()]
  const span =
    endings.reduce((last, { finish }) => Math.max(last, finish), 0) -
    endings.reduce((first, { arrival }) => Math.min(first, arrival), Number.POSITIVE_INFINITY)
  const speed = market.speeds.reduce((sum, one) => sum + one, 0)
  const capacity = span * speed
  const { mean: meanFlow, halfWidth } = flows.length > 0 ? batchMeans(flows) : { mean: null, halfWidth: null }
  return {
    meanFlow,
    halfWidth,
    meanWait: meanOf(endings.map(({ start, arrival }) => toUnits(start - arrival))),
    boundedSlowdown: meanOf(endings.map(slowdown)),
    tasks: flows.length,
    offeredLoad: market.jobs.every(isSimulated) ? offeredLoad(market.jobs, speed) : null,
    utilisation: capacity > 0 ? ofAll(ledger.useful, market) / capacity : 0,
    messagesPerTask: flows.length > 0 ? messages / flows.length : 0,
    messagesPerTaskByType: Object.fromEntries(
      [...run.messagesByType].flatMap(([type, count]) =>
        count * flows.length > 0 ? [[type, count / flows.length]] : [],
      ),
    ),
    unfinished: comingTasks(market).length - flows.length - ledger.ended.size,
    ended: ledger.ended.size,
    restarts: ledger.restarts,
    bumps: ledger.bumps,
    wastedWork: toUnits(ofAll(ledger.wasted, market)),
  }
}

export const BEGUN_ONCE = 'a task that may not be begun twice is begun once'

/** Mail that is doubled on the way can begin one twice; with reliable delivery it cannot. */
export const begunTwice = ({ jobs }: Market, { begun }: Ledger): string[] =>
  jobs.flatMap(({ restartable }, task) => {
    const times = begun.get(task) ?? 0
    return restartable === false && times > 1 ? [`task ${task} was begun ${times} times`] : []
  })

/** Tasks of clients that live at the end which have neither a result nor an end. */
export function unfinishedIn(market: Market, { ledger, dead }: MarketRun): readonly number[] {
  const expected = comingTasks(market).flatMap(([task, { client }]) => (dead.has(`client@${client}`) ? [] : [task]))
  return expected.filter((task) => !ledger.endings.has(task) && !ledger.ended.has(task))
}

const UNFINISHED = 'tasks of living clients that never finished'

/** The checks that a task which is never done breaks. */
export const OF_UNFINISHED: readonly string[] = [UNFINISHED, ENDED]

/**
 * The invariants. That every task finishes is asked for only where the protocol promises it: not of a network that
 * loses mail for good, and not for clients that are dead at the end.
 */
export function checksOf(market: Market, run: MarketRun, mayLose: boolean): Check[] {
  const { ledger } = run
  return [
    none('broken promises', ledger.violations),
    ...(market.jobs.some(({ restartable }) => restartable === false)
      ? [none(BEGUN_ONCE, begunTwice(market, ledger))]
      : []),
    ...endChecks(run),
    ...(mayLose ? [] : [is(UNFINISHED, unfinishedIn(market, run).length, 0)]),
  ]
}

/** May mail be lost for good? Reliable delivery gets over loss, and over cuts that are not longer than its patience. */
export function isLossy(how: SystemInit, faults: readonly Fault[]): boolean {
  const cuts = faults.flatMap((fault) => (fault.type === 'partition' ? fault.until - fault.at : []))
  const { reliable, network, schedule } = complete(how)
  if (!reliable && isDeviations(schedule) && schedule.lost.length > 0) return true
  if (!reliable) return network.loss > 0 || cuts.length > 0
  return cuts.reduce((sum, length) => sum + length, 0) > bridges(reliable)
}

/** A row per task, whether it finished or not. */
export const rowsOf = (market: Market, { ledger }: MarketRun): JobRow[] =>
  comingTasks(market).map(([task, { id, arrival }]) => {
    const ending = ledger.endings.get(task)
    if (!ending) return { id, arrival, attempts: ledger.attempts.get(task) ?? 0 }
    const { start, finish, flow, machine, attempt } = ending
    return { id, arrival, start, finish, flow, machine, attempts: attempt }
  })
