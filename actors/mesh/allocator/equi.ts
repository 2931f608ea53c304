/**
 * The allocator of EQUI and EQUI+ (section 4): whenever jobs arrive or depart it has all stand still, deals the whole mesh out
 * anew, waits until every thread is where it belongs, and has all go on. Who comes meanwhile is in the next change. If jobs
 * wait it swaps others for them in the same way, from time to time.
 */
import { type Address, actor, type Decision, draw, type Mail, observe, tell, timer } from '../../../lib/actor.ts'
import { type Deal, dealt } from '../deal.ts'
import { equi } from '../equi.ts'
import type { Mesh } from '../mesh.ts'
import type { ToAllocator } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'
import { type Admission, awaitSwap, NO_TURN, roomOf, type SwapDue, swapDue, swapped, type Turn } from './admission.ts'

export type EquiInput = Admission & {
  readonly mesh: Mesh
  /** Which partition is whose: in the order of arrival, or drawn anew at every change. */
  readonly deal: Deal
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
}

interface Context extends EquiInput, Turn {
  /** Who has been there longest comes first. */
  readonly running: readonly Address[]
  readonly waiting: readonly Address[]
  /** Jobs have come or gone since the mesh was dealt out. */
  readonly isStale: boolean
  readonly change: number
  /** Whose answers to this change are still to come. */
  readonly awaited: readonly Address[]
}

/** For whoever folds a run. */
export type AllocatorFact =
  | { readonly type: 'dealt'; readonly change: number; readonly partitions: readonly Owned[] }
  | { readonly type: 'refused'; readonly job: Address }

export type Owned = { readonly job: Address; readonly partition: Rectangle }

type Event = Mail<ToAllocator> | SwapDue | { type: 'loaded' }

const { createMachine, rule, onEntry } = actor<{ input: EquiInput; context: Context; event: Event }>()

const without = (jobs: readonly Address[], gone: Address) => jobs.filter((job) => job !== gone)

const hasRoom = ({ context }: { context: Context }) => context.running.length + context.waiting.length < roomOf(context)

const onArrive = rule('arrive', (context, { from }) => [
  { waiting: [...context.waiting, from], isStale: context.isStale || hasRoom({ context }) },
])

/** Who is gone need not answer. */
const onDepart = rule('depart', ({ running, waiting, awaited }, { from }) => [
  {
    ...{ running: without(running, from), waiting: without(waiting, from), awaited: without(awaited, from) },
    isStale: true,
  },
])

const freeze = onEntry(({ running, change }) => [
  { change: change + 1, awaited: running },
  ...running.map((job) => tell(job, { type: 'freeze', change: change + 1 })),
])

const answered = ({ awaited }: Context, { from }: { from: Address }): Decision<Context> => [
  { awaited: without(awaited, from) },
]

const deal = onEntry((context) => {
  const { mesh, change, deal } = context
  const running = [...context.running, ...context.waiting].slice(0, roomOf(context))
  const waiting = context.waiting.slice(running.length - context.running.length)
  const order = dealt(running, deal, drawn('deal', change))
  const rectangles = order.length > 0 ? equi(mesh, order.length) : []
  const partitions = order.flatMap((job, place): Owned[] => {
    const partition = rectangles[place]
    return partition ? [{ job, partition }] : []
  })
  return [
    { running, waiting, awaited: running, isStale: false },
    observe({ type: 'dealt', change, partitions }),
    ...partitions.map(({ job, partition }) => tell(job, { type: 'remap', change, partition })),
  ]
})

/** The operator may go on. */
const rest = onEntry((context) => {
  const { isStale, operator, waiting } = context
  if (isStale) return [{}]
  const [changes, ...effects] = awaitSwap(context, waiting.length)
  return [changes, ...effects, ...(operator === null ? [] : [tell(operator, { type: 'rested' })])]
})

/** Who has been there longest makes room, and waits behind all others. */
const swap = onEntry(({ running, waiting, change }) => {
  const out = swapped(running, waiting).map(([goes]) => goes)
  return [
    {
      ...{ running: running.filter((job) => !out.includes(job)), waiting: [...waiting, ...out] },
      ...{ awaited: out, isSwapDue: false },
    },
    ...out.map((job) => tell(job, { type: 'stop', change })),
  ]
})

const load = onEntry(({ swaps }) => [{}, timer('loaded', swaps?.takes ?? 0, { type: 'loaded' })])

/** One number after the other. */
const drawn = (purpose: string, change: number) => {
  let draws = 0
  return () => draw(purpose, `${change} ${draws++}`)
}

const resume = onEntry(({ running, change }) => [{}, ...running.map((job) => tell(job, { type: 'resume', change }))])

const isStale = ({ context }: { context: Context }) => context.isStale || context.isSwapDue
const isToSwap = ({ context }: { context: Context }) =>
  context.awaited.length === 0 && context.isSwapDue && context.waiting.length > 0
const isAnswered = ({ context }: { context: Context }) => context.awaited.length === 0
const isCurrent = ({ context, event }: { context: Context; event: { change: number } }) =>
  event.change === context.change

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ running: [], waiting: [], awaited: [] },
    ...{ ...NO_TURN, isStale: false, change: 0 },
  }),
  initial: 'resting',
  on: {
    arrive: { actions: onArrive },
    depart: { actions: onDepart },
    'swap-due': { actions: rule('swap-due', swapDue) },
  },
  states: {
    resting: {
      entry: rest,
      always: { guard: isStale, target: 'freezing' },
      on: {
        arrive: [{ guard: hasRoom, actions: onArrive }, { actions: [onArrive, rest] }],
        due: { actions: rest },
      },
    },
    freezing: {
      entry: freeze,
      always: [
        { guard: isToSwap, target: 'swapping' },
        { guard: isAnswered, target: 'moving' },
      ],
      on: { frozen: { guard: isCurrent, actions: rule('frozen', answered) } },
    },
    swapping: {
      entry: swap,
      always: { guard: isAnswered, target: 'loading' },
      on: { 'swapped-out': { guard: isCurrent, actions: rule('swapped-out', answered) } },
    },
    loading: { entry: load, on: { loaded: 'moving' } },
    moving: {
      entry: deal,
      always: { guard: isAnswered, target: 'resting' },
      exit: resume,
      on: { done: { guard: isCurrent, actions: rule('done', answered) } },
    },
  },
})
