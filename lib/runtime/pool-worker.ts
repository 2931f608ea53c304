/** The whole program of a pool thread: take the orders of the main thread, and run all actors of this thread. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Rounds } from '../clock/lockstep.ts'
import { type Thrown, thrownOf } from '../core/thrown.ts'
import { Board } from '../memory/layout.ts'
import { Pages } from '../memory/pages.ts'
import { SharedMail } from '../memory/shared-mail.ts'
import { load } from './bootstrap.ts'
import type { Make } from './pool-module.ts'
import { actAs, beginReporting } from './rejections.ts'
import type { PoolThreadSpec, SpawnSpec } from './runtime.ts'
import { type RealTimeSeat, workInRealTime } from './thread-realtime.ts'
import { type Seat, workInRounds } from './thread-rounds.ts'

/** An order of the main thread. */
export type PoolOrder =
  /** Makes an actor by the program of its module; with a number the order is answered. */
  | { readonly type: 'seat'; readonly program: string; readonly who: SpawnSpec; readonly n: number | null }
  /** Forgets an actor; with a number the order is answered. */
  | { readonly type: 'unseat'; readonly slot: number; readonly n: number | null }

/**
 * The answers to an order: that an actor is about to be made, whose module may take long to load; then the name of its engine, null
 * if an actor was forgotten, or what was thrown.
 */
export type PoolAnswer = { readonly n: number } & (
  | { readonly isLoading: true }
  | { readonly engine: string | null }
  | { readonly thrown: Thrown }
)

const { buffer, size, thread, options }: PoolThreadSpec = workerData
const board = new Board(buffer, size)
/** All actors of the thread write into its pages, which no slot owns. */
const mail = new SharedMail(board, new Pages(board, -thread))
const seats = new Map<number, Seat & RealTimeSeat>()
/** What makes the actors of each module, by the path of its program. */
const makers = new Map<string, Make>()

/** Prepares the thread; what it returns runs it until the system stops. See `start`. */
export function work(): () => void {
  beginReporting()
  return () => {
    if (options.time === 'real') workInRealTime({ board, thread, seats, takeOrders })
    else workInRounds({ board, rounds: new Rounds(mail), thread, seats, takeOrders })
  }
}

function takeOrders(): void {
  if (!parentPort) return
  for (let received = receiveMessageOnPort(parentPort); received; received = receiveMessageOnPort(parentPort)) {
    const order: PoolOrder = received.message
    if (order.type === 'unseat') {
      seats.delete(order.slot)
      answer(order.n, { engine: null })
    } else seat(order)
  }
}

function seat({ program, who, n }: PoolOrder & { readonly type: 'seat' }): void {
  try {
    if (!makers.has(program)) answer(n, { isLoading: true })
    const { engine, cell } = makerIn(program)(who)
    // the thread itself makes no promises, so nothing else is attributed to the actor afterwards
    seats.set(who.slot, {
      slot: who.slot,
      runRound: (phase, now, subround) => {
        actAs(who.address)
        cell.runRound(phase, now, subround)
      },
      runNext: (now) => {
        actAs(who.address)
        return cell.runNext(now)
      },
    })
    answer(n, { engine })
  } catch (error) {
    if (n === null) throw error
    answer(n, { thrown: thrownOf(error) })
  }
}

type Said<A> = A extends PoolAnswer ? Omit<A, 'n'> : never

function answer(n: number | null, said: Said<PoolAnswer>): void {
  if (n !== null) parentPort?.postMessage({ n, ...said })
}

function makerIn(program: string): Make {
  const known = makers.get(program)
  if (known) return known
  const rest = load(program)
  if (typeof rest !== 'function') throw new TypeError(`${program} makes no actors`)
  const make: Make = rest(mail)
  makers.set(program, make)
  return make
}
