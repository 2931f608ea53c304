/** The tables and remarks of a run of a cluster. */

import { printUnits } from '../../lib/core/format.ts'
import { figure, type ResultTable } from '../../lib/core/table.ts'
import { type Time, toUnits } from '../../lib/core/time.ts'
import type { Description } from './description.ts'
import { type Measured, mostLost } from './results.ts'
import { byUser, usedShares } from './shares.ts'

/** The most users, and the most rows, of the table over time. */
const MOST_USERS = 10
const MOST_ROWS = 15

export const usersOf = ({ jobs }: Description): string[] => [...new Set(jobs.map(({ currency }) => currency))]

/** The machines of a user's jobs. */
export const whereOf = ({ jobs }: Description, user: string): string => {
  const machines = jobs.filter(({ currency }) => currency === user).map(({ machine }) => machine)
  return machines.length > 4 ? `${machines.slice(0, 3).join()} and ${machines.length - 3} more` : machines.join()
}

/** The users' shares in each period (or several), up to the last whole one; equal neighbouring rows are joined. */
export function timeTable({ options, description, run }: Measured): ResultTable {
  const users = usersOf(description).slice(0, MOST_USERS)
  const { period, until } = options
  const step = period * Math.ceil(until / period / MOST_ROWS)
  const rows: { from: Time; until: Time; figures: string[] }[] = []
  for (let from = 0; from + step <= until; from += step) {
    const shares = byUser(description, usedShares(description, run.oracle.usage, { from, until: from + step }))
    const figures = users.map((user) => figure(shares[user] ?? null, 3))
    const last = rows.at(-1)
    if (last?.figures.join() === figures.join()) last.until = from + step
    else rows.push({ from, until: from + step, figures })
  }
  return {
    title: 'Over time',
    columns: ['time [ms]', ...users].map((name) => ({ name })),
    rows: rows.map(({ from, until, figures }) => [`${printUnits(from)} to ${printUnits(until)}`, ...figures]),
  }
}

/** Further remarks on a run, one per line. */
export function remarks({ options: { machines, until, time }, description, used, run }: Measured): string[] {
  const { messages, oracle } = run
  const rate = messages / machines / (toUnits(until) / 1000)
  return [
    `${messages} messages between machines: ${rate.toFixed(2)} per machine and second`,
    ...(time === 'real'
      ? [
          `the least busy machine did nothing for ${figure(100 * Math.max(0, mostLost(description, used)), 1)} % of its time`,
        ]
      : []),
    ...oracle.refusals.map((refusal) => `refused at ${refusal}`),
  ]
}
