/** How a processor receives threads, sends them to others one at a time, and forgets them. */
import { type Delivery, observe, self, type Turn, tell, timer, turn } from '../../../lib/actor.ts'
import type { Arriving, Drop, Move, Place, Reserve } from '../threads/messages.ts'
import { endsOf, type ProcessorBook, released, reserved, threadsIn, withThreads } from './book.ts'

type It = Turn<ProcessorBook>

export const onPlace = turn(({ context, do: perform }: It, { job, threads }: Place, { from }: Delivery) => {
  context.threads = withThreads(context, job, threads)
  perform(observe({ type: 'placed', job, threads }), tell(from, { type: 'placed', job, threads }))
})

export const onDrop = turn(({ context, do: perform }: It, { job }: Drop, { from }: Delivery) => {
  context.threads = withThreads(context, job, [])
  perform(observe({ type: 'dropped', job }), tell(from, { type: 'dropped', job }))
})

/** Reserves the next end of the first transfer, or sends the thread if both ends are reserved. */
function advance(it: It): void {
  const { orders, reserved: ends } = it.context
  const [order] = orders
  if (!order) return
  const end = endsOf(self(), order.to)[ends]
  if (end === undefined) send(it, order)
  else if (end !== self()) it.do(tell(end, { type: 'reserve' }))
  else {
    it.context.port = reserved(it.context.port, self())
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

export const onMove = turn((it: It, order: Move, { from: leader }: Delivery) => {
  const isFirst = it.context.orders.length === 0
  it.context.orders = [...it.context.orders, { ...order, leader }]
  if (isFirst) advance(it)
})

export const onReserve = turn(({ context, do: perform }: It, _: Reserve, { from }: Delivery) => {
  context.port = reserved(context.port, from)
  if (context.port.holder === from) perform(tell(from, { type: 'granted' }))
})

export const onGranted = turn(onGrant)

export const onTransferred = turn((it: It) => {
  const [order, ...orders] = it.context.orders
  if (!order) return
  const { job, thread, to, leader } = order
  it.do(tell(to, { type: 'arriving', job, thread, leader }))
  it.context.orders = []
  it.context.reserved = 0
  release(it)
  it.context.orders = orders
  advance(it)
})

export const onArriving = turn((it: It, { job, thread, leader }: Arriving) => {
  it.context.threads = withThreads(it.context, job, [...threadsIn(it.context, job), thread])
  const placed = { type: 'placed', job, threads: [thread] }
  it.do(observe(placed), tell(leader, placed))
  release(it)
})
