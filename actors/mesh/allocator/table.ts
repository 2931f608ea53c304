/**
 * The allocator of BUDDY and EQUI-EPOCH (section 7). It keeps a table of the processors and times of each job in a period.
 * At each boundary the jobs whose time is over make room, and then the jobs whose time has come begin.
 */
import {
  type Address,
  actor,
  type Decision,
  type Delivery,
  now,
  type Time,
  type Turn,
  turn,
} from '../../../lib/actor.ts'
import { type Arrive, type Attempt, type Depart, isSame, type ToAllocator } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'
import { type Slot, sizeOf, slotsOf, type Table } from '../timetable.ts'
import { COLLECT, giveOrders, isAnswered, NO_ROUND, type Ordering, vacate, without } from './round.ts'

const { createMachine, handlers, observe, onEntry, timer } = actor<{
  input: TableInput
  context: TableBook
  event: TableEvent
  fact: TableFact
}>()

type It = Turn<TableBook>

const onArrive = turn((it: It, { job, attempt, minimum }: Arrive, { from: leader }: Delivery) => {
  if (minimum > sizeOf(it.context)) return vacate(it, leader, true)
  it.context.jobs = [...it.context.jobs, { leader, of: { job, attempt }, minimum }]
})

/** Releases a job. It need not answer any more, and its time stays unused until the next period. */
const onDepart = turn((it: It, _: Depart, { from }: Delivery) => {
  const { jobs, running, round } = it.context
  it.context.jobs = jobs.filter(({ leader }) => leader !== from)
  it.context.running = new Map([...running].filter(([job]) => job !== from))
  it.context.round = without(round, from)
  vacate(it, from, false)
})

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
  /** The time of the period for which jobs were told to stop and to begin last. */
  readonly passed: Time
  readonly running: ReadonlyMap<Address, Rectangle>
}

type Admitted = { readonly leader: Address; readonly of: Attempt; readonly minimum: number }

type Granted = Pick<Slot, 'partition' | 'from' | 'to'> & { readonly of: Admitted }

/** A fact for listeners: the table of a period that begins. */
export type TableFact = {
  readonly type: 'tabled'
  readonly slots: readonly (Pick<Slot, 'partition' | 'from' | 'to'> & { readonly job: Address })[]
}

type TableEvent = ToAllocator | { type: 'boundary' }

const opened = (input: TableInput): TableBook => ({
  ...input,
  jobs: [],
  slots: [],
  since: 0,
  passed: 0,
  running: new Map(),
  change: 0,
  round: NO_ROUND,
  // the allocator waits for every job
  patience: null,
})

/** The jobs whose time it is, if they are still here. A leader may have returned with another job. */
function wanted({ slots, passed, jobs }: TableBook): ReadonlyMap<Address, Granted> {
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

/** Waits until the time of some job ends or begins, or the period ends. This may have happened while jobs answered. */
function awaitNext({ since, passed, slots, period }: TableBook): Decision<TableBook> {
  const next = Math.min(period, ...slots.flatMap(({ from, to }) => [from, to]).filter((at) => at > passed))
  return [{}, boundary(Math.max(0, since + next - now()))]
}

/** Makes the table of a new period. Jobs that come or go during a period change only the next table. */
function tabulate({ period, since, slots, jobs, ...table }: TableBook): Decision<TableBook> {
  const isFirst = slots.length === 0
  if (!isFirst && now() < since + period) return [{ passed: now() - since }]
  const minima = jobs.map(({ minimum }) => minimum)
  const granted = slotsOf({ ...table, period }, minima).flatMap(({ job, ...slot }): Granted[] => {
    const of = jobs[job]
    return of ? [{ ...slot, of }] : []
  })
  const begun = isFirst ? now() : since + period
  return [
    { slots: granted, since: begun, passed: now() - begun },
    observe({
      type: 'tabled',
      slots: granted.map(({ of, partition, from, to }) => ({ job: of.leader, partition, from, to })),
    }),
  ]
}

/** Stops the jobs whose time is over. Jobs that continue in place are not told anything. */
const stop = turn((it: It) => {
  const { running } = it.context
  const next = wanted(it.context)
  const staying = new Map(
    [...running].filter(([job, own]) => {
      const slot = next.get(job)
      return slot !== undefined && areEqual(slot.partition, own)
    }),
  )
  it.context.running = staying
  const over = [...running].filter(([job]) => !staying.has(job))
  giveOrders(it, over, (_, change) => ({ type: 'stop', change }))
})

const place = turn((it: It) => {
  const { running } = it.context
  const coming = [...wanted(it.context)].filter(([job]) => !running.has(job))
  it.context.running = new Map([...running, ...coming.map(([job, { partition }]) => [job, partition] as const)])
  giveOrders(it, coming, ({ partition, of: { of } }, change) => {
    const { job, attempt } = of
    return { type: 'remap', change, partition, job, attempt }
  })
})

/** Lets the new jobs begin: the previous ones compute no more. */
const resume = turn((it: It) => {
  const { orders, answers } = it.context.round
  const placed = [...orders].filter(([job]) => answers.has(job))
  giveOrders(it, placed, (_, change) => ({ type: 'resume', change }))
})

const until = (target: string) => ({ on: handlers(COLLECT), always: { guard: isAnswered, target } })

export default createMachine({
  context: ({ input }) => opened(input),
  initial: 'empty',
  on: handlers({ arrive: onArrive, depart: onDepart }),
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
