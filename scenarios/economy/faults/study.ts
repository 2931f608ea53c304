/** The study of fault plans in the economy: the violations and the costs of each plan. */
import { toUnits } from '../../../lib/actor.ts'
import { studyOf } from '../../faults/study.ts'
import { finishedOf, responseOf } from '../results.ts'
import { type EconomyRun, economyRun } from '../run.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** The fields of a toll, each summed over plans. Times are in minutes, of the jobs that finished with and without faults. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  response: of('response'),
  /** Response of the same jobs without faults. */
  calmResponse: of('calmResponse'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Attempts that lost a processor, or were given up. */
  failures: of('failures'),
  /** Processor time, and how much of it was wasted. */
  busy: of('busy'),
  wasted: of('wasted'),
  refused: of('refused'),
  /** Dollars that users received, and dollars that were forfeited. */
  received: of('received'),
  forfeited: of('forfeited'),
})

function costs(_: Plan, run: EconomyRun, calm: EconomyRun): ReturnType<typeof ofEach> {
  const calmly = new Map(finishedOf(calm.oracle).map((story) => [story.request.job, story]))
  const both = finishedOf(run.oracle).flatMap((story) => {
    const other = calmly.get(story.request.job)
    return other ? [[responseOf(story), responseOf(other)] as const] : []
  })
  const stories = [...run.oracle.ledger.jobs.values()]
  return {
    plans: 1,
    jobs: stories.length,
    response: both.reduce((sum, [ours]) => sum + toUnits(ours), 0),
    calmResponse: both.reduce((sum, [, theirs]) => sum + toUnits(theirs), 0),
    messages: run.messages,
    calmMessages: calm.messages,
    failures: stories.reduce((sum, { failures }) => sum + failures, 0),
    busy: toUnits(run.oracle.ledger.useful + run.oracle.ledger.lost),
    wasted: toUnits(run.oracle.ledger.lost),
    refused: stories.filter(({ end }) => end?.why === 'refused').length,
    received: run.oracle.money.sum('received'),
    forfeited: run.oracle.money.sum('forfeited'),
  }
}

export const { TOLLS, brokenBy, violationsOf, toll } = studyOf({
  family: 'economy',
  kinds: KINDS,
  planOf,
  ofEach,
  costs,
  run: ({ economy, options, faults }) => economyRun.run(economy, options, faults),
})
