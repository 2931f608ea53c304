/** The promises of an economy that its facts can break, in the words of the library of promises. */
import type { Totals } from '../../../actors/economy/messages.ts'
import { type Address, roleOf, type Time } from '../../../lib/actor.ts'
import { add } from '../../../lib/core/tally.ts'
import type { Circumstances } from '../../../lib/scenario/definition.ts'
import { byTheClock, disturbanceOf, isStruck, until, whileAsPlanned } from '../../../lib/scenario/disturbance.ts'
import { endOfFault, type Fault } from '../../../lib/scenario/faults.ts'
import { about, inEachRun, type ObservedFact, type Property } from '../../../lib/scenario/oracle.ts'
import { conservation, type Transfer } from '../../../lib/scenario/promises/conservation.ts'
import { type Move, mutualExclusion } from '../../../lib/scenario/promises/exclusion.ts'
import { strongAccuracy } from '../../../lib/scenario/promises/failure-detector.ts'
import { atMostOnce } from '../../../lib/scenario/promises/once.ts'
import { precedence } from '../../../lib/scenario/promises/order.ts'
import { noOrphans, type WorkEvent } from '../../../lib/scenario/promises/orphans.ts'
import { instant, invariant, type Reads, safety } from '../../../lib/scenario/promises/safety.ts'
import { complete } from '../../../lib/system/options.ts'
import { notBeforeArrival } from '../../arrival.ts'
import { toldOnce } from '../../told-once.ts'
import { BANK, type Economy, SCHEDULER } from '../model.ts'
import { HALF_A_CENT } from './audit.ts'
import { consequences } from './consequences.ts'
import { reactions } from './reactions.ts'
import { schedulerDecisions } from './scheduler-decisions.ts'

/** The facts of processors: most facts of a run. Promises that are not about them do not hear them. */
const EXECUTIONS = ['started', 'finished', 'aborted']

/** Reads the job of a fact, if an actor of this role tells one of these types. */
const jobIn =
  (role: string, ...types: readonly string[]) =>
  ({ fact, who }: ObservedFact): string | undefined =>
    roleOf(who) === role && types.includes(fact.type) ? `job ${fact['job']}` : undefined

const isEnd = jobIn('scheduler', 'ended', 'refused')
const isStart = jobIn('scheduler', 'started')
const isEnded = jobIn('scheduler', 'ended')
const isFailed = jobIn('scheduler', 'failed')
const isOver = jobIn('scheduler', 'ended', 'failed')
const isExtended = jobIn('scheduler', 'extended')
const isBooked = jobIn('bank', 'booked')
const isSubmitted = jobIn('user', 'submitted')
const isHeard = jobIn('user', 'heard')

/** An attempt at a job. Processors call a job a task. */
const attemptOf = ({ fact }: ObservedFact): string => `job ${fact['job'] ?? fact['task']}, attempt ${fact['attempt']}`

/** Reads the attempt of a fact of a processor. */
const executionIn =
  (...types: readonly string[]) =>
  (observed: ObservedFact): string | undefined =>
    roleOf(observed.who) === 'processor' && types.includes(observed.fact.type) ? attemptOf(observed) : undefined

const isBegun = executionIn('started')
const isDone = executionIn('finished', 'aborted')

/** The addresses of the processors that a start names by their places. */
const processorsIn = ({ fact }: ObservedFact): Address[] => {
  const { processors } = fact
  return Array.isArray(processors) ? processors.map((place) => `processor@p${Number(place) + 1}`) : []
}

/** The processors that the scheduler gives to a job, or that a job gives back. `held` are those of each running job. */
function movesIn(observed: ObservedFact, held: Map<string, readonly Address[]>): readonly Move[] {
  const started = isStart(observed)
  const over = isOver(observed)
  const job = started ?? over
  if (job === undefined) return []
  if (started !== undefined) held.set(job, processorsIn(observed))
  const resources = held.get(job) ?? []
  if (over !== undefined) held.delete(job)
  return resources.map((resource) => ({ type: started ? 'enters' : 'leaves', resource, holder: job }))
}

/** A processor belongs to one job, from its start until the scheduler hears of its end. */
const ownership: Property = inEachRun(() => {
  const held = new Map<string, readonly Address[]>()
  const owned = mutualExclusion('a processor belongs to one job', (observed) => movesIn(observed, held))
  return about(['started', 'ended', 'failed'], owned)
})

