/**
 * The allocator of BUDDY and EQUI-EPOCH (section 7): keeps a table of who has which processors when, the same in every period.
 * At each boundary those whose time is over make room, and then those whose time it is begin. To who goes on where it is
 * nothing is said. Who comes or goes changes the table of the next period.
 */
import {
  type Address,
  actor,
  type Decision,
  type Effect,
  type Mail,
  now,
  observe,
  type Time,
  tell,
  timer,
} from '../../../lib/actor.ts'
import type { Answer, Attempt, Order, ToAllocator } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'
import { type Slot, sizeOf, slotsOf, type Table } from '../timetable.ts'
import { isSame } from './requests.ts'
import { answered, isAnswered, isOfRound, NO_ROUND, opened, type Round, said } from './round.ts'

export type TableInput = Table

interface Context extends TableInput {
  /** In the order of arrival. */
  readonly jobs: readonly Admitted[]
  /** Of the period that began at `since`. */
  readonly slots: readonly Granted[]
  readonly since: Time
  readonly running: ReadonlyMap<Address, Rectangle>
  readonly change: number
  readonly round: Round
}

type Admitted = { readonly leader: Address; readonly of: Attempt; readonly minimum: number }

type Granted = Pick<Slot, 'partition' | 'from' | 'to'> & { readonly of: Admitted }

/** For whoever folds a run: the table of a period that begins. */
export type TableFact = {
  readonly type: 'tabled'
  readonly slots: readonly (Pick<Slot, 'partition' | 'from' | 'to'> & { readonly job: Address })[]
}

type Event = Mail<ToAllocator> | { type: 'boundary' }

const { createMachine, rule, onEntry } = actor<{ input: TableInput; context: Context; event: Event }>()

/** To who is not to be let in, or is done. */
const vacated = ({ change }: Context, job: Address, isFailed: boolean) =>
  [{ change: change + 1 }, tell(job, { type: 'vacate', change: change + 1, isFailed })] as const

const onArrive = rule('arrive', (context, { from: leader, job, attempt, minimum }) => {
  const { jobs } = context
  if (minimum > sizeOf(context)) return vacated(context, leader, true)
  return [{ jobs: [...jobs, { leader, of: { job, attempt }, minimum }] }]
})

/** Who is gone need not answer, and leaves its time to nobody. */
const onDepart = rule('depart', (context, { from }) => {
  const { jobs, running, round } = context
  const [changes, ...effects] = vacated(context, from, false)
  const left = {
    jobs: jobs.filter(({ leader }) => leader !== from),
    running: new Map([...running].filter(([job]) => job !== from)),
    round: {
      ...round,
      orders: new Map([...round.orders].filter(([job]) => job !== from)),
      answers: new Map([...round.answers].filter(([job]) => job !== from)),
    },
  }
  return [{ ...changes, ...left }, ...effects]
})

/** Those who come at the same instant are in the first period. */
const awaitFirst = onEntry(() => [{}, timer('boundary', 0, { type: 'boundary' })])

/** Until somebody's time is over or begins, or the period is over. */
const awaitNext = onEntry(({ since, slots, period }) => {
  const passed = now() - since
  const next = Math.min(period, ...slots.flatMap(({ from, to }) => [from, to]).filter((at) => at > passed))
  return [{}, timer('boundary', Math.max(0, next - passed), { type: 'boundary' })]
})

const begin = ({ period, since, slots, jobs, ...context }: Context): Decision<Context> => {
  const isFirst = slots.length === 0
  if (!isFirst && now() < since + period) return [{}]
  const minima = jobs.map(({ minimum }) => minimum)
  const granted = slotsOf({ ...context, period }, minima).flatMap(({ job, ...slot }): Granted[] => {
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

const tabulate = onEntry(begin)

/** Of those who are still there; a leader may have come again with another job. */
function wanted({ slots, since, jobs }: Context): ReadonlyMap<Address, Granted> {
  const passed = now() - since
  const due = slots.filter(
    ({ of, from, to }) =>
      from <= passed && passed < to && jobs.some((one) => one.leader === of.leader && isSame(one.of, of.of)),
  )
  return new Map(due.map((slot) => [slot.of.leader, slot]))
}

const ordering = (
  context: Context,
  jobs: Iterable<Address>,
  orderOf: (job: Address, change: number) => Order | null,
): readonly [Pick<Context, 'change' | 'round'>, ...Effect[]] => {
  const change = context.change + 1
  const orders = [...jobs].flatMap((job) => {
    const order = orderOf(job, change)
    return order ? [[job, order] as const] : []
  })
  const [round, ...tells] = said(opened(change, orders), null)
  return [{ change, round }, ...tells]
}

const stop = onEntry((context) => {
  const next = wanted(context)
  const staying = new Map(
    [...context.running].filter(([job, own]) => {
      const slot = next.get(job)
      return slot !== undefined && areEqual(slot.partition, own)
    }),
  )
  const over = [...context.running.keys()].filter((job) => !staying.has(job))
  const [changes, ...effects] = ordering(context, over, (_, change) => ({ type: 'stop', change }))
  return [{ ...changes, running: staying }, ...effects]
})

const place = onEntry((context) => {
  const { running } = context
  const coming = new Map([...wanted(context)].filter(([job]) => !running.has(job)))
  const [changes, ...effects] = ordering(context, coming.keys(), (job, change) => {
    const slot = coming.get(job)
    return slot ? { type: 'remap', change, partition: slot.partition, ...slot.of.of } : null
  })
  const placed = [...coming].map(([job, { partition }]) => [job, partition] as const)
  return [{ ...changes, running: new Map([...running, ...placed]) }, ...effects]
})

/** Who was there before computes no more: they may begin. */
const resume = onEntry((context) =>
  ordering(context, context.round.orders.keys(), (_, change) => ({ type: 'resume', change })),
)

const onAnswer = (context: Context, answer: Mail<Answer>) => [{ round: answered(context.round, answer) }] as const

const isComplete = ({ context }: { context: Context }) => isAnswered(context.round)
const isCurrent = ({ context, event }: { context: Context; event: Mail<Answer> }) => isOfRound(context.round, event)
const hasJobs = ({ context }: { context: Context }) => context.jobs.length > 0
const hasSlots = ({ context }: { context: Context }) => context.slots.length > 0
/** Until all have answered. */
const until = (target: string) => ({
  on: {
    done: { guard: isCurrent, actions: rule('done', onAnswer) },
    'swapped-out': { guard: isCurrent, actions: rule('swapped-out', onAnswer) },
  },
  always: { guard: isComplete, target },
})

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ jobs: [], slots: [], since: 0, running: new Map(), change: 0, round: NO_ROUND },
  }),
  initial: 'empty',
  on: { arrive: { actions: onArrive }, depart: { actions: onDepart } },
  states: {
    empty: { always: { guard: hasJobs, target: 'opening' } },
    opening: { entry: awaitFirst, on: { boundary: 'tabulating' } },
    tabulating: { entry: tabulate, always: [{ guard: hasSlots, target: 'stopping' }, { target: 'empty' }] },
    stopping: { entry: stop, ...until('placing') },
    placing: { entry: place, ...until('resuming') },
    resuming: { entry: resume, ...until('waiting') },
    waiting: { entry: awaitNext, on: { boundary: 'tabulating' } },
  },
})
