/**
 * A processor of the mesh: holds threads of jobs, sends and receives them one at a time, and can run the threads of one
 * job step by step. It knows nothing of partitions: the leaders make sure that at most one job runs here.
 * It is a table without states: what it does is decided by the threads that it holds.
 */
import {
  actor,
  type Decision,
  type Delivery,
  draw,
  type Ref,
  ref,
  self,
  type Time,
  type Turn,
  tell,
  turn,
} from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import {
  begunBy,
  endsOf,
  forgetting,
  hearing,
  isHeard,
  isThrough,
  mayBegin,
  newBook,
  type ProcessorBook,
  type ProcessorEvent,
  type ProcessorFact,
  type ProcessorInput,
  released,
  reserved,
  type Stepping,
  starting,
  threadsIn,
  withThreads,
} from './processor/book.ts'
import type {
  Arriving,
  Drop,
  Edge,
  Finish,
  Halt,
  Move,
  Place,
  Reserve,
  Run,
  ToLeader,
  ToProcessor,
} from './threads/messages.ts'
import { computingTime } from './threads/placement.ts'

const { createMachine, handlers, observe, timer } = actor<{
  input: ProcessorInput
  context: ProcessorBook
  event: ProcessorEvent
  reply: ToLeader | ToProcessor
  fact: ProcessorFact
}>()

type It = Turn<ProcessorBook>
type Sender = Delivery<Ref<ToLeader | ToProcessor>>

const own = (): Ref<ToProcessor> => ref(self())

// --- threads: received, sent to others one at a time, and forgotten ---------------------------------------------------

const onPlace = turn(({ context, do: perform }: It, { job, threads }: Place, { from }: Sender) => {
  context.threads = withThreads(context, job, threads)
  perform(observe({ type: 'placed', job, threads }), tell(from, { type: 'placed', job, threads }))
})

const onDrop = turn(({ context, do: perform }: It, { job }: Drop, { from }: Sender) => {
  context.threads = withThreads(context, job, [])
  perform(observe({ type: 'dropped', job }), tell(from, { type: 'dropped', job }))
})

/** Reserves the next end of the first transfer, or sends the thread if both ends are reserved. */
function advance(it: It): void {
  const { orders, reserved: ends } = it.context
  const [order] = orders
  if (!order) return
  const end = endsOf(own(), order.to)[ends]
  if (end === undefined) send(it, order)
  else if (end !== self()) it.do(tell(end, { type: 'reserve' }))
  else {
    it.context.port = reserved(it.context.port, own())
    if (it.context.port.holder === self()) onGrant(it)
  }
}

/** Sends a thread; from now on it is on no processor until it arrives. */
function send(it: It, { job, thread, to, withCode }: Move): void {
  const { charged, data, code } = it.context.model
  const takes = charged ? data + (withCode ? code : 0) : 0
  const left = threadsIn(it.context, job).filter((one) => one !== thread)
  it.context.threads = withThreads(it.context, job, left)
  it.do(
    observe({ type: 'sent', job, thread, to, takes }),
    timer('transfer', takes, { type: 'transferred' }, 'completion'),
  )
}

/** Releases the port to the sender that has waited longest. */
function release(it: It): void {
  const port = released(it.context.port)
  it.context.port = port
  if (port.holder === self()) onGrant(it)
  else if (port.holder !== null) it.do(tell(port.holder, { type: 'granted' }))
}

/** The next end of the first transfer is reserved. */
function onGrant(it: It): void {
  it.context.reserved += 1
  advance(it)
}

const onMove = turn((it: It, order: Move, { from: leader }: Sender) => {
  const isFirst = it.context.orders.length === 0
  it.context.orders = [...it.context.orders, { ...order, leader }]
  if (isFirst) advance(it)
})

const onReserve = turn(({ context, do: perform }: It, _: Reserve, { from }: Sender) => {
  context.port = reserved(context.port, from)
  if (context.port.holder === from) perform(tell(from, { type: 'granted' }))
})

const onGranted = turn(onGrant)

const onTransferred = turn((it: It) => {
  const [order, ...orders] = it.context.orders
  if (!order) return
  const { job, thread, to, leader } = order
  it.do(tell(to, { type: 'arriving', job, thread, leader }))
  it.context.orders = orders
  it.context.reserved = 0
  release(it)
  advance(it)
})

