/**
 * Stride scheduling (Waldspurger & Weihl, TM-528; paper, section 2.2): the client with the least pass is next, and
 * its pass grows by its stride for each quantum. Passes are doubles; see STRIDE1 for when they are exact.
 */
import type { Time } from '../../lib/actor.ts'
import { type Heap, heapOf, itemsOf, pop, push, replace } from './heap.ts'

export interface Client {
  /** The number of its creation, which decides between equal passes. */
  readonly order: number
  /** The base tickets of the client, > 0. */
  readonly tickets: number
  /** The exhaustible tickets of the client; may be negative. */
  readonly extra: number
  /** The pass of the client: its place in the order of service, while it competes. */
  readonly pass: number
  /**
   * While it does not compete: how far its pass was beyond the global pass, times its net tickets. That product does
   * not depend on its tickets, so a change of tickets rescales nothing.
   */
  readonly lag: number
}

/** The clients that compete: `running` has the processor and is not among `ready`. */
export interface Queue<C extends Client> {
  readonly ready: Heap<C>
  readonly running: C | null
  /** T: the net tickets of the ready and the running clients. */
  readonly total: number
  readonly globalPass: number
  /** When the global pass was last brought up to date. */
  readonly at: Time
}

export interface Pace {
  readonly quantum: Time
  readonly stride1: number
}

/**
 * The fewest tickets with which a client competes. With fewer its stride would be so long that, once it had been
 * alone, the passes of all later clients would be too large for doubles to tell them apart; and rounding may leave a
 * trace where tickets should be 0.
 */
export const LEAST_TICKETS = 1e-6

export const EMPTY: Queue<never> = { ready: null, running: null, total: 0, globalPass: 0, at: 0 }

export const netOf = ({ tickets, extra }: Client): number => tickets + extra

const isBefore = (one: Client, other: Client): boolean =>
  one.pass < other.pass || (one.pass === other.pass && one.order < other.order)

/**
 * Brings the global pass up to date. It rises by the stride of all tickets together, and stands still while no client
 * competes.
 */
export function advance<C extends Client>(queue: Queue<C>, now: Time, { quantum, stride1 }: Pace): Queue<C> {
  if (queue.total <= 0 || now === queue.at) return { ...queue, at: now }
  const rise = (stride1 / queue.total) * ((now - queue.at) / quantum)
  return { ...queue, at: now, globalPass: queue.globalPass + rise }
}

/** Charges a client for having used the processor for `used`. */
export const charge = <C extends Client>(client: C, used: Time, { quantum, stride1 }: Pace): C =>
  used === 0 ? client : { ...client, pass: client.pass + (stride1 / netOf(client)) * (used / quantum) }

/** The client as it enters the competition. `queue` must be up to date, and the client's net tickets > 0. */
export const entering = <C extends Client>({ globalPass }: Queue<C>, client: C): C => ({
  ...client,
  pass: globalPass + client.lag / netOf(client),
})

/** The client as it leaves the competition. It must be charged, and `queue` up to date. */
export const leaving = <C extends Client>({ globalPass }: Queue<C>, client: C): C => ({
  ...client,
  lag: (client.pass - globalPass) * netOf(client),
})

export const join = <C extends Client>(queue: Queue<C>, client: C): Queue<C> => ({
  ...queue,
  ready: push(queue.ready, client, isBefore),
  total: queue.total + netOf(client),
})

/** Gives the free processor to the first ready client. */
export const dispatch = <C extends Client>(queue: Queue<C>): Queue<C> =>
  queue.ready ? { ...queue, running: queue.ready.top, ready: pop(queue.ready, isBefore) } : queue

/** Puts the running client back among the ready ones. */
export const requeue = <C extends Client>(queue: Queue<C>): Queue<C> =>
  queue.running ? { ...queue, running: null, ready: push(queue.ready, queue.running, isBefore) } : queue

/** Whether the first ready client precedes the running one. */
export const isOvertaken = <C extends Client>({ ready, running }: Queue<C>): boolean =>
  ready !== null && running !== null && isBefore(ready.top, running)

/** The queue without its running client. */
export function release<C extends Client>(queue: Queue<C>): Queue<C> {
  if (!queue.running) return queue
  // an empty queue keeps no rounding errors.
  const total = queue.ready ? queue.total - netOf(queue.running) : 0
  return { ...queue, running: null, total }
}

export const competitors = <C extends Client>({ ready, running }: Queue<C>): C[] =>
  running ? [running, ...itemsOf(ready)] : itemsOf(ready)

/** Replaces a ready client that keeps its place. */
export const renew = <C extends Client>(queue: Queue<C>, order: number, by: (client: C) => C): Queue<C> => ({
  ...queue,
  ready: replace(queue.ready, (client) => client.order === order, by),
})

/** The queue without a ready client. */
export function without<C extends Client>(queue: Queue<C>, gone: C): Queue<C> {
  const ready = itemsOf(queue.ready).filter(({ order }) => order !== gone.order)
  const total = ready.length > 0 || queue.running ? queue.total - netOf(gone) : 0
  return { ...queue, ready: heapOf(ready, isBefore), total }
}

/** Replaces ready clients whose tickets, and so whose passes, have changed; by order. */
export function exchanged<C extends Client>(queue: Queue<C>, changed: ReadonlyMap<number, C>): Queue<C> {
  const ready = itemsOf(queue.ready).map((client) => changed.get(client.order) ?? client)
  return { ...queue, ready: heapOf(ready, isBefore) }
}
