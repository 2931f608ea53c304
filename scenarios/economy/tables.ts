/** The results of a run of the economy as tables. */
import { CLASSES } from '../../actors/economy/messages.ts'
import { figure, percent, table } from '../../lib/core/table.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import type { Economy } from './model.ts'
import type { EconomyResults, Measures } from './results.ts'
import type { EconomyRun } from './run.ts'

const cellsOf = ({ jobs, response, slowdown, wait }: Measures): string[] => [
  String(jobs),
  figure(response),
  figure(slowdown),
  figure(wait),
]

const MEASURES = ['jobs', 'response', 'slowdown', 'wait']

const classTable = ({ all, classes }: EconomyResults): string =>
  table(['', ...MEASURES], [...CLASSES.map((l) => [`class ${l}`, ...cellsOf(classes[l])]), ['all', ...cellsOf(all)]])

/** The most users in the table; the others are in `--json`. */
const MOST_USERS = 20

function userTable({ users: terms, market }: Economy, { users }: EconomyResults): string {
  const rows = Object.entries(users).map(([user, of]) => {
    const income = figure(terms[user]?.income ?? 0)
    return [user, ...cellsOf(of), ...(market ? [income, figure(of.paid), figure(of.savings)] : [])]
  })
  const head = ['user', ...MEASURES, ...(market ? ['income', 'paid', 'saved'] : [])]
  const rest = rows.length > MOST_USERS ? `\nand ${rows.length - MOST_USERS} more users` : ''
  return `${table(head, rows.slice(0, MOST_USERS))}${rest}`
}

export function resultsTable(economy: Economy, run: EconomyRun, results: EconomyResults): string {
  const { refused, stopped, unfinished, failures, offeredLoad, utilisation } = results
  const { income, forfeited, messagesPerJob } = results
  const dead = [...run.deadLetters].map(([reason, count]) => `${count} (${reason})`).join(', ')
  const some = (name: string, count: number) => (count > 0 ? [[name, String(count)]] : [])
  const lines = [
    ['offered load', percent(offeredLoad)],
    ['utilisation', percent(utilisation)],
    ...(economy.market ? [['income of the system', figure(income)]] : []),
    ...(forfeited > 0 ? [['forfeited', figure(forfeited)]] : []),
    ...some('jobs refused', refused),
    ...some('jobs stopped, extra time not paid', stopped),
    ...some('jobs without an end', unfinished),
    ...some('attempts that lost a processor', failures),
    ['messages per job', figure(messagesPerJob)],
    ...(dead ? [['dead letters', dead]] : []),
    ...(run.missed.length > 0 ? [['faults that never happened', run.missed.map(printFault).join('; ')]] : []),
  ]
  return `${[classTable(results), userTable(economy, results), table(['', ''], lines)].join('\n\n')}\n`
}
