/**
 * The allocator of BUDDY and EQUI-EPOCH (section 7). It keeps a table of the processors and times of each job in a period.
 * At each boundary the jobs whose time is over make room, and then the jobs whose time has come begin.
 */
import { type Address, actor, type Decision, type Mail, now, observe, type Time, timer } from '../../../lib/actor.ts'
import { type Arrive, type Attempt, type Depart, isSame, type ToAllocator } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'
import { type Slot, sizeOf, slotsOf, type Table } from '../timetable.ts'
import { NO_ROUND, type Ordering, onAnswer, ordered, untilAnswered, vacating, without } from './round.ts'

const { createMachine, rule, onEntry } = actor<{ input: TableInput; context: TableBook; event: TableEvent }>()

function onArrive(book: TableBook, { from: leader, job, attempt, minimum }: Mail<Arrive>): Decision<TableBook> {
  if (minimum > sizeOf(book)) return vacating(book, leader, true)
  return [{ jobs: [...book.jobs, { leader, of: { job, attempt }, minimum }] }]
}

/** Releases a job. It need not answer any more, and its time stays unused until the next period. */
function onDepart(book: TableBook, { from }: Mail<Depart>): Decision<TableBook> {
  const [changes, ...effects] = vacating(book, from, false)
  const left = {
    jobs: book.jobs.filter(({ leader }) => leader !== from),
    running: new Map([...book.running].filter(([job]) => job !== from)),
    round: without(book.round, from),
  }
  return [{ ...changes, ...left }, ...effects]
}

type Asked = { readonly context: TableBook }
const hasJobs = ({ context }: Asked) => context.jobs.length > 0
const hasSlots = ({ context }: Asked) => context.slots.length > 0

// --- state: the table of this period ----------------------------------------------------------------------------------

export type TableInput = Table

interface TableBook extends TableInput, Ordering {
  /** Jobs in the order of arrival. */
  readonly jobs: readonly Admitted[]
  /** The table of the period that began at `since`. */
  readonly slots: readonly Granted[]
  readonly since: Time
  readonly running: ReadonlyMap<Address, Rectangle>
  /** The allocator waits for every job. */
  readonly patience: null
}

type Admitted = { readonly leader: Address; readonly of: Attempt; readonly minimum: number }

type Granted = Pick<Slot, 'partition' | 'from' | 'to'> & { readonly of: Admitted }

/** A fact for listeners: the table of a period that begins. */
export type TableFact = {
  readonly type: 'tabled'
  readonly slots: readonly (Pick<Slot, 'partition' | 'from' | 'to'> & { readonly job: Address })[]
}

type TableEvent = Mail<ToAllocator> | { type: 'boundary' }

const opened = (input: TableInput): TableBook => ({
  ...input,
  jobs: [],
  slots: [],
  since: 0,
  running: new Map(),
  change: 0,
  round: NO_ROUND,
  patience: null,
})

/** The jobs whose time it is, if they are still here. A leader may have returned with another job. */
function wanted({ slots, since, jobs }: TableBook): ReadonlyMap<Address, Granted> {
  const passed = now() - since
  const due = slots.filter(
    ({ of, from, to }) =>
      from <= passed && passed < to && jobs.some((one) => one.leader === of.leader && isSame(one.of, of.of)),
  )
  return new Map(due.map((slot) => [slot.of.leader, slot]))
}

// --- turns ------------------------------------------------------------------------------------------------------------

const boundary = (delay: Time) => timer('boundary', delay, { type: 'boundary' })

/** Waits for the first boundary. Jobs that arrive at the same instant are all in the first period. */
const awaitFirst = (): Decision<TableBook> => [{}, boundary(0)]

/** Waits until the time of some job ends or begins, or the period ends. */
function awaitNext({ since, slots, period }: TableBook): Decision<TableBook> {
  const passed = now() - since
  const next = Math.min(period, ...slots.flatMap(({ from, to }) => [from, to]).filter((at) => at > passed))
  return [{}, boundary(Math.max(0, next - passed))]
}

/** Makes the table of a new period. Jobs that come or go during a period change only the next table. */
function tabulate({ period, since, slots, jobs, ...table }: TableBook): Decision<TableBook> {
  const isFirst = slots.length === 0
  if (!isFirst && now() < since + period) return [{}]
  const minima = jobs.map(({ minimum }) => minimum)
  const granted = slotsOf({ ...table, period }, minima).flatMap(({ job, ...slot }): Granted[] => {
    const of = jobs[job]
    return of ? [{ ...slot, of }] : []
  })
  return [
    { slots: granted, since: isFirst ? now() : since + period },
    observe({
      type: 'tabled',
      slots: granted.map(({ of, partition, from, to }) => ({ job: of.leader, partition, from, to })),
    } satisfies TableFact),
  ]
}

/** Stops the jobs whose time is over. Jobs that continue in place are not told anything. */
function stop(book: TableBook): Decision<TableBook> {
  const next = wanted(book)
  const staying = new Map(
    [...book.running].filter(([job, own]) => {
      const slot = next.get(job)
      return slot !== undefined && areEqual(slot.partition, own)
    }),
  )
  const over = [...book.running.keys()].filter((job) => !staying.has(job))
  const [changes, ...effects] = ordered(book, (change) => over.map((job) => [job, { type: 'stop', change }]))
  return [{ ...changes, running: staying }, ...effects]
}

function place(book: TableBook): Decision<TableBook> {
  const { running } = book
  const coming = [...wanted(book)].filter(([job]) => !running.has(job))
  const [changes, ...effects] = ordered(book, (change) =>
    coming.map(([job, { partition, of }]) => [job, { type: 'remap', change, partition, ...of.of }]),
  )
  const placed = coming.map(([job, { partition }]) => [job, partition] as const)
  return [{ ...changes, running: new Map([...running, ...placed]) }, ...effects]
}

/** Lets the new jobs begin: the previous ones compute no more. */
const resume = (book: TableBook): Decision<TableBook> =>
  ordered(book, (change) => [...book.round.orders.keys()].map((job) => [job, { type: 'resume', change }]))

const collect = {
  frozen: rule('frozen', onAnswer),
  done: rule('done', onAnswer),
  'swapped-out': rule('swapped-out', onAnswer),
}
const until = (target: string) => untilAnswered(collect, target)

export default createMachine({
  context: ({ input }) => opened(input),
  initial: 'empty',
  on: { arrive: { actions: rule('arrive', onArrive) }, depart: { actions: rule('depart', onDepart) } },
  states: {
    empty: { always: { guard: hasJobs, target: 'opening' } },
    opening: { entry: onEntry(awaitFirst), on: { boundary: 'tabulating' } },
    tabulating: { entry: onEntry(tabulate), always: [{ guard: hasSlots, target: 'stopping' }, { target: 'empty' }] },
    stopping: { entry: onEntry(stop), ...until('placing') },
    placing: { entry: onEntry(place), ...until('resuming') },
    resuming: { entry: onEntry(resume), ...until('waiting') },
    waiting: { entry: onEntry(awaitNext), on: { boundary: 'tabulating' } },
  },
})
