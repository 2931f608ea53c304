/** The tables of a market's results. */
import { toUnits } from '../../lib/actor.ts'
import { figure, percent, table } from '../../lib/core/table.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { type Market, machinesOf } from './model.ts'
import type { MarketRun } from './oracle.ts'
import type { MarketResults } from './results.ts'
import { isLongEnough } from './study/agreement.ts'

/** The tasks and the busy time of each machine, as a table. */
export function machineTable(market: Market, { oracle: { ledger } }: MarketRun): string {
  const endings = [...ledger.endings.values()]
  const last = endings.reduce((latest, { finish }) => Math.max(latest, finish), 0)
  const { useful, wasted } = ledger
  return table(
    ['machine', 'speed', 'tasks', 'busy', 'wasted'],
    machinesOf(market).map((machine, i) => [
      machine,
      String(market.speeds[i]),
      String(endings.filter((ending) => ending.machine === machine).length),
      last > 0 ? percent((useful.get(machine) ?? 0) / last) : '-',
      figure(toUnits(wasted.get(machine) ?? 0)),
    ]),
  )
}

export function resultsTable(market: Market, run: MarketRun, results: MarketResults): string {
  const {
    meanFlow,
    halfWidth,
    meanWait,
    boundedSlowdown,
    tasks,
    offeredLoad,
    utilisation,
    messagesPerTask,
    messagesPerTaskByType,
    unfinished,
    ended,
    restarts,
    bumps,
    wastedWork,
  } = results
  const isTrusted = offeredLoad === null || (offeredLoad < 1 && isLongEnough(tasks, offeredLoad))
  const doubt = isTrusted ? '' : ', not reliable: the run is too short for its load'
  const interval = halfWidth === null ? '' : ` ± ${figure(halfWidth)} (90 %${doubt})`
  const dead = [...run.deadLetters].map(([reason, count]) => `${count} (${reason})`).join(', ') || 'none'
  const lines = [
    ['mean flow time', `${figure(meanFlow)}${interval}`],
    ['mean wait', figure(meanWait)],
    ['bounded slowdown', figure(boundedSlowdown)],
    ['tasks finished', String(tasks)],
    ...(unfinished > 0 ? [['tasks that never finished', String(unfinished)]] : []),
    ...(ended > 0 ? [['tasks ended without a result', String(ended)]] : []),
    ['offered load', offeredLoad === null ? '-' : percent(offeredLoad)],
    ['utilisation', percent(utilisation)],
    ['messages per task', figure(messagesPerTask)],
    ...Object.entries(messagesPerTaskByType).map(([type, count]) => [`  ${type}`, figure(count)]),
    ['restarts', String(restarts)],
    ['bumps', String(bumps)],
    ['wasted work', figure(wastedWork)],
    ['dead letters', dead],
    ...(run.missed.length > 0 ? [['faults that never happened', run.missed.map(printFault).join('; ')]] : []),
  ]
  return `${machineTable(market, run)}\n\n${table(['', ''], lines)}\n`
}
