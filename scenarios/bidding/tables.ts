/** The tables of a market's results. */
import { toUnits } from '../../lib/actor.ts'
import { figure, measuresTable, percent, type ResultTable, someOf } from '../../lib/core/table.ts'
import { type Market, machinesOf } from './model.ts'
import type { MarketRun } from './oracle.ts'
import { isTrusted, type MarketResults } from './results.ts'

/** The tasks and the busy time of each machine. */
export function machineTable(market: Market, { oracle: { ledger } }: MarketRun): ResultTable {
  const endings = [...ledger.endings.values()]
  const last = endings.reduce((latest, { finish }) => Math.max(latest, finish), 0)
  const { useful, wasted } = ledger
  return {
    columns: [
      { name: 'machine' },
      { name: 'speed' },
      { name: 'tasks' },
      { name: 'busy' },
      { name: 'wasted processor time', unit: 'units', digits: 2 },
    ],
    rows: machinesOf(market).map((machine, i) => [
      machine,
      market.speeds[i] ?? null,
      endings.filter((ending) => ending.machine === machine).length,
      percent(last > 0 ? (useful.get(machine) ?? 0) / last : null),
      toUnits(wasted.get(machine) ?? 0),
    ]),
  }
}

export function resultsTable(results: MarketResults): ResultTable {
  const { meanFlow, halfWidth, tasks, offeredLoad, unfinished, ended } = results
  const doubt = isTrusted(offeredLoad, tasks) ? '' : ', not reliable: the run is too short for its load'
  const interval = halfWidth === null ? '' : ` ± ${figure(halfWidth)} (90 %${doubt})`
  return measuresTable([
    ['mean flow time', `${figure(meanFlow)}${interval}`],
    ['mean wait', figure(results.meanWait)],
    ['bounded slowdown', figure(results.boundedSlowdown)],
    ['tasks finished', tasks],
    ...someOf('tasks that never finished', unfinished),
    ...someOf('tasks ended without a result', ended),
    ['offered load', percent(offeredLoad)],
    ['utilisation', percent(results.utilisation)],
    ['messages per task', figure(results.messagesPerTask)],
    ...Object.entries(results.messagesPerTaskByType).map(([type, count]) => [`  ${type}`, figure(count)] as const),
    ['restarts', results.restarts],
    ['bumps', results.bumps],
    ['wasted work', figure(results.wastedWork)],
  ])
}

/** Why tasks never finished, and what to do, if messages may be lost for good; else nothing. */
export const remarkOn = ({ unfinished }: Pick<MarketResults, 'unfinished'>, mayLose: boolean): string =>
  unfinished === 0 || !mayLose
    ? ''
    : `${unfinished === 1 ? '1 task' : `${unfinished} tasks`} never finished, since lost messages are not sent again; --reliable sends them again`
