/** What a run of a contracts market is summed up to: numbers, what must hold, rows. */
import type { Story } from '../../actors/contracts/story.ts'
import { delayOf } from '../../actors/contracts/values.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { csvLine } from '../../lib/core/csv.ts'
import { printUnits } from '../../lib/core/format.ts'
import type { Market } from './model.ts'
import type { MarketRun } from './one-run.ts'

/** Money in dollars, times in units. */
export type ContractsResults = {
  readonly tasks: number
  /** Taken on, and without a site. */
  readonly accepted: number
  readonly refused: number
  /** Of all tasks, had none been kept waiting. */
  readonly offered: number
  /** What the tasks were worth when they were done: the paper's total yield. */
  readonly yield: number
  /** Yield per unit, from the first arrival to the last finish. */
  readonly rate: number
  /** What clients paid, penalties taken off. */
  readonly paid: number
  /** Done later than was promised. */
  readonly late: number
  /** Of those that were done; null if there is none. */
  readonly meanDelay: number | null
  readonly preempted: number
  /** Awards that were turned down. */
  readonly reneged: number
  /** Executions that were lost with their processor. */
  readonly failures: number
  /** Contracts whose site was given up. */
  readonly lost: number
  /** What such sites owe. */
  readonly claimed: number
  /** Between machines, per task. */
  readonly messagesPerTask: number
}

interface Done extends Story {
  readonly finish: Time
  readonly yield: number
}

const isDone = (story: Story): story is Done => story.finish !== null && story.yield !== null

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export function resultsOf({ tasks }: Pick<Market, 'tasks'>, { ledger, messages }: MarketRun): ContractsResults {
  const stories = [...ledger.tasks.values()]
  const deals = stories.flatMap((story) => story.deals)
  const done = stories.filter(isDone)
  const yields = sum(done.map((story) => story.yield))
  const last = done.reduce((latest, { finish }) => Math.max(latest, finish), 0)
  const span = toUnits(last - (tasks[0]?.arrival ?? 0))
  return {
    tasks: tasks.length,
    accepted: stories.filter(({ site }) => site !== null).length,
    refused: stories.filter(({ answer }) => answer === 'unplaced').length,
    offered: sum(tasks.map(({ worth }) => worth.value)),
    yield: yields,
    rate: span > 0 ? yields / span : 0,
    paid: sum(stories.map(({ paid }) => paid ?? 0)),
    late: done.filter(({ finish, promised }) => promised !== null && finish > promised).length,
    meanDelay: done.length > 0 ? sum(done.map(({ of, finish }) => delayOf(of, finish))) / done.length : null,
    preempted: sum(stories.map(({ preempted }) => preempted)),
    reneged: ledger.reneged,
    failures: sum(deals.map(({ failures }) => failures)),
    lost: deals.filter(({ isLost }) => isLost).length,
    claimed: sum(deals.map(({ claim }) => claim ?? 0)),
    messagesPerTask: tasks.length > 0 ? messages / tasks.length : 0,
  }
}

const COLUMNS = ['id', 'arrival', 'site', 'accepted', 'promised', 'price', 'start', 'finish', 'yield', 'paid'] as const

const timeOr = (time: Time | null): string => (time === null ? '' : printUnits(time))

/** A header and a line per task, taken on or not. Times in units, money in dollars; what is not there is empty. */
export function jobsCsv({ tasks }: Pick<Market, 'tasks'>, labels: readonly string[], { ledger }: MarketRun): string {
  const lines = tasks.map(({ task, arrival }, i) => {
    const story = ledger.tasks.get(task)
    const { site = null, promised = null, price = null, start = null, finish = null } = story ?? {}
    return csvLine([
      ...[
        labels[i] ?? task,
        printUnits(arrival),
        site ?? '',
        site === null ? 'no' : 'yes',
        timeOr(promised),
        price ?? '',
      ],
      ...[timeOr(start), timeOr(finish), story?.yield ?? '', story?.paid ?? ''],
    ])
  })
  return [COLUMNS.join(), ...lines, ''].join('\n')
}
