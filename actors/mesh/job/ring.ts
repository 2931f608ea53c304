/** A job in a ring: how it handles orders and messages of neighbours, and the work that follows. */
import { type Address, type Decision, type Delivery, type Effect, type Turn, tell, turn } from '../../../lib/actor.ts'
import { sizeOf } from '../fold/fold.ts'
import type { Cell, Change, Link, Report, Shift, Size, SizeIs, Split, Start, Taken, Tick } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'
import { type Asked, byOrder, type JobBook, observe } from './book.ts'
import {
  belonging,
  deciding,
  hearing,
  holdingOf,
  homeOf,
  isSettled,
  type Membership,
  offering,
  parting,
  reporting,
  shifting,
  splitting,
  ticking,
} from './membership.ts'
import { answer, isNew, obey } from './orders.ts'
import { setOut } from './work.ts'

type It = Turn<JobBook>

const owns = (book: JobBook, ring: Membership): Effect => {
  const { cells, offered } = holdingOf(ring)
  return observe(byOrder(book, { type: 'owns', cells, offered, prev: ring.prev, next: ring.next }))
}

const differ = (one: Membership, other: Membership): boolean =>
  one.cells !== other.cells || one.prev !== other.prev || one.next !== other.next

/** Decides from the messages that the job has, and announces the result. */
function decide(it: It, known: Membership): void {
  const { ring: before, change } = it.context
  const { ring, from } = deciding(known, change)
  it.context.ring = ring
  if (differ(before ?? known, ring)) it.do(owns(it.context, ring))
  if (from !== null) it.do(tell(from, { type: 'taken', change }))
}

// --- orders -----------------------------------------------------------------------------------------------------------

export const isOrder = (args: Asked & { readonly event: Change }): boolean => args.context.ring !== null && isNew(args)

/** Makes a handler of an order to a job in a ring. `after` is the place of the job when it begins to carry out the order. */
const carryingOut = <O extends Change>(after: (ring: Membership, order: O) => Membership) =>
  turn((it: It, order: O) => {
    if (!it.context.ring) return
    obey(it, order)
    decide(it, after(it.context.ring, order))
  })

export const link = carryingOut((_, order: Link) => belonging(order))
export const split = carryingOut((ring, order: Split) => splitting(ring, order))

/** Begins a shift. A cell that has come already is taken once the threads have left the cell to give. */
export const shift = turn((it: It, order: Shift) => {
  const { ring } = it.context
  if (!ring) return
  obey(it, order)
  it.context.ring = shifting(ring, order.change)
})

/** Begins a tick: both neighbours are told the size. */
export const tick = turn((it: It, order: Tick) => {
  const { ring } = it.context
  if (!ring) return
  const size = { type: 'size', change: order.change, size: sizeOf(ring.cells) } as const
  it.do(tell(ring.prev, size), tell(ring.next, size))
  obey(it, order)
  decide(it, ticking(ring, order.change))
})

export const start = turn((it: It, order: Start) => {
  const ring = belonging(order)
  obey(it, order)
  decide(it, ring)
  it.do(owns(it.context, it.context.ring ?? ring))
})

export const report = turn((it: It, { change }: Report) => {
  const { ring } = it.context
  it.context.ring = ring && reporting(ring)
  answer(it, 'done', change)
})

// --- neighbours -------------------------------------------------------------------------------------------------------

function hear(it: It, change: number, from: Address, said: Size | Rectangle): void {
  const { ring } = it.context
  if (ring) decide(it, hearing(ring, change, from, said))
}

export const onSize = turn((it: It, { change, size }: SizeIs, { from }: Delivery) => hear(it, change, from, size))
export const onCell = turn((it: It, { change, cell }: Cell, { from }: Delivery) => hear(it, change, from, cell))

export function onTaken(book: JobBook, { change }: Taken, { from }: Delivery): Decision<JobBook> {
  const { ring: before, change: at } = book
  if (!before || change !== at) return [{}]
  const ring = parting(before, from)
  return [{ ring }, ...(differ(before, ring) ? [owns(book, ring)] : [])]
}

// --- the work that follows ------------------------------------------------------------------------------------------

/** Moves the threads to the cells where they belong. */
export const setOutInRing = turn((it: It) => {
  const home = it.context.ring && homeOf(it.context.ring)
  if (home) setOut(it, home)
})

/** Offers the cell to give, which no thread is in any more. */
export const offer = turn((it: It) => {
  const { ring: before, change } = it.context
  if (!before?.gift) return
  const { cell, to } = before.gift
  const ring = offering(before)
  it.context.ring = ring
  it.do(owns(it.context, ring))
  if (to !== null) it.do(tell(to, { type: 'cell', change, cell }))
  decide(it, ring)
})

export const isToMove = ({ context: { ring, partition } }: Asked): boolean => {
  const home = ring && homeOf(ring)
  return home !== null && (partition === null || !areEqual(home, partition))
}
export const isFolding = (asked: Asked): boolean => isToMove(asked) && asked.context.ring?.gift != null
export const isToOffer = ({ context: { ring } }: Asked): boolean => ring?.gift?.isOffered === false
export const hasDone = ({ context: { ring, answer } }: Asked): boolean =>
  ring !== null && answer === null && isSettled(ring)

/** The states of waiting while a job computes. */
export const WAITS = ['quiet', 'asking', 'awaiting', 'offering'] as const
export type Wait = (typeof WAITS)[number]

export function waitOf({ ring }: JobBook): Wait {
  if (ring?.gift?.isOffered) return 'offering'
  if (ring?.isAsking) return 'asking'
  return ring?.due ? 'awaiting' : 'quiet'
}
