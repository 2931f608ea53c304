/** The results of a run of the economy: means, sums and the CSV file of its jobs. */

import { CLASSES, type Class } from '../../actors/economy/messages.ts'
import { type Time, toUnits } from '../../lib/actor.ts'
import { csvText } from '../../lib/core/csv.ts'
import { printUnits } from '../../lib/core/format.ts'
import { meanOf, sum } from '../../lib/core/tally.ts'
import { offeredLoad } from '../../lib/workload/load.ts'
import { comingJobs, type Economy } from './model.ts'
import type { JobRecord, Started } from './oracle/ledger.ts'
import type { Watch } from './oracle.ts'
import type { EconomyRun } from './run.ts'

/** Measures of the jobs that finished. The means are null if there are none. */
export type Measures = {
  readonly jobs: number
  /** Mean response, from arrival to finish, in minutes: the paper's S. */
  readonly response: number | null
  /** Mean response over service: the paper's U. */
  readonly slowdown: number | null
  /** Mean time from arrival to start, in minutes: the paper's W. */
  readonly wait: number | null
}

/** The results of one user. Money is in dollars, as of the last booking. */
type UserResults = Measures & {
  readonly received: number
  readonly paid: number
  readonly savings: number
}

export type EconomyResults = {
  readonly all: Measures
  readonly classes: Readonly<Record<Class, Measures>>
  readonly users: Readonly<Record<string, UserResults>>
  /** Jobs that were refused, jobs that were stopped because extra time was not paid, and jobs without an end. */
  readonly refused: number
  readonly stopped: number
  readonly unfinished: number
  /** Attempts that lost a processor. */
  readonly failures: number
  /** The work of all jobs over the capacity from the first arrival to the last; null if all arrive at once. */
  readonly offeredLoad: number | null
  /** The work of finished jobs over the capacity from time 0 to the end of the last job. */
  readonly utilisation: number
  /** Dollars on the system account, and dollars forfeited by refused jobs. */
  readonly income: number
  readonly forfeited: number
  /** Messages between machines, per job. */
  readonly messagesPerJob: number
}

export interface Finished extends JobRecord {
  readonly started: Started
  readonly end: { readonly at: Time; readonly why: 'finished' }
}

const isFinished = (story: JobRecord): story is Finished => story.started !== null && story.end?.why === 'finished'

export const finishedOf = ({ ledger }: Pick<Watch, 'ledger'>): Finished[] =>
  [...ledger.jobs.values()].filter(isFinished)

export const responseOf = ({ arrival, end }: Finished): Time => end.at - arrival

function measuresOf(stories: readonly Finished[]): Measures {
  return {
    jobs: stories.length,
    response: meanOf(stories, (story) => toUnits(responseOf(story))),
    slowdown: meanOf(stories, (story) => responseOf(story) / story.request.work),
    wait: meanOf(stories, ({ started, arrival }) => toUnits(started.at - arrival)),
  }
}

export function utilisationOf(processors: number, { ledger }: Pick<Watch, 'ledger'>): number {
  const last = [...ledger.jobs.values()].reduce((latest, { end }) => Math.max(latest, end?.at ?? 0), 0)
  const useful = sum(finishedOf({ ledger }), ({ request }) => request.processors * request.work)
  return last > 0 ? useful / (processors * last) : 0
}

export function resultsOf(economy: Economy, run: Pick<EconomyRun, 'oracle' | 'messages'>): EconomyResults {
  const { oracle, messages } = run
  const { ledger, money } = oracle
  const stories = [...ledger.jobs.values()]
  const finished = finishedOf(oracle)
  const ofClass = (l: Class) => measuresOf(finished.filter(({ request }) => request.class === l))
  const [first, second, third] = CLASSES
  const ofUser = (name: string): UserResults => {
    const { received = 0, paid = 0, savings = 0 } = money.users.get(name) ?? {}
    return { ...measuresOf(finished.filter(({ user }) => user === name)), received, paid, savings }
  }
  const ended = (why: 'refused' | 'overrun') => stories.filter(({ end }) => end?.why === why).length
  const coming = comingJobs(economy)
  const asked = coming.map(({ arrival, processors, service, actual = service }) => ({
    arrival,
    work: processors * actual,
  }))
  return {
    all: measuresOf(finished),
    classes: { [first]: ofClass(first), [second]: ofClass(second), [third]: ofClass(third) },
    users: Object.fromEntries(Object.keys(economy.users).map((name) => [name, ofUser(name)])),
    refused: ended('refused'),
    stopped: ended('overrun'),
    unfinished: coming.length - stories.filter(({ end }) => end).length - oracle.before.size,
    failures: sum(stories, ({ failures }) => failures),
    offeredLoad: offeredLoad(asked, economy.processors),
    utilisation: utilisationOf(economy.processors, oracle),
    income: money.sum('paid'),
    forfeited: money.sum('forfeited'),
    messagesPerJob: coming.length > 0 ? messages / coming.length : 0,
  }
}

const COLUMNS = ['id', 'user', 'class', 'processors', 'arrival', 'start', 'finish', 'paid', 'wasted', 'kind'] as const

/**
 * The CSV file of the jobs: a header and a line per job. Times are in minutes, `paid` in dollars, `wasted` in
 * processor-minutes. `kind` tells how the job started (`direct`, `reserved`, `backfill`), or that it was `refused`, or
 * stopped at `finish` (`overrun`).
 */
export function jobsCsv(economy: Economy, { ledger, money }: Pick<Watch, 'ledger' | 'money'>): string {
  const rows = comingJobs(economy).map(({ id, user, class: l, processors, arrival, label = String(id) }) => {
    const { started = null, end = null } = ledger.jobs.get(id) ?? {}
    const why = end?.why === 'finished' ? undefined : end?.why
    const ran = started ? [printUnits(started.at), end ? printUnits(end.at) : ''] : ['', '']
    const cost = started ? [money.paidBy(id), printUnits(started.wasted)] : ['', '']
    return [label, user, l, processors, printUnits(arrival), ...ran, ...cost, why ?? started?.kind ?? '']
  })
  return csvText([COLUMNS, ...rows])
}
