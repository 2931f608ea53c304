/** A job in a ring: how it handles orders and messages of neighbours, and the work that follows. */
import { type Decision, type Effect, type Mail, observe, tell } from '../../../lib/actor.ts'
import { sizeOf } from '../fold/fold.ts'
import type { Cell, Change, Link, Report, Shift, Size, SizeIs, Split, Start, Taken, Tick } from '../messages.ts'
import { areEqual, type Rectangle } from '../rectangle.ts'
import type { Asked, JobBook } from './book.ts'
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
import { answering, isNew, obeying } from './orders.ts'
import { setOut } from './work.ts'

const owns = (ring: Membership): Effect => {
  const { cells, offered } = holdingOf(ring)
  return observe({ type: 'owns', cells, offered, prev: ring.prev, next: ring.next })
}

const differ = (one: Membership, other: Membership): boolean =>
  one.cells !== other.cells || one.prev !== other.prev || one.next !== other.next

/** Decides from the messages that the job has, and announces the result. */
function turn(before: Membership, known: Membership, change: number): readonly [Membership, ...Effect[]] {
  const { ring, from } = deciding(known, change)
  return [
    ring,
    ...(differ(before, ring) ? [owns(ring)] : []),
    ...(from === null ? [] : [tell(from, { type: 'taken', change })]),
  ]
}

// --- orders -----------------------------------------------------------------------------------------------------------

export const isOrder = (args: Asked & { readonly event: Change }): boolean => args.context.ring !== null && isNew(args)

function turning(book: JobBook, order: Change, known: Membership | null): Decision<JobBook> {
  if (!known) return [{}]
  const [ring, ...effects] = turn(book.ring ?? known, known, order.change)
  return [obeying(order, { ring }), ...effects]
}

export function start(book: JobBook, order: Start): Decision<JobBook> {
  const [changes, ...effects] = link(book, order)
  return [changes, ...effects, ...(changes.ring ? [owns(changes.ring)] : [])]
}

export const link = (book: JobBook, order: Start | Link): Decision<JobBook> => turning(book, order, belonging(order))

export const split = (book: JobBook, order: Split): Decision<JobBook> =>
  turning(book, order, book.ring && splitting(book.ring, order))

export const shift = (book: JobBook, order: Shift): Decision<JobBook> =>
  turning(book, order, book.ring && shifting(book.ring, order.change))

/** Begins a tick: both neighbours are told the size. */
export function tick(book: JobBook, order: Tick): Decision<JobBook> {
  const { ring } = book
  if (!ring) return [{}]
  const size = { type: 'size', change: order.change, size: sizeOf(ring.cells) } as const
  const [changes, ...effects] = turning(book, order, ticking(ring, order.change))
  return [changes, tell(ring.prev, size), tell(ring.next, size), ...effects]
}

export const report = (book: JobBook, { change }: Report): Decision<JobBook> =>
  answering({ ...book, ring: book.ring && reporting(book.ring, change) }, 'done', change)

// --- neighbours -------------------------------------------------------------------------------------------------------

function heard(book: JobBook, { from, change }: Mail<Change & { type: string }>, said: Size | Rectangle) {
  if (!book.ring) return [{}] as const
  const [ring, ...effects] = turn(book.ring, hearing(book.ring, change, from, said), book.change)
  return [{ ring }, ...effects] as const
}

export const onSize = (book: JobBook, mail: Mail<SizeIs>): Decision<JobBook> => heard(book, mail, mail.size)
export const onCell = (book: JobBook, mail: Mail<Cell>): Decision<JobBook> => heard(book, mail, mail.cell)

export function onTaken({ ring: before, change: at }: JobBook, { from, change }: Mail<Taken>): Decision<JobBook> {
  if (!before || change !== at) return [{}]
  const ring = parting(before, from)
  return [{ ring }, ...(differ(before, ring) ? [owns(ring)] : [])]
}

// --- the work that follows ------------------------------------------------------------------------------------------

/** Moves the threads to the cells where they belong. */
export function setOutInRing(book: JobBook): Decision<JobBook> {
  const home = book.ring && homeOf(book.ring)
  return home ? setOut(book, home) : [{}]
}

/** Offers the cell to give, which no thread is in any more. */
export function offer({ ring: before, change }: JobBook): Decision<JobBook> {
  if (!before?.gift) return [{}]
  const { cell, to } = before.gift
  const ring = offering(before)
  return [{ ring }, owns(ring), ...(to === null ? [] : [tell(to, { type: 'cell', change, cell })])]
}

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
