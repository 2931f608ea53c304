/** The results of a run of the economy as tables. */
import { CLASSES } from '../../actors/economy/messages.ts'
import {
  type Column,
  figure,
  measuresTable,
  percent,
  type ResultTable,
  someOf,
  type Value,
} from '../../lib/core/table.ts'
import type { Economy } from './model.ts'
import type { EconomyResults, Measures } from './results.ts'

const MEASURES: readonly Column[] = [
  { name: 'jobs' },
  ...['response', 'slowdown', 'wait'].map((name) => ({ name, digits: 2 })),
]
const cellsOf = ({ jobs, response, slowdown, wait }: Measures): Value[] => [jobs, response, slowdown, wait]

const classTable = ({ all, classes }: EconomyResults): ResultTable => ({
  columns: [{ name: 'class' }, ...MEASURES],
  rows: [...CLASSES.map((l) => [`class ${l}`, ...cellsOf(classes[l])]), ['all', ...cellsOf(all)]],
})

/** The most users in the table; the others are in `--json`. */
const MOST_USERS = 20

function userTable({ users: terms, market }: Economy, { users }: EconomyResults): ResultTable {
  const rows = Object.entries(users).map(([user, of]) => [
    ...[user, ...cellsOf(of)],
    ...(market ? [terms[user]?.income ?? 0, of.paid, of.savings] : []),
  ])
  const money = market ? ['income', 'paid', 'saved'].map((name) => ({ name, digits: 2 })) : []
  return {
    columns: [{ name: 'user' }, ...MEASURES, ...money],
    rows: rows.slice(0, MOST_USERS),
    ...(rows.length > MOST_USERS && { notes: [`and ${rows.length - MOST_USERS} more users`] }),
  }
}

export function resultTables(economy: Economy, results: EconomyResults): ResultTable[] {
  const { refused, stopped, unfinished, failures, offeredLoad, utilisation } = results
  const { income, forfeited, messagesPerJob } = results
  const measures = measuresTable([
    ['offered load', percent(offeredLoad)],
    ['utilisation', percent(utilisation)],
    ...(economy.market ? [['income of the system', figure(income)] as const] : []),
    ...(forfeited > 0 ? [['forfeited', figure(forfeited)] as const] : []),
    ...someOf('jobs refused', refused),
    ...someOf('jobs stopped, extra time not paid', stopped),
    ...someOf('jobs without an end', unfinished),
    ...someOf('attempts that lost a processor', failures),
    ['messages per job', figure(messagesPerJob)],
  ])
  return [classTable(results), userTable(economy, results), measures]
}
