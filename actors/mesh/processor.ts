/**
 * A processor of the mesh: has threads of jobs, sends them to others and takes them in, one at a time, and if it is to, has those
 * of one job compute step by step. It knows nothing of partitions: leaders see to it that those of one job at most run here.
 */
import {
  type Address,
  actor,
  type Decision,
  draw,
  type Effect,
  type Mail,
  observe,
  self,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Model } from './model.ts'
import type { Edge, Move, ToProcessor } from './threads/messages.ts'
import { endsOf, FREE, type Port, released, reserved } from './threads/port.ts'
import { computingTime } from './threads/sides.ts'
import {
  begunBy,
  forgetting,
  type Heard,
  hearing,
  isHeard,
  isThrough,
  mayBegin,
  NOTHING_HEARD,
  type Stepping,
  starting,
} from './threads/stepping.ts'

export type ProcessorInput = {
  readonly model: Model
}

interface Context extends ProcessorInput {
  /** By job. */
  readonly threads: ReadonlyMap<number, readonly number[]>
  readonly port: Port
  /** To be sent, the first one next. */
  readonly orders: readonly Order[]
  /** How many ends of the first one are reserved. */
  readonly reserved: number
  /** Of the job whose threads run here; null: none run. */
  readonly stepping: Stepping | null
  readonly heard: Heard
}

type Order = Mail<Move>

/** For whoever folds a run. */
export type ProcessorFact =
  | { readonly type: 'placed'; readonly job: number; readonly threads: readonly number[] }
  /** To whom, and how long that takes. */
  | { readonly type: 'sent'; readonly job: number; readonly thread: number; readonly to: Address; readonly takes: Time }
  | { readonly type: 'dropped'; readonly job: number }
  | { readonly type: 'runs'; readonly job: number }
  | { readonly type: 'rests'; readonly job: number }

type Event = Mail<ToProcessor> | { type: 'transferred' } | { type: 'computed' } | { type: 'exchanged' }

const { createMachine, rule } = actor<{ input: ProcessorInput; context: Context; event: Event }>()

const NONE: readonly number[] = []

const withThreads = ({ threads }: Context, job: number, own: readonly number[]) => {
  const all = new Map(threads)
  if (own.length > 0) all.set(job, own)
  else all.delete(job)
  return all
}

const place = rule('place', (context, { from, job, threads }) => [
  { threads: withThreads(context, job, threads) },
  observe({ type: 'placed', job, threads }),
  tell(from, { type: 'placed', job, threads }),
])

const drop = rule('drop', (context, { from, job }) => [
  { threads: withThreads(context, job, NONE) },
  observe({ type: 'dropped', job }),
  tell(from, { type: 'dropped', job }),
])

/** Reserves the next end of the first order, or sends if both are. */
function goOn(context: Context): Decision<Context> {
  const [order] = context.orders
  if (!order) return [context]
  const end = endsOf(self(), order.to)[context.reserved]
  if (end === undefined) return send(context, order)
  if (end !== self()) return [context, tell(end, { type: 'reserve' })]
  const port = reserved(context.port, self())
  return port.holder === self() ? goOn({ ...context, port, reserved: context.reserved + 1 }) : [{ ...context, port }]
}

/** From now on it is nowhere but on its way. */
function send(context: Context, { job, thread, to, withCode }: Order): Decision<Context> {
  const { charged, data, code } = context.model
  const takes = charged ? data + (withCode ? code : 0) : 0
  const left = (context.threads.get(job) ?? NONE).filter((one) => one !== thread)
  return [
    { ...context, threads: withThreads(context, job, left) },
    observe({ type: 'sent', job, thread, to, takes }),
    timer('transfer', takes, { type: 'transferred' }, 'completion'),
  ]
}

/** Its port is free for who has waited longest. */
function release(context: Context): Decision<Context> {
  const port = released(context.port)
  const after = { ...context, port }
  if (port.holder === null) return [after]
  if (port.holder === self()) return goOn({ ...after, reserved: after.reserved + 1 })
  return [after, tell(port.holder, { type: 'granted' })]
}

const move = rule('move', (context, order) => {
  const after = { ...context, orders: [...context.orders, order] }
  return context.orders.length === 0 ? goOn(after) : [after]
})

const reserve = rule('reserve', (context, { from }) => {
  const port = reserved(context.port, from)
  return [{ port }, ...(port.holder === from ? [tell(from, { type: 'granted' })] : [])]
})

const granted = rule('granted', (context) => goOn({ ...context, reserved: context.reserved + 1 }))

const transferred = rule('transferred', (context) => {
  const [order, ...orders] = context.orders
  if (!order) return [{}]
  const { job, thread, to, from: leader } = order
  const [after, ...effects] = release({ ...context, orders: [], reserved: 0 })
  const [next, ...more] = goOn({ ...context, ...after, orders })
  return [next, tell(to, { type: 'arriving', job, thread, leader }), ...effects, ...more]
})

