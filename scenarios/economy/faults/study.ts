/** What plans of faults do to an economy: what they break, and what they cost. */
import { toUnits } from '../../../lib/actor.ts'
import { studyOf } from '../../faults/study.ts'
import { type EconomyRun, runEconomy } from '../one-run.ts'
import { finishedOf, responseOf } from '../results.ts'
import { KINDS, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; times in minutes, of the jobs that finished with and without faults. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  response: of('response'),
  /** Of the same jobs without faults. */
  calmResponse: of('calmResponse'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Attempts that lost a processor, or were given up. */
  failures: of('failures'),
  /** Processor time, and what of it came to nothing. */
  busy: of('busy'),
  wasted: of('wasted'),
  refused: of('refused'),
  /** Dollars that came in, and those that are nobody's any more. */
  received: of('received'),
  forfeited: of('forfeited'),
})

function costs(_: Plan, run: EconomyRun, calm: EconomyRun): ReturnType<typeof ofEach> {
  const calmly = new Map(finishedOf(calm).map((story) => [story.request.job, story]))
  const both = finishedOf(run).flatMap((story) => {
    const other = calmly.get(story.request.job)
    return other ? [[responseOf(story), responseOf(other)] as const] : []
  })
  const stories = [...run.ledger.jobs.values()]
  return {
    plans: 1,
    jobs: stories.length,
    response: both.reduce((sum, [ours]) => sum + toUnits(ours), 0),
    calmResponse: both.reduce((sum, [, theirs]) => sum + toUnits(theirs), 0),
    messages: run.messages,
    calmMessages: calm.messages,
    failures: stories.reduce((sum, { failures }) => sum + failures, 0),
    busy: toUnits(run.ledger.useful + run.ledger.lost),
    wasted: toUnits(run.ledger.lost),
    refused: stories.filter(({ end }) => end?.why === 'refused').length,
    received: run.money.sum('received'),
    forfeited: run.money.sum('forfeited'),
  }
}

export const { TOLLS, brokenBy, violationsOf, toll } = studyOf({
  family: 'economy',
  kinds: KINDS,
  planOf,
  ofEach,
  costs,
  run: ({ economy, options, faults }) => runEconomy(economy, options, faults),
})
