/** What the page of an economy tells: who waited how long, what a processor cost, and which jobs a death cost their turn. */
import type { BankFact, Request, SchedulerFact } from '../../actors/economy/messages.ts'
import { processorTimeline } from '../../actors/processor/timeline.ts'
import { type Address, type Message, roleOf, type Time, toUnits } from '../../lib/actor.ts'
import { figure } from '../../lib/core/table.ts'
import { meanOf, sum } from '../../lib/core/tally.ts'
import { natural } from '../../lib/report/sorting.ts'
import { Lives } from '../../lib/scenario/lives.ts'
import {
  few,
  type ObjectRow,
  type Objects,
  outOf,
  type PageReader,
  type Picture,
  type Sentence,
  say,
  type Tile,
  time,
} from '../../lib/scenario/page.ts'

interface Job {
  readonly user: string
  readonly request: Request
  readonly arrival: Time
  readonly started: Time | null
  /** Dollars for each processor-minute, when it was chosen. */
  readonly price: number
  readonly end: { readonly at: Time; readonly why: string } | null
  readonly failures: readonly Time[]
}

const isScheduler = (_: Message, who: Address): _ is SchedulerFact => roleOf(who) === 'scheduler'
const isBank = (fact: Message, who: Address): fact is BankFact => roleOf(who) === 'bank' && fact.type === 'booked'

const waitOf = ({ started, arrival }: Job): number[] => (started === null ? [] : [toUnits(started - arrival)])
const responseOf = ({ end, arrival }: Job): number[] => (end?.why === 'finished' ? [toUnits(end.at - arrival)] : [])

/** Says how many jobs paid nothing, and why. */
function noteOfFree(begun: readonly Job[]): Pick<Picture, 'note'> {
  const free = begun.filter(({ price }) => price === 0).length
  if (free === 0) return {}
  return {
    note: `${free} of ${begun.length} jobs paid nothing, because they started before any income had reached their accounts.`,
  }
}

/** The most users that are told one by one. */
const USERS_MAX = 5

/** The most failures that are told one by one. */
const TOLD_MAX = 3

const usersIn = (jobs: readonly Pick<Job, 'user'>[]): string[] =>
  [...new Set(jobs.map(({ user }) => user))].sort(natural)

