/** The numbers of a run as tables: by role, and by type of message. */
import type { ResultTable } from '../core/table.ts'
import { sum } from '../core/tally.ts'
import { type Time, toUnits } from '../core/time.ts'
import { type ActorMetrics, byRole, type Metrics } from '../system/metrics.ts'

const most = (some: readonly ActorMetrics[], numberOf: (actor: ActorMetrics) => number): number =>
  some.reduce((largest, actor) => Math.max(largest, numberOf(actor)), Number.NEGATIVE_INFINITY)
const mean = (total: number, count: number): number | null => (count > 0 ? total / count : null)
/** A time in units; null for the mean of nothing. */
const inUnits = (time: Time | null): number | null => (time === null ? null : toUnits(time))

const ROLES = [
  { name: 'role' },
  { name: 'actors' },
  { name: 'restarts' },
  { name: 'steps' },
  { name: 'mailbox' },
  { name: 'mailbox, most' },
  { name: 'wait, mean', unit: 'units' },
  { name: 'wait, most', unit: 'units' },
  { name: 'handling, mean', unit: 'us', digits: 1 },
  { name: 'handling, most', unit: 'us', digits: 1 },
]

/** The actors by role. The times of handling are a measurement of this computer; all other numbers are of the run. */
function rolesTable({ actors }: Metrics): ResultTable {
  const rows = [...byRole(actors)].map(([role, some]) => {
    const waits = sum(some, ({ wait }) => wait.count)
    const timed = sum(some, ({ handling }) => handling.count)
    return [
      role,
      some.length,
      sum(some, ({ restarts }) => restarts),
      sum(some, ({ steps }) => steps),
      sum(some, ({ mailbox }) => mailbox),
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
          timed,
        ) ?? 0),
      1e6 * most(some, ({ handling }) => handling.most),
    ]
  })
  return {
    title: 'Actors by role',
    columns: ROLES,
    rows,
    notes: [
      'mailbox: the messages that wait; most: of one actor at a time; wait: from the arrival of a message until it is handled.',
    ],
  }
}

const typeName = (type: string): string => (type === '' ? '(all other types)' : type)

/** The tables of a run. */
export function metricsTables(metrics: Metrics): readonly ResultTable[] {
  const { messages, now } = metrics
  const rates = [...messages].map(([type, count]) => [typeName(type), count, now > 0 ? count / toUnits(now) : null])
  return [
    rolesTable(metrics),
    { title: 'Messages handled', columns: [{ name: 'type' }, { name: 'messages' }, { name: 'per unit' }], rows: rates },
  ]
}

/** The tables of a run in real time that goes on. Its rates are those since an earlier reading; a unit takes `scale` ms. */
export function liveMetricsTables(
  metrics: Metrics,
  before: Metrics | undefined,
  scale: number,
): readonly ResultTable[] {
  const { messages, deadLetters, now } = metrics
  const seconds = (toUnits(now - (before?.now ?? 0)) * scale) / 1000
  const rates = [...messages].map(([type, count]) => {
    const more = count - (before?.messages.get(type) ?? 0)
    return [typeName(type), count, seconds > 0 ? more / seconds : null]
  })
  return [
    rolesTable(metrics),
    {
      title: 'Messages handled',
      columns: [{ name: 'type' }, { name: 'messages' }, { name: 'per second', digits: 1 }],
      rows: rates,
    },
    { title: 'Dead letters', columns: [{ name: 'reason' }, { name: 'messages' }], rows: [...deadLetters] },
  ]
}
