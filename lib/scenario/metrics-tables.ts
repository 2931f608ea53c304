/** The numbers of a run as tables: by role, and by type of message. */
import type { ResultTable } from '../core/table.ts'
import { sum } from '../core/tally.ts'
import { type Time, toUnits } from '../core/time.ts'
import { type ActorMetrics, byRole, type Metrics } from '../system/metrics.ts'

const most = (some: readonly ActorMetrics[], numberOf: (actor: ActorMetrics) => number): number =>
  Math.max(...some.map(numberOf))
const mean = (total: number, count: number): number | null => (count > 0 ? total / count : null)
/** A time in units; null for the mean of nothing. */
const inUnits = (time: Time | null): number | null => (time === null ? null : toUnits(time))

/** The tables of a run. The times of handling are a measurement of this computer; all other numbers are of the run. */
export function metricsTables({ actors, messages, now }: Metrics): readonly ResultTable[] {
  const roles = [...byRole(actors)].map(([role, some]) => {
    const waits = sum(some, ({ wait }) => wait.count)
    const steps = sum(some, ({ handling }) => handling.count)
    return [
      role,
      some.length,
      sum(some, ({ restarts }) => restarts),
      steps,
      most(some, ({ mailboxMost }) => mailboxMost),
      inUnits(
        mean(
          sum(some, ({ wait }) => wait.sum),
          waits,
        ),
      ),
      inUnits(most(some, ({ wait }) => wait.most)),
      1e6 *
        (mean(
          sum(some, ({ handling }) => handling.sum),
          steps,
        ) ?? 0),
      1e6 * most(some, ({ handling }) => handling.most),
    ]
  })
  const rates = [...messages].map(([type, count]) => [
    type === '' ? '(all other types)' : type,
    count,
    now > 0 ? count / toUnits(now) : null,
  ])
  return [
    {
      title: 'Actors by role',
      columns: [
        { name: 'role' },
        { name: 'actors' },
        { name: 'restarts' },
        { name: 'steps' },
        { name: 'mailbox, most' },
        { name: 'wait, mean', unit: 'units' },
        { name: 'wait, most', unit: 'units' },
        { name: 'handling, mean', unit: 'us', digits: 1 },
        { name: 'handling, most', unit: 'us', digits: 1 },
      ],
      rows: roles,
      notes: ['mailbox: the most messages of one actor; wait: from the arrival of a message until it is handled.'],
    },
    {
      title: 'Messages handled',
      columns: [{ name: 'type' }, { name: 'messages' }, { name: 'per unit' }],
      rows: rates,
    },
  ]
}