export function economyPage(): PageReader {
  const jobs = new Map<number, Job>()
  const lives = new Lives()
  const money = new Map<string, BankFact>()
  const submitted = new Set<unknown>()
  let isWithoutScheduler = false
  const hasMoney = (): boolean => money.size > 0
  const change = (id: number, by: (job: Job) => Partial<Job>): void => {
    const job = jobs.get(id)
    if (job) jobs.set(id, { ...job, ...by(job) })
  }

  function ofScheduler(fact: SchedulerFact, at: Time): void {
    switch (fact.type) {
      case 'accepted': {
        const { request, user, arrival } = fact
        if (jobs.has(request.job)) return
        jobs.set(request.job, { user, request, arrival, started: null, price: 0, end: null, failures: [] })
        return lives.begin(request.job, at, 'waits', 'waiting')
      }
      case 'started':
        change(fact.job, () => ({ started: at, price: fact.price }))
        return lives.begin(fact.job, at, `runs on ${fact.processors.length} processors`, 'running')
      case 'failed':
        change(fact.job, ({ failures }) => ({ started: null, failures: [...failures, at] }))
        lives.end(fact.job, at, 'lost in a death')
        return lives.begin(fact.job, at, 'waits again', 'waiting')
      case 'refused':
      case 'ended': {
        const why = fact.type === 'refused' ? 'refused' : fact.why
        change(fact.job, () => ({ end: { at, why } }))
        return lives.end(fact.job, at, fact.type === 'ended' ? 'finished' : undefined)
      }
    }
  }

  function story(): Sentence[] {
    const all = [...jobs.values()]
    const finished = all.filter(({ end }) => end?.why === 'finished').length
    const wait = figure(meanOf(all.flatMap(waitOf)))
    const users = usersIn(all)
    const perUser = users.map((user) => {
      const own = all.filter((job) => job.user === user)
      const prices = pricesOf(own)
      const paid = prices.length > 0 ? ` at ${figure(meanOf(prices), 2)} dollars a processor-minute` : ''
      return `user ${user} ${figure(meanOf(own.flatMap(waitOf)))}${paid}`
    })
    const told = all.flatMap(({ request, failures }) => failures.map((at) => ({ job: request.job, at })))
    return [
      ...told
        .slice(0, TOLD_MAX)
        .map(({ job, at }): Sentence => say`job ${job} lost a processor at ${time(at)}, and had to begin again.`),
      ...(told.length > TOLD_MAX ? [`So did ${told.length - TOLD_MAX} more.`] : []),
      ...stuck(all),
      `Of the jobs, ${outOf(finished, Math.max(submitted.size, all.length))} finished. They waited ${wait} minutes on average${perUser.length <= USERS_MAX ? `: ${perUser.join(', ')}` : ''}.`,
      ...(perUser.length > USERS_MAX ? extremesOf(all, users) : []),
    ]
  }

  /** The prices that jobs paid for a processor-minute when they started; none without money. */
  const pricesOf = (some: readonly Job[]): number[] =>
    hasMoney() ? some.flatMap(({ started, price }) => (started === null ? [] : [price])) : []

  /** Of many users, who waited least and most, and what a processor-minute cost. */
  function extremesOf(all: readonly Job[], users: readonly string[]): Sentence[] {
    const waits = users
      .flatMap((user) => {
        const wait = meanOf(all.filter((job) => job.user === user).flatMap(waitOf))
        return wait === null ? [] : [{ user, wait }]
      })
      .toSorted((one, other) => one.wait - other.wait)
    const [least, most, prices] = [waits[0], waits.at(-1), pricesOf(all)]
    return [
      ...(least && most
        ? [
            `user ${least.user} waited least, ${figure(least.wait)} minutes, and user ${most.user} most, ${figure(most.wait)} minutes.`,
          ]
        : []),
      ...(prices.length > 0
        ? [`A processor-minute cost ${figure(meanOf(prices), 2)} dollars on average over the jobs.`]
        : []),
    ]
  }

  /** What cannot go on, since no scheduler is there. */
  function stuck(all: readonly Job[]): Sentence[] {
    if (!isWithoutScheduler) return []
    const open = all.filter(({ end }) => end === null).map(({ request }) => `job ${request.job}`)
    const waiting = submitted.size - all.length
    return [
      ...(open.length > 0 ? [`Without the scheduler ${few(open)} cannot finish.`] : []),
      ...(waiting > 0
        ? [`It accepts no new jobs; ${waiting} ${waiting === 1 ? 'was' : 'were'} submitted in vain.`]
        : []),
    ]
  }

  function tiles(): Tile[] {
    const all = [...jobs.values()]
    const finished = all.filter(({ end }) => end?.why === 'finished').length
    const failures = sum(all, (job) => job.failures.length)
    const minutes = { unit: 'minutes', digits: 2, better: 'less' } as const
    return [
      { label: 'mean wait', value: meanOf(all.flatMap(waitOf)), ...minutes },
      { label: 'mean response', value: meanOf(all.flatMap(responseOf)), ...minutes },
      { label: 'jobs finished', value: outOf(finished, Math.max(submitted.size, all.length)) },
      { label: 'attempts lost', value: failures, better: 'less' },
      ...(hasMoney()
        ? [
            {
              label: 'income of the machine',
              value: sum(money.values(), ({ paid }) => paid),
              unit: 'dollars',
              digits: 2,
            },
          ]
        : []),
    ]
  }

  /** The wait of each job and the price that it paid, when it began, in the colour of its user. */
  function pictures(): Picture[] {
    const begun = [...jobs.values()].flatMap((job) => (job.started === null ? [] : [{ ...job, started: job.started }]))
    const dots = (some: typeof begun, of: (job: (typeof begun)[number]) => number): Picture['series'] =>
      usersIn(begun).map((user) => ({
        name: `user ${user}`,
        shape: 'dots',
        points: some
          .filter((job) => job.user === user)
          .map((job) => ({
            x: job.started,
            y: of(job),
            name: `job ${job.request.job}`,
            to: { object: `job ${job.request.job}` },
          })),
      }))
    return [
      {
        title: 'How long each job had waited when it began',
        y: { label: 'wait', unit: 'minutes', min: 0 },
        series: dots(begun, ({ started, arrival }) => toUnits(started - arrival)),
      },
      ...(hasMoney()
        ? [
            {
              title: 'The price that each job paid when it began',
              y: { label: 'a processor-minute', unit: 'dollars', log: true },
              series: dots(
                begun.filter(({ price }) => price > 0),
                ({ price }) => price,
              ),
              ...noteOfFree(begun),
            },
          ]
        : []),
    ]
  }

  function objects(now: Time): Objects[] {
    const digits = 2
    const left = 'left' as const
    const all = [...jobs.values()]
    const users = usersIn(all)
    return [
      {
        name: 'job',
        columns: [
          ...[{ name: 'user', align: left }, { name: 'class' }, { name: 'processors' }],
          ...['came', 'wait', 'response'].map((name) => ({ name, unit: 'minutes', digits })),
          ...(hasMoney() ? [{ name: 'price', digits }] : []),
          ...[{ name: 'attempts lost' }, { name: 'fate', align: left }],
        ],
        rows: all.map(
          (job): ObjectRow => ({
            id: job.request.job,
            values: [
              ...[job.user, job.request.class, job.request.processors, toUnits(job.arrival)],
              ...[waitOf(job)[0] ?? null, responseOf(job)[0] ?? null],
              ...(hasMoney() ? [job.price] : []),
              ...[job.failures.length, job.end?.why ?? 'not over'],
            ],
            isBad: job.end?.why !== 'finished',
            isOver: job.end !== null,
            phases: lives.of(job.request.job, now),
          }),
        ),
      },
      {
        name: 'user',
        columns: [
          { name: 'jobs' },
          ...['wait', 'response'].map((name) => ({ name, unit: 'minutes', digits })),
          ...(hasMoney() ? ['paid', 'saved'].map((name) => ({ name, unit: 'dollars', digits })) : []),
        ],
        rows: users.map((user) => {
          const own = all.filter((job) => job.user === user)
          const { paid = null, savings = null } = money.get(user) ?? {}
          return {
            id: user,
            values: [
              ...[own.length, meanOf(own.flatMap(waitOf)), meanOf(own.flatMap(responseOf))],
              ...(hasMoney() ? [paid, savings] : []),
            ],
          }
        }),
      },
    ]
  }

  return {
    ...processorTimeline({ word: 'job' })(),
    unit: 'minutes',
    fold(fact, who, at) {
      if (roleOf(who) === 'user' && fact.type === 'submitted') submitted.add(fact['job'])
      if (isScheduler(fact, who)) ofScheduler(fact, at)
      else if (isBank(fact, who)) money.set(fact.user, fact)
    },
    died(who) {
      if (roleOf(who) === 'scheduler') isWithoutScheduler = true
    },
    began(who) {
      if (roleOf(who) === 'scheduler') isWithoutScheduler = false
    },
    story,
    tiles,
    pictures,
    objects,
  }
}
