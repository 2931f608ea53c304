/** The cases of the starvation study: each has one job that all others outbid. */
import { EQUAL } from '../../../actors/economy/coefficients.ts'
import { units } from '../../../lib/actor.ts'
import type { Economy, UserTerms } from '../model.ts'
import { generateEconomyJobs } from '../workload/generate.ts'
import { type EconomyJob, inOrder } from '../workload/job.ts'

export interface Case extends Pick<Economy, 'processors' | 'users' | 'jobs'> {
  readonly name: string
  /** The id of the job in question. It is the only job of its user that waits after its arrival. */
  readonly job: number
  /** The least income of the job, in dollars per minute. */
  readonly rate: number
}

const THE_ONE = 'the one'

type Row = Omit<EconomyJob, 'id' | 'class'>

/** A case before its jobs are numbered: the job in question and the others. */
interface Draft extends Pick<Case, 'name' | 'processors' | 'users' | 'rate'> {
  readonly one: Row
  readonly others: readonly (Omit<EconomyJob, 'id'> | Row)[]
}

function caseOf({ one, others, ...draft }: Draft): Case {
  const jobs = inOrder([...others, { ...one, label: THE_ONE }].map((job) => ({ class: 1 as const, ...job })))
  return { ...draft, jobs, job: jobs.findIndex(({ label }) => label === THE_ONE) }
}

const row = (user: string, arrival: number, processors: number, service: number, deposit = 0): Row => ({
  user,
  arrival: units(arrival),
  processors,
  service: units(service),
  deposit,
})

const holder = (income: number, savings = 0, cap = 1_000_000): UserTerms => ({
  income,
  savings,
  cap,
  coefficients: EQUAL,
  targets: null,
})

/** One processor. Rich jobs hold 60,006 dollars on expense accounts when the job in question can pay the price. */
const G11: Case = caseOf({
  name: 'G11: one processor, rich jobs',
  processors: 1,
  users: { u1: holder(1, 60_000, 60_000), u2: holder(1, 60_000, 60_000) },
  rate: 0.5,
  one: row('u1', 0, 1, 1),
  others: [row('u1', 0, 1, 100, 60_000), row('u2', 0, 1, 100, 25_000), row('u2', 0, 1, 100, 35_000)],
})

const LUMPS = { jobs: 40, deposit: 400_000 }

/** Rich jobs on eight processors. Every job needs all eight. */
const RICH: Case = caseOf({
  name: 'eight processors, rich jobs',
  processors: 8,
  users: { u1: holder(1), u2: holder(1, LUMPS.jobs * LUMPS.deposit, LUMPS.jobs * LUMPS.deposit) },
  rate: 1,
  one: row('u1', 0, 8, 1),
  others: Array.from({ length: LUMPS.jobs }, () => row('u2', 0, 8, 100, LUMPS.deposit)),
})

export interface Crowd {
  readonly seed: number
  readonly processors: number
  /** Minutes of arrivals. */
  readonly span: number
}

/** A job that arrives half-way among the generated jobs of three users with 100 dollars a minute. */
interface Latecomer {
  readonly who: string
  readonly load: number
  readonly income: number
  readonly width: number
  readonly service: number
}

function inCrowd(crowd: Crowd, { who, load, income, width, service }: Latecomer): Case {
  const others = generateEconomyJobs({ ...crowd, load, users: 3 }).map(({ id: _, user, ...job }) => {
    return { ...job, user: `u${1 + Number(user.slice(1))}` }
  })
  const rich = holder(100)
  return caseOf({
    name: `${who}, load ${load}`,
    processors: crowd.processors,
    rate: income,
    users: { u1: holder(income), u2: rich, u3: rich, u4: rich },
    one: row('u1', crowd.span / 2, width, service),
    others,
  })
}

export function casesOf(crowd: Crowd): readonly Case[] {
  const all = crowd.processors
  const latecomers: readonly Latecomer[] = [
    { who: 'a job of all processors', load: 0.9, income: 100, width: all, service: 100 },
    { who: 'a poor user among rich ones', load: 1.3, income: 1, width: Math.ceil(all / 4), service: 50 },
    { who: 'a job of all processors', load: 1.3, income: 100, width: all, service: 100 },
    { who: "a poor user's job of all processors", load: 1.3, income: 1, width: all, service: 100 },
  ]
  return [G11, RICH, ...latecomers.map((comer) => inCrowd(crowd, comer))]
}