/** The promises of every economy, whatever its jobs and its terms. */
export const OF_ALL_ECONOMIES: readonly Property[] = [
  about(
    ['accepted'],
    atMostOnce('a job is accepted once', ({ fact, who }) =>
      roleOf(who) === 'scheduler' && fact.type === 'accepted' ? jobOfRequest(fact['request']) : undefined,
    ),
  ),
  about(['ended', 'refused'], atMostOnce('a job ends once', isEnd)),
  about(
    EXECUTIONS,
    mutualExclusion('a processor runs one job at a time', (observed) => {
      const begun = isBegun(observed)
      const holder = begun ?? isDone(observed)
      return holder === undefined ? undefined : { type: begun ? 'enters' : 'leaves', resource: observed.who, holder }
    }),
  ),
  ownership,
  about(
    ['started'],
    precedence('a processor runs only the jobs that it was given', {
      cause: (observed) =>
        isStart(observed) ? processorsIn(observed).map((who) => `${attemptOf(observed)} on ${who}`) : [],
      effect: (observed) => (isBegun(observed) ? `${attemptOf(observed)} on ${observed.who}` : undefined),
    }),
  ),
  about(
    ['started', 'lost', 'found'],
    safety('no job gets a processor that is lost', () => {
      const lost = new Set<Address>()
      return {
        fold: (observed) => {
          const { fact, who, at } = observed
          if (roleOf(who) !== 'scheduler') return undefined
          const processor = `processor@p${Number(fact['processor']) + 1}`
          if (fact.type === 'lost') lost.add(processor)
          if (fact.type === 'found') lost.delete(processor)
          const wrong = isStart(observed) ? processorsIn(observed).filter((one) => lost.has(one)) : []
          return wrong.length > 0 ? `${attemptOf(observed)} got ${wrong.join()} at ${instant(at)}` : undefined
        },
      }
    }),
  ),
  about(
    ['booked', 'ended'],
    precedence('a job is stopped only if its extra time was declined', {
      cause: (observed) => (observed.fact['what'] === 'declined' ? isBooked(observed) : undefined),
      effect: (observed) => (observed.fact['why'] === 'overrun' ? isEnded(observed) : undefined),
    }),
  ),
]

const jobOfRequest = (request: unknown): string | undefined =>
  typeof request === 'object' && request !== null && 'job' in request ? `job ${request.job}` : undefined

/**
 * A processor that was taken for dead may run an attempt that has failed. It is told to stop when it is heard of again. This is asked
 * where no fault delays that order.
 */
const stoppedWhenFound = (faults: readonly Fault[], grace: Time): readonly Property[] => {
  const name = 'a processor that is found again does not continue an attempt that has failed'
  const properties = (events: Reads<WorkEvent>) => noOrphans(name, events, { grace, stops: true })
  const isDelayed = (processor: Address, at: Time): boolean =>
    [processor, SCHEDULER].some((who) =>
      isStruck(
        who,
        faults.filter((fault) => 'at' in fault && fault.at <= at + grace && endOfFault(fault) >= at),
      ),
    )
  const eventsOf = (): Reads<WorkEvent> => {
    const failed = new Set<string>()
    const running = new Map<Address, string>()
    const workOn = (processor: Address, attempt: string) => `${attempt} on ${processor}`
    return (observed) => {
      const { fact, who, at } = observed
      if (isFailed(observed)) failed.add(attemptOf(observed))
      const [begun, done] = [isBegun(observed), isDone(observed)]
      if (begun) running.set(who, begun)
      if (done) running.delete(who)
      if (begun ?? done) return { type: begun ? 'begins' : 'ends', work: workOn(who, attemptOf(observed)) }
      if (roleOf(who) !== 'scheduler' || fact.type !== 'found') return undefined
      const processor = `processor@p${Number(fact['processor']) + 1}`
      const attempt = running.get(processor)
      return attempt !== undefined && failed.has(attempt) && !isDelayed(processor, at)
        ? { type: 'unwanted', work: workOn(processor, attempt) }
        : undefined
    }
  }
  return properties(() => undefined).map((property, i) => ({
    ...property,
    types: [...EXECUTIONS, 'failed', 'found'],
    watch: () => properties(eventsOf())[i]?.watch() ?? property.watch(),
  }))
}

