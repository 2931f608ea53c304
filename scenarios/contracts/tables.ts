/** The table of a run's results. */
import { figure, percent, table } from '../../lib/core/table.ts'
import type { ContractsResults } from './results.ts'

type Row = readonly [name: string, of: (results: ContractsResults) => string]

const ROWS: readonly Row[] = [
  ['tasks', ({ tasks }) => String(tasks)],
  ['accepted', ({ accepted }) => String(accepted)],
  ['refused by all', ({ refused }) => String(refused)],
  ['value offered', ({ offered }) => figure(offered)],
  ['yield', (results) => figure(results.yield)],
  ['yield per unit', ({ rate }) => figure(rate, 4)],
  ['paid', ({ paid }) => figure(paid)],
  ['late', ({ late, accepted }) => (accepted > 0 ? `${late} (${percent(late / accepted)})` : String(late))],
  ['mean delay', ({ meanDelay }) => figure(meanDelay)],
  ['preemptions', ({ preempted }) => String(preempted)],
  ['awards reneged on', ({ reneged }) => String(reneged)],
  ['executions lost', ({ failures }) => String(failures)],
  ['contracts given up', ({ lost }) => String(lost)],
  ['claimed', ({ claimed }) => figure(claimed)],
  ['messages per task', ({ messagesPerTask }) => figure(messagesPerTask)],
]

/** A table of results side by side, each under its name. */
export const resultsTable = (
  head: string,
  all: readonly (readonly [name: string, results: ContractsResults])[],
): string =>
  table(
    [head, ...all.map(([name]) => name)],
    ROWS.map(([name, of]) => [name, ...all.map(([, results]) => of(results))]),
  )
