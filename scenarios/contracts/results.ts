/** The results of a run of the contracts market: counts, sums and the CSV file of its tasks. */

import { delayOf } from '../../actors/contracts/values.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { csvText } from '../../lib/core/csv.ts'
import { printUnits } from '../../lib/core/format.ts'
import { meanOf, sum } from '../../lib/core/tally.ts'
import { timeCell } from '../../lib/workload/jobs-out.ts'
import type { ContractsMarket } from './model.ts'
import type { TaskRecord } from './oracle/ledger.ts'
import type { Watch } from './oracle.ts'
import type { ContractsRun } from './run.ts'

/** The results. Money is in dollars, times are in units. */
export type ContractsResults = {
  readonly tasks: number
  /** Tasks that a site accepted, and tasks that no site accepted. */
  readonly accepted: number
  readonly refused: number
  /** The value of all tasks without delay. */
  readonly offered: number
  /** The yields of the tasks when they were done: the paper's total yield. */
  readonly yield: number
  /** The yield per unit, from the first arrival to the last finish. */
  readonly rate: number
  /** Dollars that clients paid, less penalties. */
  readonly paid: number
  /** Tasks done later than promised. */
  readonly late: number
  /** The mean delay of finished tasks; null if there are none. */
  readonly meanDelay: number | null
  /** The mean difference between the promised and the real completion of finished tasks, in units; null if there are none. */
  readonly promiseError: number | null
  readonly preempted: number
  /** Awards on which the site reneged. */
  readonly reneged: number
  /** Executions that were lost with their processor. */
  readonly failures: number
  /** Contracts whose site was given up. */
  readonly lost: number
  /** Dollars that such sites owe. */
  readonly claimed: number
  /** Messages between machines, per task. */
  readonly messagesPerTask: number
}

interface Done extends TaskRecord {
  readonly finish: Time
  readonly yield: number
}

const isDone = (story: TaskRecord): story is Done => story.finish !== null && story.yield !== null

export function resultsOf(
  { tasks }: Pick<ContractsMarket, 'tasks'>,
  { oracle: { ledger }, messages }: Pick<ContractsRun, 'oracle' | 'messages'>,
): ContractsResults {
  const stories = [...ledger.tasks.values()]
  const deals = stories.flatMap((story) => story.deals)
  const done = stories.filter(isDone)
  const yields = sum(done, (story) => story.yield)
  const last = done.reduce((latest, { finish }) => Math.max(latest, finish), 0)
  const span = toUnits(last - (tasks[0]?.arrival ?? 0))
  return {
    tasks: tasks.length,
    accepted: stories.filter(({ site }) => site !== null).length,
    refused: stories.filter(({ answer }) => answer === 'unplaced').length,
    offered: sum(tasks, ({ worth }) => worth.value),
    yield: yields,
    rate: span > 0 ? yields / span : 0,
    paid: sum(stories, ({ paid }) => paid ?? 0),
    late: done.filter(({ finish, promised }) => promised !== null && finish > promised).length,
    meanDelay: meanOf(done, ({ of, finish }) => delayOf(of, finish)),
    promiseError: meanOf(done, ({ finish, promised }) => toUnits(Math.abs(finish - (promised ?? finish)))),
    preempted: sum(stories, ({ preempted }) => preempted),
    reneged: ledger.reneged,
    failures: sum(deals, ({ failures }) => failures),
    lost: deals.filter(({ isLost }) => isLost).length,
    claimed: sum(deals, ({ claim }) => claim ?? 0),
    messagesPerTask: tasks.length > 0 ? messages / tasks.length : 0,
  }
}

const COLUMNS = ['id', 'arrival', 'site', 'accepted', 'promised', 'price', 'start', 'finish', 'yield', 'paid'] as const

/** The CSV file of the tasks: a header and a line per task. Times are in units, money in dollars; missing values are empty. */
export function jobsCsv(
  { tasks, labels }: Pick<ContractsMarket, 'tasks' | 'labels'>,
  { ledger }: Pick<Watch, 'ledger'>,
): string {
  const rows = tasks.map(({ task, arrival }) => {
    const story = ledger.tasks.get(task)
    const { site = null, promised = null, price = null, start = null, finish = null } = story ?? {}
    return [
      ...[
        labels?.[task] ?? task,
        printUnits(arrival),
        site ?? '',
        site === null ? 'no' : 'yes',
        timeCell(promised),
        price ?? '',
      ],
      ...[timeCell(start), timeCell(finish), story?.yield ?? '', story?.paid ?? ''],
    ]
  })
  return csvText([COLUMNS, ...rows])
}