const onArriving = turn((it: It, { job, thread, leader }: Arriving) => {
  it.context.threads = withThreads(it.context, job, [...threadsIn(it.context, job), thread])
  const placed = { type: 'placed', job, threads: [thread] } as const
  it.do(observe(placed), tell(leader, placed))
  release(it)
})

// --- steps: threads compute, and exchange data with neighbouring processors ------------------------------------------

/** Begins the next step, or reports that there is none. */
function stepOn(it: It, stepping: Stepping): void {
  const { job, leader, step } = stepping
  it.context.stepping = stepping
  if (isThrough(stepping)) it.do(observe({ type: 'rests', job }), tell(leader, { type: 'ran', job, step }))
  else if (mayBegin(stepping)) {
    it.context.stepping = { ...stepping, doing: 'computing' }
    it.do(timer('step', computingFor(stepping, it.context), { type: 'computed' }, 'completion'))
  }
}

function computingFor({ job, step }: Stepping, book: ProcessorBook): Time {
  const own = threadsIn(book, job)
  const mean = computingTime(book.model, own.length)
  const { delta } = book.model
  if (delta === 0) return mean
  const drawn = sum(own, (thread) => (2 * draw('step', `${job} ${step + 1} ${thread}`) - 1) * delta)
  return Math.max(0, Math.round(mean + drawn))
}

function sendEdges(it: It, partners: readonly Ref<ToProcessor>[], { job, step }: Stepping): void {
  it.do(...partners.map((partner) => tell(partner, { type: 'edge', job, step: step + 1 })))
}

function exchange(it: It, stepping: Stepping, doing: 'vertical' | 'horizontal'): void {
  it.context.stepping = { ...stepping, doing }
  const takes = stepping[doing].threads * it.context.model.message
  it.do(timer('step', takes, { type: 'exchanged' }, 'completion'))
}

const onComputed = turn((it: It) => {
  if (it.context.stepping) exchange(it, it.context.stepping, 'vertical')
})

const onExchanged = turn((it: It) => {
  const { stepping } = it.context
  if (!stepping) return
  if (stepping.doing === 'vertical') {
    sendEdges(it, stepping.vertical.partners, stepping)
    exchange(it, stepping, 'horizontal')
  } else {
    sendEdges(it, stepping.horizontal.partners, stepping)
    it.context.stepping = { ...stepping, doing: 'waiting' }
    close(it)
  }
})

/** Ends the step if all partners have sent their data of it. */
function close(it: It): void {
  const { stepping, heard } = it.context
  if (stepping?.doing !== 'waiting' || !isHeard(stepping, heard)) return
  const step = stepping.step + 1
  it.context.heard = forgetting(heard, step)
  stepOn(it, { ...stepping, step, doing: null })
}

const onEdge = turn((it: It, { job, step }: Edge) => {
  it.context.heard = hearing(it.context.heard, job, step)
  close(it)
})

const onRun = turn((it: It, order: Run, { from }: Sender) => {
  it.do(observe({ type: 'runs', job: order.job }))
  stepOn(it, starting(order, from))
})

function onHalt({ stepping }: ProcessorBook, { job }: Halt, { from }: Sender): Decision<ProcessorBook> {
  if (stepping?.job !== job) return [{}]
  const step = begunBy(stepping)
  return [{ stepping: { ...stepping, until: step, isHeld: true } }, tell(from, { type: 'halting', job, step })]
}

const onFinish = turn((it: It, { job, step }: Finish) => {
  const { stepping } = it.context
  if (stepping?.job === job) stepOn(it, { ...stepping, until: step, isHeld: false })
})

// --- machine ----------------------------------------------------------------------------------------------------------

export default createMachine({
  context: ({ input }) => newBook(input),
  on: handlers({
    place: onPlace,
    drop: onDrop,
    move: onMove,
    reserve: onReserve,
    granted: onGranted,
    transferred: onTransferred,
    arriving: onArriving,
    run: onRun,
    halt: onHalt,
    finish: onFinish,
    computed: onComputed,
    exchanged: onExchanged,
    edge: onEdge,
  }),
})
