/**
 * The placer's book: its requests, its decisions and the answers about each job, as records. A later incarnation
 * rebuilds the same book from these records.
 */
import type { Child, Ref, Time } from '../../../lib/actor.ts'
import { amountsOf, type View, worth } from '../../processor/currencies.ts'
import type { Exited, ToScheduler } from '../../processor/jobs.ts'
import type { FromPlacer, Place } from './messages.ts'

export type Entry =
  | { readonly type: 'requested'; readonly request: Request }
  /** All processes of the job have processors, listed by rank. */
  | { readonly type: 'assigned'; readonly job: string; readonly processors: readonly Ref<ToScheduler>[] }
  /** A processor did not answer when it was given a process of this job: it gets none of them. */
  | { readonly type: 'passed'; readonly job: string; readonly processor: Ref<ToScheduler> }
  /** Missed: a processor does not answer whether it still has its process of this job. Found: it answers at last. */
  | { readonly type: 'missed' | 'found'; readonly job: string; readonly processor: Ref<ToScheduler> }
  /** A process has ended. Nobody knows how if there is no `exit`: its machine or the placer was dead then. */
  | { readonly type: 'ended'; readonly job: string; readonly processor: Ref<ToScheduler>; readonly exit?: Exited }
  | { readonly type: 'refused'; readonly job: string; readonly reason: string }

export type Request = Place & { readonly from: Ref<FromPlacer> }

/** One job, from its request on. A job is never forgotten, so none is placed twice. */
export interface Placement {
  readonly request: Request
  /** How long a processor has to confirm a process. */
  readonly timeout: Time
  /** The processors by rank; null where one must still be found. */
  readonly processors: readonly (Ref<ToScheduler> | null)[]
  readonly passed: readonly Ref<ToScheduler>[]
  /** The processors that do not answer whether they still have their processes. */
  readonly missed: readonly Ref<ToScheduler>[]
  readonly ended: readonly Ended[]
  readonly refusal: string | null
  /** The processes that have not been confirmed. A new incarnation asks again. */
  readonly doubts: readonly Doubt[]
}

/** A process that has ended, and its exit if it is known. */
interface Ended {
  readonly processor: Ref<ToScheduler>
  readonly exit: Exited | null
}

interface Doubt {
  readonly processor: Ref<ToScheduler>
  /** Whether the process was confirmed before. */
  readonly wasThere: boolean
  readonly refusal: string | null
}

export type Book = ReadonlyMap<string, Child<Placement>>

/** The most jobs that one placer accepts. */
export const MAX_JOBS = 10_000

export const sizeOf = ({ program }: Pick<Place, 'program'>): number => (program.kind === 'parallel' ? program.size : 1)

export const requested = (request: Request, timeout: Time): Placement => ({
  request,
  timeout,
  processors: Array.from({ length: sizeOf(request) }, () => null),
  passed: [],
  missed: [],
  ended: [],
  refusal: null,
  doubts: [],
})

/** The placement after an entry about its job. */
export function changed(placement: Placement, entry: Entry): Placement {
  const { processors, passed, missed, ended } = placement
  const others = missed.filter((one) => !('processor' in entry) || one !== entry.processor)
  switch (entry.type) {
    case 'requested':
      return placement
    case 'assigned':
      return { ...placement, processors: entry.processors }
    case 'passed':
      return {
        ...placement,
        processors: processors.map((processor) => (processor === entry.processor ? null : processor)),
        passed: [...passed, entry.processor],
      }
    case 'missed':
      return { ...placement, missed: [...others, entry.processor] }
    case 'found':
      return { ...placement, missed: others }
    case 'ended':
      return {
        ...placement,
        missed: others,
        ended: [...ended, { processor: entry.processor, exit: entry.exit ?? null }],
      }
    case 'refused':
      return { ...placement, refusal: entry.reason }
  }
}

/** The processors that are believed to have a process of the job. */
export const runningOn = ({ processors, missed, ended, refusal }: Placement): Ref<ToScheduler>[] =>
  refusal === null
    ? processors.flatMap((one) =>
        one !== null && !ended.some(({ processor }) => processor === one) && !missed.includes(one) ? [one] : [],
      )
    : []

/** Whether a processor has, may have or was to have a process of the job. */
export const concerns = (placement: Placement, processor: Ref<ToScheduler>): boolean =>
  [...runningOn(placement), ...placement.missed, ...placement.passed].includes(processor)

/** The number of processes of the job that have no processor yet. */
export const lacks = ({ processors, refusal }: Placement): number =>
  refusal === null ? processors.filter((processor) => processor === null).length : 0

export interface Held {
  readonly tickets: number
  readonly jobs: number
}

/** The base tickets and jobs on each processor, according to the book. */
export function heldBy(book: Book, funding: View['funding']): ReadonlyMap<Ref<ToScheduler>, Held> {
  const processes = [...book.values()].flatMap(({ context: placement }) => {
    const { currency, amount } = placement.request
    return runningOn(placement).map((processor) => ({ processor, currency, amount }))
  })
  const issued = amountsOf(processes)
  const view: View = { funding, issued: {}, backing: [] }
  const held = new Map<Ref<ToScheduler>, Held>()
  for (const { processor, ...ticket } of processes) {
    const { tickets, jobs } = held.get(processor) ?? { tickets: 0, jobs: 0 }
    held.set(processor, { tickets: tickets + worth(view, issued, ticket), jobs: jobs + 1 })
  }
  return held
}
