/**
 * The allocator of EQUI and EQUI+ (section 4): whenever jobs arrive or depart it has all stand still, deals the whole mesh out
 * anew, waits until every thread is where it belongs, and has all go on. Who comes meanwhile is in the next change.
 */
import { type Address, actor, type Decision, draw, type Mail, observe, tell } from '../../../lib/actor.ts'
import { type Deal, dealt } from '../deal.ts'
import { equi } from '../equi.ts'
import { type Mesh, processorsOf } from '../mesh.ts'
import type { ToAllocator } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'

export type EquiInput = {
  readonly mesh: Mesh
  /** Which partition is whose: in the order of arrival, or drawn anew at every change. */
  readonly deal: Deal
  /** Jobs on the mesh at the same time; the others wait, first come first served. */
  readonly limit: number
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
}

interface Context extends EquiInput {
  /** In the order of arrival. */
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

type Event = Mail<ToAllocator>

const { createMachine, rule, onEntry } = actor<{ input: EquiInput; context: Context; event: Event }>()

const without = (jobs: readonly Address[], gone: Address) => jobs.filter((job) => job !== gone)

/** Room for one processor each at least. */
const roomOf = ({ mesh, limit }: EquiInput): number => Math.min(limit, processorsOf(mesh))

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
  { change: change + 1, awaited: running, isStale: false },
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
    { running, waiting, awaited: running },
    observe({ type: 'dealt', change, partitions }),
    ...partitions.map(({ job, partition }) => tell(job, { type: 'remap', change, partition })),
  ]
})

/** The operator may go on. */
const rest = onEntry(({ isStale, operator }) =>
  isStale || operator === null ? [{}] : [{}, tell(operator, { type: 'rested' })],
)

/** One number after the other. */
const drawn = (purpose: string, change: number) => {
  let draws = 0
  return () => draw(purpose, `${change} ${draws++}`)
}

const resume = onEntry(({ running, change }) => [{}, ...running.map((job) => tell(job, { type: 'resume', change }))])

const isStale = ({ context }: { context: Context }) => context.isStale
const isAnswered = ({ context }: { context: Context }) => context.awaited.length === 0
const isCurrent = ({ context, event }: { context: Context; event: { change: number } }) =>
  event.change === context.change

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ running: [], waiting: [], awaited: [] },
    ...{ isStale: false, change: 0 },
  }),
  initial: 'resting',
  on: { arrive: { actions: onArrive }, depart: { actions: onDepart } },
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
      always: { guard: isAnswered, target: 'moving' },
      on: { frozen: { guard: isCurrent, actions: rule('frozen', answered) } },
    },
    moving: {
      entry: deal,
      always: { guard: isAnswered, target: 'resting' },
      exit: resume,
      on: { done: { guard: isCurrent, actions: rule('done', answered) } },
    },
  },
})
