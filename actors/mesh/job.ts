/**
 * The leader of a job, and when that is over of another one: asks the allocator to be let in, has its threads brought to the
 * processors that it gets, computes while no thread moves, and leaves when its work is done. All its threads go at the same
 * pace, step by step. On a mesh dealt out by EQUI it moves when the allocator says where to; in a ring it exchanges cells
 * with its neighbours.
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Mail,
  now,
  observe,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import { partitionOf } from './fold/exchange.ts'
import {
  arrived,
  cellsToCome,
  heard,
  isFinished,
  joining,
  type Membership,
  noting,
  ownSize,
  shifting,
  splitting,
  ticking,
} from './membership.ts'
import type { Begin, Cells, Change, ToJob } from './messages.ts'
import { type Model, movingTime } from './model.ts'
import { type MappingName, paceIn } from './pace.ts'
import { paced, timeLeft, type Work } from './progress.ts'
import type { Rectangle } from './rectangle.ts'

export type JobInput = {
  readonly allocator: Address
  readonly model: Model
  readonly mapping: MappingName
}

interface Context extends JobInput {
  /** Null: there is none. */
  readonly of: (Begin & { readonly user: Address }) | null
  readonly progress: Work
  /** Null: it has none, or has given it up. */
  readonly partition: Rectangle | null
  /** Null: it is in no ring. */
  readonly ring: Membership | null
  /** The last order of the allocator that it has begun to obey. */
  readonly change: number
  readonly isLeaving: boolean
  /** It has no threads any more. */
  readonly hasDeparted: boolean
}

/** For whoever folds a run. */
export type JobFact =
  | { readonly type: 'began'; readonly job: number }
  /** `partition` is its own, from now on, and it stands still until its threads are there. */
  | { readonly type: 'moved'; readonly partition: Rectangle; readonly took: Time }
  /** In a ring: its own cells from now on. */
  | { readonly type: 'owns'; readonly cells: Cells }
  | { readonly type: 'resumed'; readonly pace: number }
  | { readonly type: 'stopped' }
  | { readonly type: 'ended'; readonly job: number; readonly left: number }

type Event = Mail<ToJob> | { type: 'moved' } | { type: 'completed' }

const { createMachine, rule, onEntry } = actor<{ input: JobInput; context: Context; event: Event }>()
type Of<T extends Event['type']> = Extract<Event, { type: T }>
type Args<T extends Event['type']> = { readonly context: Context; readonly event: Of<T> }
type Asked = { readonly context: Context }

const compute = onEntry(({ partition, progress, of, model, mapping }) => {
  const going = paced(progress, now(), partition ? paceIn(model, mapping, partition) : 0)
  const left = of?.work == null ? null : timeLeft(going)
  const end = left === null ? [] : [timer('end', left, { type: 'completed' }, 'completion')]
  return [{ progress: going }, ...end, observe({ type: 'resumed', pace: going.pace })]
})

const standStill = onEntry(({ progress }) => [{ progress: paced(progress, now(), 0) }, cancel('end')])

/** Lets itself be let in. */
const begin = rule('begin', ({ allocator }, { from, ...of }) => [
  {
    of: { ...of, user: from },
    progress: { left: of.work ?? 0, pace: 0, since: now() },
    isLeaving: false,
    hasDeparted: false,
  },
  observe({ type: 'began', job: of.job }),
  tell(allocator, { type: 'arrive', minimum: of.minimum }),
])

/** It computes no more, and needs nothing. */
const depart = onEntry(({ of, allocator, progress }) => [
  { hasDeparted: true },
  ...(of ? [observe({ type: 'ended', job: of.job, left: progress.left }), tell(allocator, { type: 'depart' })] : []),
])

/** Free for another job. */
const free = onEntry(({ of }) => [
  { of: null, partition: null, ring: null },
  ...(of ? [tell(of.user, { type: 'over', job: of.job })] : []),
])

const setOut = ({ model, partition: from }: Context, to: Rectangle) => {
  const took = movingTime(model, from, to)
  return [observe({ type: 'moved', partition: to, took }), timer('moved', took, { type: 'moved' })]
}

/** Its threads go where the allocator says. */
const move = rule('remap', (context, { change, partition }) => [{ change, partition }, ...setOut(context, partition)])

const answerDone = rule('moved', ({ allocator, change }) => [{}, tell(allocator, { type: 'done', change, cells: [] })])

const answerFrozen = rule('freeze', ({ allocator }, { change }) => [
  { change },
  tell(allocator, { type: 'frozen', change }),
])

const swapOut = rule('stop', ({ allocator }, { change }) => [
  { change, partition: null, ring: null },
  observe({ type: 'stopped' }),
  tell(allocator, { type: 'swapped-out', change }),
])

/** What the allocator has ordered since is not undone by what it ordered before. */
const isNew = ({ context, event }: Args<'remap' | 'freeze' | 'stop'>) => event.change >= context.change
const isCurrent = ({ context, event }: Args<'resume'>) => event.change === context.change

const remap = { guard: isNew, target: 'moving', actions: move }
const freeze = { guard: isNew, target: 'still', actions: answerFrozen }
const stop = { guard: isNew, target: 'waiting', actions: swapOut }

const obeyed = (ring: Membership | null, { change }: Change): Decision<Context> => [{ ring, change }]

const isOrder = ({ context, event }: { readonly context: Context; readonly event: { readonly change: number } }) =>
  context.ring !== null && event.change > context.change

