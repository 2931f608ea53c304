/** What plans of faults do to a contracts market: what they break, and what they cost. */
import type { Story } from '../../../actors/contracts/story.ts'
import { studyOf } from '../../faults/study.ts'
import { type MarketRun, runMarket } from '../one-run.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; money in dollars. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  tasks: of('tasks'),
  /** What all would be worth without delay; what they were worth; and of the same plans without faults. */
  offered: of('offered'),
  yield: of('yield'),
  calmYield: of('calmYield'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Executions that lost their processor, or were taken to have. */
  failures: of('failures'),
  contracts: of('contracts'),
  /** Of these: whose site was given up; that were not wanted any more when they were done. */
  lost: of('lost'),
  wasted: of('wasted'),
  claimed: of('claimed'),
  unplaced: of('unplaced'),
})

const yieldOf = (stories: readonly Story[]) => stories.reduce((sum, story) => sum + (story.yield ?? 0), 0)

function costs({ market: { tasks } }: Plan, run: MarketRun, calm: MarketRun): ReturnType<typeof ofEach> {
  const stories = [...run.ledger.tasks.values()]
  const deals = stories.flatMap((story) => story.deals)
  return {
    plans: 1,
    tasks: tasks.length,
    offered: tasks.reduce((sum, { worth }) => sum + worth.value, 0),
    yield: yieldOf(stories),
    calmYield: yieldOf([...calm.ledger.tasks.values()]),
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
  run: ({ market, options, faults }) => runMarket(market, options, faults),
})
