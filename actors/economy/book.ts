/**
 * What the scheduler knows of its jobs and processors, as a fold of entries. The same entries are what it writes down, so
 * a later incarnation knows what an earlier one knew; only who is not done yet on which processor has to be asked for again.
 */
import { type Time, toUnits } from '../../lib/actor.ts'
import { type Ids, including, NO_IDS } from './ids.ts'
import type { Act, Ended, Instruction, Request } from './messages.ts'
import type { Reservation, Start } from './pass.ts'

/** A job, from its submission on. */
export type Job = Request & {
  /** The name of its user's machine. */
  readonly user: string
  readonly arrival: Time
  /** 1, and one more for each time that it failed. */
  readonly attempt: number
}

/** What it paid, in dollars. */
export type Paid = Start & {
  readonly paid: number
}

export interface Running extends Paid {
  readonly of: Job
  /** Which processors. */
  readonly on: readonly number[]
  readonly start: Time
  /** As declared, or as extended. */
  readonly end: Time
  /** Times that more time was asked for. */
  readonly extensions: number
}

export type Unfinished = { readonly why: 'overrun' } | { readonly why: 'refused'; readonly reason: string }

/** Chosen, and not yet paid for. */
export interface Charging {
  readonly n: number
  readonly starts: readonly Start[]
}

export interface Book {
  /** In order of arrival. */
  readonly ready: readonly Job[]
  readonly reservation: Reservation | null
  readonly charging: Charging | null
  readonly running: ReadonlyMap<number, Running>
  /** Processors that do not answer. */
  readonly down: readonly number[]
  /** Jobs that are over, of whatever end. */
  readonly over: Ids
  /** Why, of those that did not finish. */
  readonly unfinished: ReadonlyMap<number, Unfinished>
  /** What has been sold so far and not taken back, in dollars and processor-minutes. */
  readonly sold: { readonly money: number; readonly work: number }
  /** What the bank has not yet said to have carried out. */
  readonly unanswered: readonly Instruction[]
  /** Instructions so far. */
  readonly instructions: number
}

export const EMPTY_BOOK: Book = {
  ready: [],
  reservation: null,
  charging: null,
  running: new Map(),
  down: [],
  over: NO_IDS,
  unfinished: new Map(),
  sold: { money: 0, work: 0 },
  unanswered: [],
  instructions: 0,
}

export type Entry =
  | { readonly type: 'submitted'; readonly job: Job }
  | { readonly type: 'refused'; readonly job: number; readonly reason: string }
  | { readonly type: 'reserved'; readonly reservation: Reservation | null }
  /** They are to start once the bank has carried out the instruction that comes next. */
  | { readonly type: 'chosen'; readonly starts: readonly Start[] }
  | { readonly type: 'instructed'; readonly act: Act }
  /** The bank has answered. */
  | { readonly type: 'carried'; readonly n: number }
  | { readonly type: 'started'; readonly start: Paid; readonly on: readonly number[]; readonly at: Time }
  | { readonly type: 'extended'; readonly job: number; readonly end: Time }
  | { readonly type: 'ended'; readonly job: number; readonly why: Ended['why'] }
  /** Stopped without its fault, or never begun: it waits again. */
  | { readonly type: 'failed'; readonly job: number }
  | { readonly type: 'lost' | 'found'; readonly processor: number }

/** Processor-minutes, as declared. */
export const workOf = ({ processors, service }: Request): number => toUnits(processors * service)

const byArrival = (one: Job, other: Job): number => one.arrival - other.arrival || one.job - other.job

/** Into its place in the order of arrival, which as a rule is the last. */
function queued(ready: readonly Job[], job: Job): Job[] {
  const last = ready.at(-1)
  if (!last || byArrival(last, job) <= 0) return [...ready, job]
  const later = ready.findIndex((one) => byArrival(one, job) > 0)
  return ready.toSpliced(later, 0, job)
}

function without(ready: readonly Job[], job: number): readonly Job[] {
  const place = ready.findIndex((one) => one.job === job)
  return place === -1 ? ready : ready.toSpliced(place, 1)
}

function withRunning(book: Book, job: number, after: Running | null): Map<number, Running> {
  const running = new Map(book.running)
  if (after) running.set(job, after)
  else running.delete(job)
  return running
}

/** The book with one entry more. */
export function enter(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'submitted':
      return { ...book, ready: queued(book.ready, entry.job) }
    case 'refused':
      return {
        ...book,
        ready: without(book.ready, entry.job),
        over: including(book.over, entry.job),
        unfinished: new Map(book.unfinished).set(entry.job, { why: 'refused', reason: entry.reason }),
      }
    case 'reserved':
      return { ...book, reservation: entry.reservation }
    case 'chosen':
      return { ...book, charging: { n: book.instructions + 1, starts: entry.starts } }
    case 'instructed': {
      const n = book.instructions + 1
      return { ...book, instructions: n, unanswered: [...book.unanswered, { n, act: entry.act }] }
    }
    case 'carried':
      return {
        ...book,
        unanswered: book.unanswered.filter(({ n }) => n !== entry.n),
        charging: book.charging?.n === entry.n ? null : book.charging,
      }
    case 'started': {
      const { start, on, at } = entry
      const of = book.ready.find(({ job }) => job === start.job)
      if (!of) return book
      const running: Running = { ...start, of, on, start: at, end: at + of.service, extensions: 0 }
      const sold = { money: book.sold.money + start.paid, work: book.sold.work + workOf(of) }
      return { ...book, sold, ready: without(book.ready, of.job), running: withRunning(book, of.job, running) }
    }
    case 'extended': {
      const one = book.running.get(entry.job)
      if (!one) return book
      const longer = { ...one, end: entry.end, extensions: one.extensions + 1 }
      return { ...book, running: withRunning(book, entry.job, longer) }
    }
    case 'ended': {
      const { job, why } = entry
      const unfinished = why === 'finished' ? book.unfinished : new Map(book.unfinished).set(job, { why })
      return { ...book, unfinished, running: withRunning(book, job, null), over: including(book.over, job) }
    }
    case 'failed':
      return failed(book, entry.job)
    case 'lost':
      return { ...book, down: [...book.down, entry.processor] }
    case 'found':
      return { ...book, down: book.down.filter((one) => one !== entry.processor) }
  }
}

/** Its next attempt waits where it stood. One that was chosen and not begun still stands there. */
function failed(book: Book, job: number): Book {
  const running = book.running.get(job)
  const of = running?.of ?? book.ready.find((one) => one.job === job)
  if (!of) return book
  const again = { ...of, attempt: of.attempt + 1 }
  const { money, work } = book.sold
  const sold = running ? { money: money - running.paid, work: work - workOf(of) } : book.sold
  return { ...book, sold, running: withRunning(book, job, null), ready: queued(without(book.ready, job), again) }
}
