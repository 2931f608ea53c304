/** The study of fault plans in the contracts market: the violations and the costs of each plan. */

import { studyOf } from '../../faults/study.ts'
import type { TaskRecord } from '../oracle/ledger.ts'
import { type ContractsRun, contractsRun } from '../run.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** The fields of a toll, each summed over plans. Money is in dollars. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  tasks: of('tasks'),
  /** The value of all tasks without delay, their yield, and the yield of the same plans without faults. */
  offered: of('offered'),
  yield: of('yield'),
  calmYield: of('calmYield'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Executions that lost their processor or seemed to. */
  failures: of('failures'),
  contracts: of('contracts'),
  /** Contracts whose site was given up, and contracts that were finished after another site had finished the task. */
  lost: of('lost'),
  wasted: of('wasted'),
  claimed: of('claimed'),
  unplaced: of('unplaced'),
})

const yieldOf = (stories: readonly TaskRecord[]) => stories.reduce((sum, story) => sum + (story.yield ?? 0), 0)

function costs({ market: { tasks } }: Plan, run: ContractsRun, calm: ContractsRun): ReturnType<typeof ofEach> {
  const stories = [...run.oracle.ledger.tasks.values()]
  const deals = stories.flatMap((story) => story.deals)
  return {
    plans: 1,
    tasks: tasks.length,
    offered: tasks.reduce((sum, { worth }) => sum + worth.value, 0),
    yield: yieldOf(stories),
    calmYield: yieldOf([...calm.oracle.ledger.tasks.values()]),
    messages: run.messages,
    calmMessages: calm.messages,
    failures: deals.reduce((sum, { failures }) => sum + failures, 0),
    contracts: deals.length,
    lost: deals.filter(({ isLost }) => isLost).length,
    wasted: deals.filter(({ state, finish }) => state === 'voided' && finish !== null).length,
    claimed: deals.reduce((sum, { claim }) => sum + (claim ?? 0), 0),
    unplaced: stories.filter(({ site }) => site === null).length,
  }
}

export const { TOLLS, brokenBy, violationsOf, toll } = studyOf({
  family: 'contracts',
  kinds: KINDS,
  planOf,
  ofEach,
  costs,
  run: ({ market, options, faults }) => contractsRun.run(market, options, faults),
})
