/** How a processor receives threads, sends them to others one at a time, and forgets them. */
import { type Decision, type Mail, observe, self, tell, timer } from '../../../lib/actor.ts'
import type { Arriving, Drop, Move, Place, Reserve } from '../threads/messages.ts'
import { endsOf, type ProcessorBook, released, reserved, threadsIn, withThreads } from './book.ts'

export const onPlace = (book: ProcessorBook, { from, job, threads }: Mail<Place>): Decision<ProcessorBook> => [
  { threads: withThreads(book, job, threads) },
  observe({ type: 'placed', job, threads }),
  tell(from, { type: 'placed', job, threads }),
]

export const onDrop = (book: ProcessorBook, { from, job }: Mail<Drop>): Decision<ProcessorBook> => [
  { threads: withThreads(book, job, []) },
  observe({ type: 'dropped', job }),
  tell(from, { type: 'dropped', job }),
]

/** Reserves the next end of the first transfer, or sends the thread if both ends are reserved. */
function advance(book: ProcessorBook): Decision<ProcessorBook> {
  const [order] = book.orders
  if (!order) return [book]
  const end = endsOf(self(), order.to)[book.reserved]
  if (end === undefined) return send(book, order)
  if (end !== self()) return [book, tell(end, { type: 'reserve' })]
  const port = reserved(book.port, self())
  return port.holder === self() ? advance({ ...book, port, reserved: book.reserved + 1 }) : [{ ...book, port }]
}

/** Sends a thread; from now on it is on no processor until it arrives. */
function send(book: ProcessorBook, { job, thread, to, withCode }: Mail<Move>): Decision<ProcessorBook> {
  const { charged, data, code } = book.model
  const takes = charged ? data + (withCode ? code : 0) : 0
  const left = threadsIn(book, job).filter((one) => one !== thread)
  return [
    { ...book, threads: withThreads(book, job, left) },
    observe({ type: 'sent', job, thread, to, takes }),
    timer('transfer', takes, { type: 'transferred' }, 'completion'),
  ]
}

/** Releases the port to the sender that has waited longest. */
function release(book: ProcessorBook): Decision<ProcessorBook> {
  const port = released(book.port)
  const after = { ...book, port }
  if (port.holder === null) return [after]
  if (port.holder === self()) return advance({ ...after, reserved: after.reserved + 1 })
  return [after, tell(port.holder, { type: 'granted' })]
}

export function onMove(book: ProcessorBook, order: Mail<Move>): Decision<ProcessorBook> {
  const after = { ...book, orders: [...book.orders, order] }
  return book.orders.length === 0 ? advance(after) : [after]
}

export function onReserve(book: ProcessorBook, { from }: Mail<Reserve>): Decision<ProcessorBook> {
  const port = reserved(book.port, from)
  return [{ port }, ...(port.holder === from ? [tell(from, { type: 'granted' })] : [])]
}

export const onGranted = (book: ProcessorBook): Decision<ProcessorBook> =>
  advance({ ...book, reserved: book.reserved + 1 })

export function onTransferred(book: ProcessorBook): Decision<ProcessorBook> {
  const [order, ...orders] = book.orders
  if (!order) return [{}]
  const { job, thread, to, from: leader } = order
  const [after, ...effects] = release({ ...book, orders: [], reserved: 0 })
  const [next, ...more] = advance({ ...book, ...after, orders })
  return [next, tell(to, { type: 'arriving', job, thread, leader }), ...effects, ...more]
}

export function onArriving(book: ProcessorBook, { job, thread, leader }: Arriving): Decision<ProcessorBook> {
  const own = [...threadsIn(book, job), thread]
  const [changes, ...effects] = release({ ...book, threads: withThreads(book, job, own) })
  const placed = { job, threads: [thread] }
  return [changes, observe({ type: 'placed', ...placed }), tell(leader, { type: 'placed', ...placed }), ...effects]
}