/** The promises of one run of an economy, under its options and its planned faults. */
export function promisesOf(economy: Economy, circumstances: Circumstances): readonly Property[] {
  const { options, faults } = circumstances
  const { jobs, durable } = economy
  const {
    network: { latency, jitter },
    scheduler,
  } = complete(options)
  const { isSafe, isCalm } = disturbanceOf(circumstances)
  const known = new Map(jobs.map((job) => [job.id, job]))
  const jobOf = ({ fact }: ObservedFact) => known.get(Number(fact['job'] ?? fact['task']))
  // deaths and restarts take no time: an order to stop arrives as late as any other message
  const isPrompt = isSafe && !options.reliable && faults.every(({ type }) => type === 'kill' || type === 'restart')
  // a search draws faults that this oracle is not told of
  const mayLoseRecords = scheduler !== null || faults.some((fault) => 'loss' in fault && fault.loss !== undefined)
  return [
    ...toldOnce(circumstances),
    hearsOnce(durable && !mayLoseRecords),
    about(
      ['submitted'],
      notBeforeArrival('no job is submitted before it arrives', isSubmitted, (observed) => jobOf(observed)?.arrival),
    ),
    about(
      ['started'],
      notBeforeArrival('no job starts before it arrives', isStart, (observed) => jobOf(observed)?.arrival),
    ),
    ...money(economy),
    ...schedulerDecisions(economy).map(byTheClock),
    ...consequences(economy),
    refusals(economy, known),
    extensions(economy, known),
    byTheClock(onlyWhenOver(economy, known)),
    about(
      ['started'],
      invariant('an execution is given the work of its job', (observed) => {
        const { service = 0, actual = service } = jobOf(observed) ?? {}
        return isBegun(observed) && observed.fact['work'] !== actual
          ? `${attemptOf(observed)}: ${observed.fact['work']}, not ${actual}`
          : undefined
      }),
    ),
    ...whileAsPlanned(faults, [
      ...(isSafe
        ? [
            about(
              ['lost'],
              strongAccuracy('no living processor is taken for dead', ({ fact, who }) => {
                if (roleOf(who) !== 'scheduler' || fact.type !== 'lost') return undefined
                const whom = `processor@p${Number(fact['processor']) + 1}`
                return isStruck(whom, faults) || isStruck(SCHEDULER, faults) ? undefined : { type: 'suspects', whom }
              }),
            ),
          ]
        : []),
      ...(isSafe && !options.reliable ? stoppedWhenFound(faults, latency + jitter) : []),
      ...(isSafe && !options.reliable ? reactions(economy, faults, latency + jitter).map(byTheClock) : []),
      ...(isPrompt
        ? [
            ...noOrphans(
              'no processor begins or continues an attempt that has failed',
              (observed) => {
                if (isFailed(observed)) return { type: 'unwanted', work: attemptOf(observed) }
                const begun = isBegun(observed)
                if (begun) return { type: 'begins', work: begun }
                const done = isDone(observed)
                return done ? { type: 'ends', work: done } : undefined
              },
              { grace: latency + jitter, stops: true },
            ).map((one) => about([...EXECUTIONS, 'failed'], one)),
          ]
        : []),
      ...(isCalm
        ? [
            about(
              ['booked', 'accepted'],
              invariant('a job is accepted and gets an account when it arrives', ({ fact, who, at }) => {
                const isOpened = roleOf(who) === 'bank' && fact.type === 'booked' && fact['what'] === 'opened'
                const isAccepted = roleOf(who) === 'scheduler' && fact.type === 'accepted'
                if (!isOpened && !isAccepted) return undefined
                const name = isOpened ? `job ${fact['job']}` : jobOfRequest(fact['request'])
                const arrival = (known.get(Number(name?.slice('job '.length)))?.arrival ?? 0) + latency
                return at === arrival
                  ? undefined
                  : `${name}: ${isOpened ? 'an account' : 'accepted'} at ${instant(at)}, not ${instant(arrival)}`
              }),
            ),
            timely(latency, known),
          ]
        : []),
    ]),
  ]
}

type Jobs = ReadonlyMap<number, Economy['jobs'][number]>

/** Where the money of a user is after its income was received. */
const PLACES = ['savings', 'expenses', 'paid', 'forfeited'] as const satisfies readonly (keyof Totals)[]

/**
 * A transfer between the accounts of a user at each booking. The bank tells time by its clock, so that a jump back takes income away. A
 * bank that persists nothing begins with other money when it is restarted.
 */
function money({ users, durable }: Economy): readonly Property[] {
  const incomeOf = (user: string) => `income of ${user}`
  const begins = new Map(
    Object.entries(users).map(([user, { savings, cap }]) => [`savings of ${user}`, Math.min(savings, cap)]),
  )
  const accounts = { start: begins, unlimited: Object.keys(users).map(incomeOf), tolerance: HALF_A_CENT }
  const conserved = inEachRun(() => {
    const balances = new Map<string, number>(begins)
    function transferIn(observed: ObservedFact): Transfer | undefined {
      const { fact } = observed
      if (isBooked(observed) === undefined) return undefined
      const user = String(fact['user'])
      const told = [
        [incomeOf(user), -Number(fact['received'])] as const,
        ...PLACES.map((place) => [`${place} of ${user}`, Number(fact[place])] as const),
      ]
      const transfer = new Map(told.map(([account, now]) => [account, now - (balances.get(account) ?? 0)]))
      for (const [account, now] of told) balances.set(account, now)
      return transfer
    }
    return about(['booked'], conservation('no money is made or lost', transferIn, accounts))
  })
  const asked = [byTheClock(conserved)]
  return durable ? asked : until({ death: (who) => who === BANK }, asked)
}

