/**
 * The scheduler's book: what it knows of jobs and processors, as a fold of entries. The scheduler persists the same entries,
 * so a later incarnation knows what an earlier one knew. It only has to ask again which processors are done.
 *
 * Jobs have no child charts here. A pass needs them in tables, waiting jobs in order of arrival and running jobs with their
 * processors, and the table of a job is its state. What the scheduler and the bank say to each other concerns all jobs of a
 * pass, and is in the statechart of the scheduler.
 */
import { eventSourced, type Time, toUnits } from '../../lib/actor.ts'
import { type Ids, including, NO_IDS } from '../ids.ts'
import type { Act, Ended, Instruction, Refused, Request } from './messages.ts'
import type { Choice, Start } from './pass.ts'

/** A submitted job. */
export type Job = Request & {
  /** The name of its user's machine. */
  readonly user: string
  readonly arrival: Time
  /** The number of the attempt, from 1: one more after each failure. */
  readonly attempt: number
}

/** A start, and the dollars paid for it. */
export type Paid = Start & {
  readonly paid: number
}

export interface Running extends Paid {
  readonly of: Job
  /** The processors that run it. */
  readonly on: readonly number[]
  /** The declared or extended end. */
  readonly end: Time
}

/** The jobs that were chosen and are not charged yet; `n` is the number of the instruction that charges them. */
export interface Charging {
  readonly n: number
  readonly starts: readonly Start[]
}

export interface Book {
  /** The waiting jobs, in order of arrival. */
  readonly ready: readonly Job[]
  /** The job that has the reservation, and the terms on which it was chosen. */
  readonly reservation: Choice | null
  readonly charging: Charging | null
  readonly running: ReadonlyMap<number, Running>
  /** The processors that are lost. */
  readonly down: readonly number[]
  /** Jobs that finished, were stopped or were refused. */
  readonly over: Ids
  /** What the users were told about jobs that are over without having finished. */
  readonly unfinished: ReadonlyMap<number, Ended | Refused>
  /** The processor time sold and not refunded: its price in dollars, and the work in processor-minutes. */
  readonly sold: { readonly money: number; readonly work: number }
  /** Instructions that the bank has not answered. */
  readonly unanswered: readonly Instruction[]
  /** The number of instructions so far. */
  readonly instructions: number
}

const EMPTY: Book = {
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
  | Refused
  | { readonly type: 'reserved'; readonly reservation: Choice | null }
  /** These jobs start once the bank has carried out the next instruction. */
  | { readonly type: 'chosen'; readonly starts: readonly Start[] }
  | { readonly type: 'instructed'; readonly act: Act }
  /** The bank has answered the instruction. */
  | { readonly type: 'carried'; readonly n: number }
  | { readonly type: 'started'; readonly start: Paid; readonly on: readonly number[]; readonly at: Time }
  | { readonly type: 'extended'; readonly job: number; readonly end: Time }
  | Ended
  /** The attempt lost a processor or never began: the job waits again. */
  | { readonly type: 'failed'; readonly job: number }
  | { readonly type: 'lost' | 'found'; readonly processor: number }

/** The declared work of a job, in processor-minutes. */
export const workOf = ({ processors, service }: Request): number => toUnits(processors * service)

const byArrival = (one: Job, other: Job): number => one.arrival - other.arrival || one.job - other.job

/** Inserts a job in order of arrival, which is mostly the last place. */
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

function apply(book: Book, entry: Entry): Book {
  switch (entry.type) {
    case 'submitted':
      return { ...book, ready: queued(book.ready, entry.job) }
    case 'refused':
      return {
        ...book,
        ready: without(book.ready, entry.job),
        over: including(book.over, entry.job),
        unfinished: new Map(book.unfinished).set(entry.job, entry),
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
      const running: Running = { ...start, of, on, end: at + of.service }
      const sold = { money: book.sold.money + start.paid, work: book.sold.work + workOf(of) }
      return { ...book, sold, ready: without(book.ready, of.job), running: withRunning(book, of.job, running) }
    }
    case 'extended': {
      const one = book.running.get(entry.job)
      if (!one) return book
      return { ...book, running: withRunning(book, entry.job, { ...one, end: entry.end }) }
    }
    case 'ended': {
      const { job, why } = entry
      const unfinished = why === 'finished' ? book.unfinished : new Map(book.unfinished).set(job, entry)
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

/** Queues the next attempt of a job at its old place. A job that was chosen and has not begun is still in the queue. */
function failed(book: Book, job: number): Book {
  const running = book.running.get(job)
  const of = running?.of ?? book.ready.find((one) => one.job === job)
  if (!of) return book
  const again = { ...of, attempt: of.attempt + 1 }
  const { money, work } = book.sold
  const sold = running ? { money: money - running.paid, work: work - workOf(of) } : book.sold
  return { ...book, sold, running: withRunning(book, job, null), ready: queued(without(book.ready, job), again) }
}

export const books = eventSourced<Book, Entry>({ empty: EMPTY, apply })