const arriving = rule('arriving', (context, { job, thread, leader }) => {
  const own = [...(context.threads.get(job) ?? NONE), thread]
  const [changes, ...effects] = release({ ...context, threads: withThreads(context, job, own) })
  const placed = { job, threads: [thread] }
  return [changes, observe({ type: 'placed', ...placed }), tell(leader, { type: 'placed', ...placed }), ...effects]
})

/** Begins the next step, or says that there is none. */
function stepOn(stepping: Stepping, context: Context): Decision<Context> {
  const { job, leader, step } = stepping
  if (isThrough(stepping))
    return [{ stepping }, observe({ type: 'rests', job }), tell(leader, { type: 'ran', job, step })]
  if (!mayBegin(stepping)) return [{ stepping }]
  const takes = computingFor(stepping, context)
  return [{ stepping: { ...stepping, doing: 'computing' } }, timer('step', takes, { type: 'computed' }, 'completion')]
}

function computingFor({ job, step }: Stepping, { model, threads }: Context): Time {
  const own = threads.get(job) ?? NONE
  const mean = computingTime(model, own.length)
  const { delta } = model
  if (delta === 0) return mean
  const drawn = own.reduce((sum, thread) => sum + (2 * draw('step', `${job} ${step + 1} ${thread}`) - 1) * delta, 0)
  return Math.max(0, Math.round(mean + drawn))
}

const edgesTo = (partners: readonly Address[], { job, step }: Stepping): Effect[] =>
  partners.map((partner) => tell<Edge>(partner, { type: 'edge', job, step: step + 1 }))

const exchanging = (stepping: Stepping, doing: 'vertical' | 'horizontal', { model }: Context) =>
  [
    { ...stepping, doing },
    timer('step', stepping[doing].threads * model.message, { type: 'exchanged' }, 'completion'),
  ] as const

const computed = rule('computed', (context) => {
  if (!context.stepping) return [{}]
  const [stepping, effect] = exchanging(context.stepping, 'vertical', context)
  return [{ stepping }, effect]
})

const exchanged = rule('exchanged', (context) => {
  const { stepping } = context
  if (stepping?.doing !== 'vertical') return stepping ? waiting(stepping, context) : [{}]
  const [next, effect] = exchanging(stepping, 'horizontal', context)
  return [{ stepping: next }, ...edgesTo(stepping.vertical.partners, stepping), effect]
})

function waiting(stepping: Stepping, context: Context): Decision<Context> {
  const [changes, ...effects] = closed({ ...stepping, doing: 'waiting' }, context, context.heard)
  return [changes, ...edgesTo(stepping.horizontal.partners, stepping), ...effects]
}

/** The step is done if all partners have spoken of it. */
function closed(stepping: Stepping, context: Context, heard: Heard): Decision<Context> {
  if (stepping.doing !== 'waiting' || !isHeard(stepping, heard)) return [{ stepping, heard }]
  const step = stepping.step + 1
  const [changes, ...effects] = stepOn({ ...stepping, step, doing: null }, context)
  return [{ heard: forgetting(heard, step), ...changes }, ...effects]
}

const edge = rule('edge', (context, { job, step }) => {
  const heard = hearing(context.heard, job, step)
  return context.stepping ? closed(context.stepping, context, heard) : [{ heard }]
})

const run = rule('run', (context, order) => {
  const [changes, ...effects] = stepOn(starting(order), context)
  return [changes, observe({ type: 'runs', job: order.job }), ...effects]
})

const halt = rule('halt', ({ stepping }, { from, job }) => {
  if (stepping?.job !== job) return [{}]
  const step = begunBy(stepping)
  return [{ stepping: { ...stepping, until: step, isHeld: true } }, tell(from, { type: 'halting', job, step })]
})

const finish = rule('finish', (context, { job, step }) => {
  const { stepping } = context
  return stepping?.job === job ? stepOn({ ...stepping, until: step, isHeld: false }, context) : [{}]
})

export default createMachine({
  context: ({ input }) => ({
    ...input,
    ...{ threads: new Map(), port: FREE, orders: [], reserved: 0, stepping: null, heard: NOTHING_HEARD },
  }),
  on: {
    ...{ place: { actions: place }, drop: { actions: drop }, move: { actions: move } },
    ...{ reserve: { actions: reserve }, granted: { actions: granted } },
    ...{ transferred: { actions: transferred }, arriving: { actions: arriving } },
    ...{ run: { actions: run }, halt: { actions: halt }, finish: { actions: finish } },
    ...{ computed: { actions: computed }, exchanged: { actions: exchanged }, edge: { actions: edge } },
  },
})
