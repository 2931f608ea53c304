/**
 * The allocator of FOLD (section 5): lets jobs in and out, one after the other, and has the ring exchange when it is time.
 * What is exchanged at a tick the jobs decide; what they then have they report, and only then the next step is taken.
 */
import { type Address, actor, type Mail, observe, self, tell, timer } from '../../../lib/actor.ts'
import { arrival } from '../fold/arrival.ts'
import { departure } from '../fold/departure.ts'
import { divided, undivided } from '../fold/division.ts'
import {
  emptyFold,
  type Fold,
  hasFree,
  jobsOf,
  type Owner,
  partitionsOf,
  rectanglesOf,
  stretchesOf,
} from '../fold/fold.ts'
import type { Order, Step } from '../fold/orders.ts'
import { replaced } from '../fold/replacement.ts'
import { ringOf } from '../fold/ring.ts'
import { ticked } from '../fold/rotation.ts'
import { type Mesh, wholeOf } from '../mesh.ts'
import type { Cells, RingOrder, Size, ToAllocator } from '../messages.ts'
import { type Rectangle, textOf } from '../rectangle.ts'
import { type Admission, awaitSwap, NO_TURN, type SwapDue, swapDue, type Turn } from './admission.ts'
import {
  type Asked,
  asking,
  begun,
  hasRoom,
  isCrowded,
  isQueued,
  nextOf,
  type Request,
  staying,
  swap,
} from './requests.ts'

export type FoldInput = Admission & {
  readonly mesh: Mesh
  /** Is a ring of an even number of jobs cut in two if it can be (section 5.4)? */
  readonly divides: boolean
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
  /** Hears how many jobs there are, when nothing is under way; null: it has no clock. */
  readonly clock: Address | null
}

interface Context extends FoldInput, Asked, Turn {
  /** As the jobs have reported it. */
  readonly fold: Fold
  /** The job that departs: its cells are free, and it plays their part until they are taken. */
  readonly leaver: Address | null
  /** What is under way, and what comes after it. */
  readonly steps: readonly Step[]
  readonly change: number
  /** Whose answers to this change are still to come. */
  readonly awaited: ReadonlySet<Address>
}

/** For whoever folds a run: this is so, and nothing is under way. Rings, and the jobs of each, in their order. */
export type RingFact = {
  readonly type: 'ring'
  readonly level: number
  readonly rings: readonly (readonly { readonly job: Address; readonly size: Size; readonly partition: Rectangle }[])[]
}

type Event = Mail<ToAllocator> | SwapDue | { type: 'loaded' }

const { createMachine, rule, onEntry } = actor<{ input: FoldInput; context: Context; event: Event }>()

const onArrive = rule('arrive', (context, { from }) => asking(context, { is: 'arrival', of: from }))
const onDepart = rule('depart', (context, { from }) => asking(context, { is: 'departure', of: from }))
const onDue = rule('due', (context) => asking(context, { is: 'rotation' }))

/** All that a request takes, what must be done before it first. */
function stepsFor({ fold, divides }: Context, request: Request): readonly Step[] {
  if (request.is === 'rotation') {
    if (jobsOf(fold).length === 0) return []
    const cut = divides ? divided(fold) : null
    return cut ? [cut, ticked(cut.fold)] : [ticked(fold)]
  }
  const joining = undivided(fold)
  const joined = joining.at(-1)?.fold ?? fold
  return [...joining, ...(request.is === 'arrival' ? arrival(joined, request.of) : departure(joined, request.of))]
}

const plan = onEntry((context) => {
  const request = nextOf(context)
  if (!request) return [{}]
  const leaver = request.is === 'departure' ? request.of : null
  return [{ ...begun(context, request), steps: stepsFor(context, request), leaver }]
})

function messageOf(order: Order, change: number, addressOf: (owner: Owner) => Address): RingOrder {
  switch (order.type) {
    case 'start':
    case 'link': {
      const { type, cells, prev, next } = order
      return { type, change, cells, prev: addressOf(prev), next: addressOf(next) }
    }
    case 'split':
      return { type: 'split', change, newcomer: order.newcomer }
    case 'tick':
    case 'shift':
      return { type: order.type, change }
  }
}

/** What the job that departs is told with this step; null: nothing. */
function toLeaver({ fold: before, leaver }: Context, { orders, fold }: Step, change: number): RingOrder | null {
  if (leaver === null) return null
  if (jobsOf(before).includes(leaver) && !jobsOf(fold).includes(leaver))
    return { type: hasFree(fold) ? 'vacate' : 'release', change }
  return hasFree(before) && orders.some(({ type }) => type === 'tick') ? { type: 'tick', change } : null
}

const order = onEntry((context) => {
  const { steps, leaver } = context
  const [step] = steps
  if (!step) return [{}]
  const change = context.change + 1
  const addressOf = (owner: Owner): Address => owner ?? leaver ?? self()
  const messages = new Map(step.orders.map((one) => [one.job, messageOf(one, change, addressOf)]))
  const last = toLeaver(context, step, change)
  if (last && leaver !== null) messages.set(leaver, last)
  return [{ change, awaited: new Set(messages.keys()) }, ...[...messages].map(([job, message]) => tell(job, message))]
})