/** To both neighbours: how much it has. */
const tellSize = rule('tick', ({ ring }, { change }) => {
  if (!ring) return [{}]
  const size = { type: 'size', change, size: ownSize(ring) } as const
  return [{}, tell(ring.prev, size), tell(ring.next, size)]
})

const inRing = {
  link: {
    guard: isOrder,
    actions: rule('link', ({ ring }, order) => {
      const { change, prev, next, cells } = order
      return obeyed(ring && noting(ring, change, { prev, next, cells }), order)
    }),
  },
  split: { guard: isOrder, actions: rule('split', ({ ring }, order) => obeyed(ring && splitting(ring, order), order)) },
  tick: {
    guard: isOrder,
    actions: [tellSize, rule('tick', ({ ring }, order) => obeyed(ring && ticking(ring, order), order))],
  },
  shift: { guard: isOrder, actions: rule('shift', ({ ring }, order) => obeyed(ring && shifting(ring, order), order)) },
  vacate: {
    guard: isOrder,
    actions: rule('vacate', ({ ring }, order) => obeyed(ring && noting(ring, order.change, { isFree: true }), order)),
  },
  release: {
    guard: isOrder,
    actions: rule('release', ({ ring }, order) => [
      ...obeyed(ring && noting(ring, order.change, { isFree: true, cells: [] }), order),
      observe({ type: 'owns', cells: [] }),
    ]),
  },
  size: {
    actions: rule('size', ({ ring }, { from, change, size }) => [{ ring: ring && heard(ring, change, from, size) }]),
  },
  cell: {
    actions: rule('cell', ({ ring }, { from, change, cell }) => [{ ring: ring && heard(ring, change, from, cell) }]),
  },
}

const start = rule('start', (_, order) => [
  { ring: joining(order), change: order.change, partition: partitionOf(order.cells) },
  observe({ type: 'moved', partition: partitionOf(order.cells), took: 0 }),
  observe({ type: 'owns', cells: order.cells }),
])

/** Its threads set out for other cells; what is free has none. */
const setOutInRing = onEntry((context) => {
  const cells = context.ring && cellsToCome(context.ring)
  if (!cells) return [{}]
  const [first] = cells
  if (!first || context.hasDeparted) return [{}, timer('moved', 0, { type: 'moved' })]
  return [{}, ...setOut(context, partitionOf(cells))]
})

const arrive = rule('moved', ({ ring: before }) => {
  if (!before) return [{}]
  const [ring, gift] = arrived(before)
  const { cells } = ring
  return [
    { ring, partition: cells.length > 0 ? partitionOf(cells) : null },
    observe({ type: 'owns', cells }),
    ...(gift ? [tell(gift.to, { type: 'cell', change: gift.change, cell: gift.cell })] : []),
  ]
})

/** It has done what it was told, and says what it has now. */
const report = onEntry(({ ring, allocator }) =>
  ring?.doing
    ? [
        { ring: { ...ring, doing: null } },
        tell(allocator, { type: 'done', change: ring.doing.change, cells: ring.cells }),
      ]
    : [{}],
)

const isToMove = ({ context: { ring } }: Asked) => ring !== null && cellsToCome(ring) !== null
const hasDone = ({ context: { ring } }: Asked) => ring !== null && isFinished(ring)
const isInRing = ({ context }: Asked) => context.ring !== null
const hasDeparted = ({ context }: Asked) => context.hasDeparted
const isToLeave = ({ context }: Asked) => context.isLeaving
const isGone = ({ context: { ring } }: Asked) => ring?.isFree === true && ring.doing === null && ring.cells.length === 0
/** In the midst of an exchange it stays until that is over. */
const mayLeave = ({ context: { isLeaving, ring } }: Asked) => isLeaving && (ring === null || ring.doing === null)

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ of: null, partition: null, ring: null, change: 0, isLeaving: false, hasDeparted: false },
    progress: { left: 0, pace: 0, since: 0 },
  }),
  initial: 'idle',
  on: { leave: { actions: rule('leave', () => [{ isLeaving: true }]) } },
  states: {
    idle: { entry: free, on: { begin: { target: 'waiting', actions: begin } } },
    waiting: {
      always: { guard: isToLeave, target: 'departing', actions: depart },
      on: { remap, start: { target: 'running', actions: start } },
    },
    moving: {
      on: {
        ...inRing,
        moved: [
          { guard: hasDeparted, target: 'departing', actions: arrive },
          { guard: isInRing, target: 'running', actions: arrive },
          { target: 'still', actions: answerDone },
        ],
      },
    },
    still: { on: { ...inRing, remap, freeze, stop, resume: { guard: isCurrent, target: 'running' } } },
    running: {
      entry: compute,
      exit: standStill,
      always: [
        { guard: isToMove, target: 'moving', actions: setOutInRing },
        { guard: hasDone, actions: report },
        { guard: mayLeave, target: 'departing', actions: depart },
      ],
      on: { ...inRing, freeze, stop, completed: { actions: rule('completed', () => [{ isLeaving: true }]) } },
    },
    /** In a ring until its neighbours have taken its cells. */
    departing: {
      always: [
        { guard: isToMove, target: 'moving', actions: setOutInRing },
        { guard: hasDone, actions: report },
        { guard: isGone, target: 'idle' },
        { guard: ({ context }) => context.ring === null, target: 'idle' },
      ],
      on: inRing,
    },
  },
})
