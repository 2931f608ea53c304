/** One thread of a ring that passes a token on: in lib's rounds, by the bare primitives, or by a coordinator. */
import type { MessagePort } from 'node:worker_threads'
import { PERFECT_NETWORK } from '../../../lib/actor/network.ts'
import { type Effect, tell } from '../../../lib/actor.ts'
import { ActorCell, type CellOptions } from '../../../lib/cell/actor-cell.ts'
import { Rounds } from '../../../lib/clock/lockstep.ts'
import { linkChain } from '../../../lib/clock/realtime.ts'
import { isObject } from '../../../lib/core/data.ts'
import type { Engine } from '../../../lib/engine/engine.ts'
import { CLASS_MAIL } from '../../../lib/memory/envelope.ts'
import { Board, type BoardSize } from '../../../lib/memory/layout.ts'
import { Mailbox } from '../../../lib/memory/mailbox.ts'
import { SharedMail } from '../../../lib/memory/shared-mail.ts'
import type { Player } from '../thread.ts'
import { Words } from '../words.ts'

export interface RingSeat {
  readonly slot: number
  /** The number of threads, in slots 1, 2, ... */
  readonly of: number
  readonly buffer: SharedArrayBuffer
  readonly size: BoardSize
  readonly words: SharedArrayBuffer
  /** The port to the coordinator. */
  readonly port: MessagePort
}

export type RingOrder =
  | { readonly type: 'rounds' }
  /** Passes the token by words that count down; a thread waits while its word is 0. */
  | { readonly type: 'hop' }
  /** Passes the token in the same way, with the number in a message. */
  | { readonly type: 'mail' }
  | { readonly type: 'coordinated' }

export const addressOf = (slot: number): string => `ring@m${slot}`

/** Mail without rounds goes to separate slots. */
export const beside = (slot: number, of: number): number => slot + of

export type Token = { readonly type: 'token'; readonly left: number }

/** The messages between a coordinator and one thread. */
export interface Turn {
  readonly round: number
  readonly now: number
  readonly mail: readonly Envelope[]
}
export interface Turned {
  readonly round: number
  readonly sends: readonly Envelope[]
}
export interface Envelope {
  readonly from: number
  readonly to: number
  readonly incarnation: number
  readonly seq: number
  readonly sentAt: number
  readonly due: number
  readonly message: Token
}

const OPTIONS: CellOptions = {
  seed: 1,
  order: 'fifo',
  schedule: 'fifo',
  time: 'virtual',
  network: PERFECT_NETWORK,
  reliable: null,
  trace: false,
  count: [],
  asks: 10,
  deferred: 10,
}

/** Passes the token on without a statechart, so that only the rounds are measured. */
function ringEngine(next: string): Engine<number> {
  const nothing: readonly Effect[] = []
  return {
    name: 'ring',
    initial: () => [0, nothing],
    step: (count, event) => {
      const left = 'left' in event && typeof event.left === 'number' ? event.left : 0
      return [count + 1, left > 0 ? [tell(next, { type: 'token', left: left - 1 })] : nothing]
    },
    view: (count) => ({ value: 'ring', context: count, status: 'active' }),
    handles: () => true,
    knows: (type) => type === 'token',
    types: ['token'],
    states: ['ring'],
    charts: [],
    urgent: undefined,
  }
}

export default function ring({ slot, of, buffer, size, words: counts, port }: RingSeat): Player<RingOrder> {
  const board = new Board(buffer, size)
  const { i32, lead, stop } = board
  const shared = new SharedMail(board)
  const rounds = new Rounds(shared)
  const next = (slot % of) + 1
  const who = { slot, incarnation: 0, address: addressOf(slot) }
  const cell = new ActorCell(shared, ringEngine(addressOf(next)), who, OPTIONS)
  const words = new Words(counts)
  const own = beside(slot, of)
  const endpoint = shared.endpoint(own, 0)
  const mailbox = new Mailbox(endpoint, own, 'fifo', 'real')

  /** The loop of lib/runtime/worker.ts, which can be called repeatedly here. */
  const inRounds = (): void => {
    const bell = board.bell(slot)
    while (true) {
      const rung = Atomics.load(i32, bell)
      if (Atomics.load(i32, stop) === 1) return
      const round = Atomics.load(i32, lead)
      if (round >= 0 && rounds.isActive(slot, round)) {
        const { phase, now, subround } = rounds.at(round)
        cell.runRound(phase, now, subround)
        if (rounds.finish(slot, round)) rounds.ringActives(round + 1, slot)
      } else Atomics.wait(i32, bell, rung)
    }
  }

  const hop = (): void => {
    while (true) {
      words.await(slot, 0)
      const left = words.get(slot)
      if (left === 0) continue
      words.set(slot, 0)
      words.set(next, left > 1 ? left - 1 : -1)
      if (left < 0) return
    }
  }

  /** After the end it counts below zero, until all threads have noticed. */
  const mail = (): void => {
    for (let left = 1; left > 0; ) {
      words.await(slot, 0)
      if (words.get(slot) === 0) continue
      words.set(slot, 0)
      mailbox.collect()
      const envelope = mailbox.take(0)
      const token = envelope?.read()
      envelope?.release()
      left = isObject(token) ? Number(token['left']) : 0
      if (left === -of) continue
      endpoint.pack({ type: 'token', left: left === 1 ? -1 : left - 1 })
      endpoint.post(beside(next, of), CLASS_MAIL, 0)
      endpoint.publish()
      linkChain(board, own)
      words.set(next, 1)
    }
  }

  const coordinated = (): Promise<void> =>
    new Promise((resolve) => {
      let seq = 0
      const listener = ({ round, now, mail }: Turn) => {
        if (round < 0) {
          port.off('message', listener)
          return resolve()
        }
        const sends = mail.flatMap(({ message: { left } }): Envelope[] =>
          left === 0
            ? []
            : [
                {
                  from: slot,
                  to: next,
                  incarnation: 0,
                  seq: seq++,
                  sentAt: now,
                  due: now,
                  message: { type: 'token', left: left - 1 },
                },
              ],
        )
        const turned: Turned = { round, sends }
        port.postMessage(turned)
      }
      port.on('message', listener)
    })

  return ({ type }, ready) => {
    ready()
    if (type === 'rounds') return inRounds()
    if (type === 'mail') return mail()
    return type === 'hop' ? hop() : coordinated()
  }
}