/** A job has what this step was to give it, or the protocol is broken. */
const onDone = rule('done', (context, { from, cells }) => {
  const { steps, leaver } = context
  const [step] = steps
  const owner = from === leaver && step && !jobsOf(step.fold).includes(from) ? null : from
  if (step) confirm(step.fold, owner, from, cells)
  return answered(context, { from })
})

function answered({ awaited }: Context, { from }: { readonly from: Address }): readonly [Pick<Context, 'awaited'>] {
  const left = new Set(awaited)
  left.delete(from)
  return [{ awaited: left }]
}

function confirm(fold: Fold, owner: Owner, job: Address, cells: Cells): void {
  const own = stretchesOf(fold).find((stretch) => stretch.owner === owner)
  const expected = own ? rectanglesOf(ringOf(fold.area, fold.level), own) : []
  const [theirs, ours] = [cells, expected].map((of) => of.map(textOf).join(' '))
  if (theirs !== ours) throw new Error(`${job} has ${theirs || 'nothing'}, expected ${ours || 'nothing'}`)
}

const conclude = onEntry(({ steps: [step, ...steps] }) => (step ? [{ fold: step.fold, steps }] : [{}]))

const freeze = onEntry((context) => {
  const change = context.change + 1
  const jobs = staying(context)
  return [
    { change, awaited: new Set(jobs), isSwapDue: false },
    ...jobs.map((job) => tell(job, { type: 'freeze', change })),
  ]
})

const swapOut = onEntry((context) => {
  const { fold, change } = context
  const [by, changes] = swap(context)
  return [
    { ...changes, steps: [replaced(fold, by)], leaver: null, awaited: new Set(by.keys()) },
    ...[...by.keys()].map((job) => tell(job, { type: 'stop', change })),
  ]
})

const load = onEntry(({ swaps }) => [{}, timer('loaded', swaps?.takes ?? 0, { type: 'loaded' })])

const resume = rule('loaded', ({ fold, steps: [step], change }) => {
  const there = new Set(jobsOf(fold))
  const stay = step ? jobsOf(step.fold).filter((job) => there.has(job)) : []
  return [{}, ...stay.map((job) => tell(job, { type: 'resume', change }))]
})

const isToSwap = ({ context }: { readonly context: Context }) => context.isSwapDue && isCrowded(context)

const rest = onEntry((context) => {
  const { fold, operator, clock, requests, running } = context
  if (nextOf(context) || isToSwap({ context })) return [{}]
  const partitions = new Map(partitionsOf(fold).map(({ owner, size, rectangle }) => [owner, { size, rectangle }]))
  const rings = fold.rings.map(({ stretches }) =>
    stretches.flatMap(({ owner }) => {
      const own = partitions.get(owner)
      return own && owner ? [{ job: owner, size: own.size, partition: own.rectangle }] : []
    }),
  )
  const [changes, ...effects] = awaitSwap(context, requests.length)
  return [
    changes,
    ...effects,
    observe({ type: 'ring', level: fold.level, rings }),
    ...(operator ? [tell(operator, { type: 'rested' })] : []),
    ...(clock ? [tell(clock, { type: 'running', jobs: running.length })] : []),
  ]
})

type Given = { readonly context: Context }
const isAsked = ({ context }: Given) => nextOf(context) !== undefined
const isFull = ({ context }: Given) => !hasRoom(context)
const isLate = ({ context, event }: Given & { event: { from: Address } }) => isQueued(context, event.from)
const isAnswered = ({ context }: Given) => context.awaited.size === 0
const isDone = ({ context }: Given) => context.steps.length === 0
const isCurrent = ({ context, event }: Given & { event: { change: number } }) => event.change === context.change

export default createMachine({
  context: ({ input }) => ({
    ...input,
    fold: emptyFold(wholeOf(input.mesh)),
    ...NO_TURN,
    ...{ running: [], requests: [], steps: [], awaited: new Set(), leaver: null, change: 0 },
  }),
  initial: 'resting',
  on: {
    arrive: { actions: onArrive },
    depart: { actions: onDepart },
    due: { actions: onDue },
    'swap-due': { actions: rule('swap-due', swapDue) },
  },
  states: {
    resting: {
      entry: rest,
      always: [
        { guard: isToSwap, target: 'freezing' },
        { guard: isAsked, target: 'planning' },
      ],
      on: {
        arrive: [{ guard: isFull, actions: [onArrive, rest] }, { actions: onArrive }],
        depart: [{ guard: isLate, actions: [onDepart, rest] }, { actions: onDepart }],
      },
    },
    freezing: {
      entry: freeze,
      on: {
        frozen: { guard: isCurrent, actions: rule('frozen', answered) },
        // who is gone need not answer
        depart: { actions: [onDepart, rule('depart', answered)] },
      },
      always: { guard: isAnswered, target: 'swapping' },
    },
    swapping: {
      entry: swapOut,
      on: { 'swapped-out': { guard: isCurrent, actions: rule('swapped-out', answered) } },
      always: { guard: isAnswered, target: 'loading' },
    },
    loading: { entry: load, on: { loaded: { target: 'ordering', actions: resume } } },
    planning: { entry: plan, always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
    ordering: {
      entry: order,
      on: { done: { guard: isCurrent, actions: onDone } },
      always: { guard: isAnswered, target: 'concluding' },
    },
    concluding: { entry: conclude, always: [{ guard: isDone, target: 'resting' }, { target: 'ordering' }] },
  },
})
