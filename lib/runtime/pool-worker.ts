/** The whole program of a pool thread: take the orders of the main thread, and run all actors of this thread in lock-step. */
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
import { type Seat, workInRounds } from './thread-rounds.ts'

/** An order of the main thread. */
export type PoolOrder =
  /** Makes an actor by the program of its module; with a number the order is answered. */
  | { readonly type: 'seat'; readonly program: string; readonly who: SpawnSpec; readonly n: number | null }
  /** Forgets an actor. */
  | { readonly type: 'unseat'; readonly slot: number }

/** The answer to an order: the name of the engine, or why the actor could not be made. */
export type PoolAnswer = { readonly n: number } & ({ readonly engine: string } | { readonly thrown: Thrown })

const { buffer, size, thread }: PoolThreadSpec = workerData
const board = new Board(buffer, size)
/** All actors of the thread write into its pages, which no slot owns. */
const mail = new SharedMail(board, new Pages(board, -thread))
const seats = new Map<number, Seat>()
/** What makes the actors of each module, by the path of its program. */
const makers = new Map<string, Make>()

/** Prepares the thread; what it returns runs it until the system stops. See `start`. */
export function work(): () => void {
  beginReporting()
  return () => workInRounds({ board, rounds: new Rounds(mail), thread, seats, takeOrders })
}

function takeOrders(): void {
  if (!parentPort) return
  for (let received = receiveMessageOnPort(parentPort); received; received = receiveMessageOnPort(parentPort)) {
    const order: PoolOrder = received.message
    if (order.type === 'unseat') seats.delete(order.slot)
    else seat(order)
  }
}

function seat({ program, who, n }: PoolOrder & { readonly type: 'seat' }): void {
  try {
    const { engine, cell } = makerIn(program)(who)
    seats.set(who.slot, {
      // the thread itself makes no promises, so nothing else is attributed to the actor afterwards
      runRound: (phase, now, subround) => {
        actAs(who.address)
        cell.runRound(phase, now, subround)
      },
    })
    if (n !== null) answer({ n, engine })
  } catch (error) {
    if (n === null) throw error
    answer({ n, thrown: thrownOf(error) })
  }
}

const answer = (said: PoolAnswer): void => parentPort?.postMessage(said)

function makerIn(program: string): Make {
  const known = makers.get(program)
  if (known) return known
  const rest = load(program)
  if (typeof rest !== 'function') throw new TypeError(`${program} makes no actors`)
  const make: Make = rest(mail)
  makers.set(program, make)
  return make
}
