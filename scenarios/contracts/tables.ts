/** The table of a run's results. */
import { figure, percent, type ResultTable, type Value } from '../../lib/core/table.ts'
import type { ContractsResults } from './results.ts'

type Row = readonly [measure: string, of: (results: ContractsResults) => Value]

const ROWS: readonly Row[] = [
  ['tasks', ({ tasks }) => tasks],
  ['accepted', ({ accepted }) => accepted],
  ['refused by all', ({ refused }) => refused],
  ['value offered', ({ offered }) => figure(offered)],
  ['yield', (results) => figure(results.yield)],
  ['yield per unit', ({ rate }) => figure(rate, 4)],
  ['paid', ({ paid }) => figure(paid)],
  ['late', ({ late, accepted }) => (accepted > 0 ? `${late} (${percent(late / accepted)})` : late)],
  ['mean delay', ({ meanDelay }) => figure(meanDelay)],
  ['mean error of promises', ({ promiseError }) => figure(promiseError)],
  ['preemptions', ({ preempted }) => preempted],
  ['awards reneged on', ({ reneged }) => reneged],
  ['executions lost', ({ failures }) => failures],
  ['contracts given up', ({ lost }) => lost],
  ['claimed', ({ claimed }) => figure(claimed)],
  ['messages per task', ({ messagesPerTask }) => figure(messagesPerTask)],
]

/** A table of results side by side, each under its name. */
export const resultsTable = (
  all: readonly (readonly [name: string, results: ContractsResults])[],
  title?: string,
): ResultTable => ({
  ...(title !== undefined && { title }),
  columns: [{ name: 'measure' }, ...all.map(([name]) => ({ name }))],
  rows: ROWS.map(([measure, of]) => [measure, ...all.map(([, results]) => of(results))]),
})