/** A user acts on an end once. One whose records are lost may hear of it again, since it submits the job again. */
const hearsOnce = (remembers: boolean): Property =>
  about(
    ['heard'],
    safety('a user hears of an end once', () => {
      const heard = new Map<Address, Set<unknown>>()
      return {
        fold: ({ fact, who, at }) => {
          if (roleOf(who) !== 'user' || fact.type !== 'heard') return undefined
          const jobs = heard.get(who) ?? new Set()
          heard.set(who, jobs)
          if (jobs.has(fact['job'])) return `${who} hears of the end of job ${fact['job']} again at ${instant(at)}`
          jobs.add(fact['job'])
          return undefined
        },
        died: (who) => {
          if (!remembers) heard.delete(who)
        },
      }
    }),
  )

/** A refusal needs a reason: the job is wider than the rest of the machine, or its user has no account. */
const refusals = ({ processors, market, users }: Economy, known: Jobs): Property =>
  about(
    ['lost', 'found', 'refused'],
    safety('only a job that cannot start is refused', () => {
      const lost = new Set<unknown>()
      return {
        fold: ({ fact, who }) => {
          if (roleOf(who) !== 'scheduler') return undefined
          if (fact.type === 'lost') lost.add(fact['processor'])
          if (fact.type === 'found') lost.delete(fact['processor'])
          if (fact.type !== 'refused') return undefined
          const wanted = known.get(Number(fact['job']))?.processors ?? 0
          const isStranger = market !== null && !Object.hasOwn(users, String(fact['user']))
          if (wanted > processors - lost.size || isStranger) return undefined
          return `job ${fact['job']} needs ${wanted} of ${processors - lost.size} processors`
        },
      }
    }),
  )

/** Extra time comes in pieces of one length. Where there is a bank, each piece is paid first. */
const extensions = ({ overrun, market }: Economy, known: Jobs): Property =>
  about(
    ['started', 'booked', 'extended'],
    safety('extra time is sold piece by piece', () => {
      const ends = new Map<unknown, Time>()
      const paid = new Map<unknown, number>()
      return {
        fold: (observed) => {
          const { fact, at } = observed
          const { job } = fact
          if (isStart(observed)) ends.set(job, at + (known.get(Number(job))?.service ?? 0))
          if (isBooked(observed) && fact['what'] === 'extend') add(paid, job)
          if (!isExtended(observed)) return undefined
          const due = (ends.get(job) ?? 0) + (overrun?.lasts ?? 0)
          ends.set(job, due)
          if (market && (paid.get(job) ?? 0) === 0) return `job ${job} has not paid for its time until ${instant(due)}`
          if (market) add(paid, job, -1)
          return overrun && fact['end'] === due ? undefined : `job ${job} until ${fact['end']}, not ${due}`
        },
      }
    }),
  )

/**
 * A piece of extra time is booked when the paid time is over, and not while it lasts. A piece is paid before the scheduler hears of it
 * and extends the job. Paid pieces count for one attempt, since a failed one is refunded.
 */
const onlyWhenOver = ({ overrun }: Economy, known: Jobs): Property =>
  about(
    ['started', 'booked'],
    safety('extra time is booked only when the paid time is over', () => {
      const paidUntil = new Map<unknown, Time>()
      return {
        fold: (observed) => {
          const { fact, at } = observed
          const { job } = fact
          if (isStart(observed)) paidUntil.set(job, at + (known.get(Number(job))?.service ?? 0))
          if (!isBooked(observed) || fact['what'] !== 'extend') return undefined
          const end = paidUntil.get(job) ?? at
          paidUntil.set(job, end + (overrun?.lasts ?? 0))
          return at < end ? `job ${job} pays again at ${instant(at)}, and has paid until ${instant(end)}` : undefined
        },
      }
    }),
  )

/** A job that no fault touches ends when all its processors have told of it; its user hears of it after one delay. */
const timely = (delay: Time, known: Jobs): Property =>
  about(
    ['started', 'ended', 'refused', 'heard'],
    safety('a job ends when its work is done, and its user hears of it', () => {
      const begun = new Map<unknown, Time>()
      const over = new Map<unknown, Time>()
      return {
        fold: (observed) => {
          const { fact, at } = observed
          const { job } = fact
          if (isStart(observed)) begun.set(job, at)
          if (isEnd(observed)) over.set(job, at)
          if (isHeard(observed)) {
            const due = (over.get(job) ?? 0) + delay
            return at === due ? undefined : `job ${job} ended at ${instant(due - delay)}, heard at ${instant(at)}`
          }
          if (!isEnded(observed) || fact['why'] !== 'finished') return undefined
          const { service = 0, actual = service } = known.get(Number(job)) ?? {}
          const due = (begun.get(job) ?? 0) + actual + 2 * delay
          return at === due ? undefined : `job ${job} ended at ${instant(at)}, not ${instant(due)}`
        },
      }
    }),
  )
