/**
 * The two transports and, on top of each, an XState machine. `board` is lib's: records in shared memory, linked by
 * their sender. `port` is one postMessage per message over a direct MessagePort. Both carry the same envelope.
 */
import type { MessagePort } from 'node:worker_threads'
import { createActor } from 'xstate'
import { PERFECT_NETWORK } from '../../../lib/actor/network.ts'
import type { EnvelopeId } from '../../../lib/actor/step-report.ts'
import type { Message } from '../../../lib/actor.ts'
import { ActorCell, type CellOptions } from '../../../lib/cell/actor-cell.ts'
import { linkChain, modelNow, realWait } from '../../../lib/clock/realtime.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { xstateEngine } from '../../../lib/engine/xstate.ts'
import { CLASS_CONTROL, CLASS_MAIL, type LinkedEnvelope } from '../../../lib/memory/envelope.ts'
import { Board, type BoardSize } from '../../../lib/memory/layout.ts'
import { Mailbox } from '../../../lib/memory/mailbox.ts'
import { SharedMail } from '../../../lib/memory/shared-mail.ts'
import { inStep } from '../../engine/in-step.ts'
import player, { type Ball } from '../actors/player.ts'
import receiver from '../actors/receiver.ts'
import { type Offer, offer, type Size } from '../offer.ts'
import type { Player } from '../thread.ts'
import { TELL_EVERY, Words } from '../words.ts'

export interface TransportSeat {
  readonly slot: number
  readonly buffer: SharedArrayBuffer
  readonly size: BoardSize
  readonly words: SharedArrayBuffer
  /** A direct port to each other slot that this slot exchanges messages with. */
  readonly ports: ReadonlyMap<number, MessagePort>
}

export type Via = 'board' | 'port'

export type TransportOrder =
  | {
      readonly type: 'send'
      readonly via: Via
      readonly to: readonly number[]
      /** The number of messages to each recipient. */
      readonly count: number
      /** The number of messages that are handed over at once, as if sent in one step. */
      readonly burst: number
      readonly size: Size
      /** The recipients on the board are cells. */
      readonly toCells?: boolean
    }
  /** Receives `count` messages from each sender. */
  | { readonly type: 'receive'; readonly via: Via; readonly from: readonly number[]; readonly count: number }
  | { readonly type: 'handle'; readonly via: Via; readonly from: number; readonly count: number }
  /** Plays a number of round trips; the first of the two slots begins. */
  | {
      readonly type: 'echo'
      readonly via: Via
      readonly peer: number
      readonly rounds: number
      readonly first: boolean
    }
  | {
      readonly type: 'play'
      readonly via: Via
      readonly peer: number
      readonly rounds: number
      readonly first: boolean
    }

interface Envelope<M> {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly incarnation: number
  readonly seq: number
  readonly cause: EnvelopeId | null
  readonly sentAt: number
  readonly due: number
  readonly message: M
}

/** Cells have slots of their own, apart from those of the bare transport. */
export const CELLS = 16
const PLAYERS = 32
export const TRANSPORT_SIZE: BoardSize = { slots: 64, definitionWords: 1 << 18, pages: 16_384, mailbox: 1_000_000 }
const CAUSE: EnvelopeId = [3, 0, 17]

const OPTIONS: CellOptions = {
  seed: 1,
  order: 'fifo',
  schedule: 'fifo',
  time: 'real',
  network: PERFECT_NETWORK,
  reliable: null,
  trace: false,
  count: [],
  asks: 10,
  deferred: 10,
}

export default function transport({ slot, buffer, size, words: counts, ports }: TransportSeat): Player<TransportOrder> {
  const board = new Board(buffer, size)
  const { i32 } = board
  const words = new Words(counts)
  const mail = new SharedMail(board)
  const endpoint = mail.endpoint(slot, 0)
  endpoint.cause = CAUSE
  const mailbox = new Mailbox(endpoint, slot, 'fifo', 'real')
  let seq = 0

  const post = (to: number): void => {
    endpoint.post(to, CLASS_MAIL, 0)
  }
  const flush = (): void => {
    endpoint.publish()
    linkChain(board, slot)
  }
  const hasMail = (own: number): boolean => Atomics.load(i32, board.head + own) !== 0
  const envelope = (to: number, message: Message): Envelope<Message> => {
    const own = seq++
    return { id: own, from: slot, to, incarnation: 0, seq: own, cause: CAUSE, sentAt: 0, due: 0, message }
  }
  const open = (taken: LinkedEnvelope): Envelope<Plain> => {
    const [from, incarnation, own] = taken.id
    const { to, cause, sentAt, due } = taken
    const opened = { id: own, from, to, incarnation, seq: own, cause, sentAt, due, message: taken.read() }
    taken.release()
    return opened
  }
  const portTo = (peer: number): MessagePort => {
    const port = ports.get(peer)
    if (!port) throw new Error(`slot ${slot} has no port to slot ${peer}`)
    return port
  }
  /** Passes every message of the board to `handle` until it returns that this was the last. */
  const readBoard = (handle: (envelope: Envelope<Plain>) => boolean): void => {
    const bell = board.bell(slot)
    for (let isLast = false; !isLast; ) {
      const rung = Atomics.load(i32, bell)
      mailbox.collect()
      let taken = mailbox.take(0)
      if (!taken) realWait(board, { thread: slot, rung, next: () => (hasMail(slot) ? 0 : Number.POSITIVE_INFINITY) })
      for (; taken; taken = mailbox.take(0)) isLast = handle(open(taken))
    }
  }
  /** Passes every message of the ports to `handle` likewise; the ports listen only meanwhile. */
  const readPorts = <M>(
    peers: readonly number[],
    handle: (envelope: Envelope<M>, port: MessagePort) => boolean,
  ): Promise<void> =>
    new Promise((resolve) => {
      const ends = peers.map((peer) => {
        const port = portTo(peer)
        const listener = (envelope: Envelope<M>) => {
          if (!handle(envelope, port)) return
          for (const end of ends) end()
          resolve()
        }
        port.on('message', listener)
        return () => port.off('message', listener)
      })
    })

  const send = ({ via, to, count, burst, size, toCells }: TransportOrder & { type: 'send' }): void => {
    const peers = to.map((peer) => ({ peer, port: portTo(peer), recipient: toCells ? peer + CELLS : peer }))
    words.awaitGate()
    for (let sent = 0; sent < count; ) {
      for (const { peer } of peers) words.keepPace(pace(slot, peer), sent)
      const end = Math.min(count, sent + burst)
      for (; sent < end; sent++) {
        const message = offer(size, sent)
        if (via === 'port') {
          for (const { peer, port } of peers) port.postMessage(envelope(peer, message))
        } else {
          endpoint.pack(message)
          for (const { recipient } of peers) post(recipient)
        }
      }
      if (via === 'board') flush()
    }
  }

  const receive = ({ via, from, count }: TransportOrder & { type: 'receive' }): void | Promise<void> => {
    const total = count * from.length
    const taken = new Int32Array(64)
    let all = 0
    let sum = 0
    const handle = ({ from: sender, seq, message }: Envelope<Plain>): boolean => {
      sum += seq + (message === null ? 1 : 0)
      const own = (taken[sender] ?? 0) + 1
      taken[sender] = own
      if (own % TELL_EVERY === 0) words.set(pace(sender, slot), own)
      return ++all === total
    }
    const check = () => {
      if (Number.isNaN(sum)) throw new Error('messages without a number')
    }
    if (via === 'port') return readPorts(from, handle).then(check)
    readBoard(handle)
    return check()
  }

  /** Starts a cell that knows the addresses of all cells of its kind. */
  const cellAt = (
    own: number,
    base: number,
    machine: unknown,
  ): { run: (steps: number, each: (step: number) => void) => void } => {
    const cell = new ActorCell(
      mail,
      xstateEngine(machine, 'bench'),
      { slot: own, incarnation: 0, address: addressOf(own) },
      OPTIONS,
    )
    const known = { slots: 0, stopped: [], addresses: addresses(base) }
    endpoint.pack({ type: 'start', input: null, records: [], ...known })
    endpoint.post(own, CLASS_CONTROL, 0)
    flush()
    const bell = board.bell(own)
    const stepsOf = () => board.num(board.steps + own)
    const run = (steps: number, each: (step: number) => void) => {
      const before = stepsOf()
      // the same loop as in lib/runtime/thread-realtime.ts, for one actor
      for (let step = 0; step < steps; ) {
        const rung = Atomics.load(i32, bell)
        const now = modelNow(board)
        const next = cell.runNext(now)
        linkChain(board, own)
        Atomics.add(i32, board.done + own, 1)
        if (stepsOf() - before > step) each(++step)
        if (next > now && step < steps) realWait(board, { thread: own, rung, next: () => (hasMail(own) ? 0 : next) })
      }
    }
    run(1, () => {})
    return { run }
  }
  const cells = new Map<unknown, ReturnType<typeof cellAt>>()
  const cellOf = (base: number, machine: unknown) => {
    const cell = cells.get(machine) ?? cellAt(slot + base, base, machine)
    cells.set(machine, cell)
    return cell
  }

  /** One actor for all pieces, since there is one cell. */
  const receiving = createActor(receiver, { input: null })
  let balls: MessagePort | undefined
  const playing = createActor(
    player.provide({
      actions: {
        tell: (_, { message }: { message: Message }) => balls?.postMessage(envelope(slot, message)),
      },
    }),
    { input: null },
  )
  receiving.start()
  playing.start()

  const handleAll = (
    { via, from, count }: TransportOrder & { type: 'handle' },
    ready: () => void,
  ): void | Promise<void> => {
    const each = (step: number) => {
      if (step % TELL_EVERY === 0) words.set(pace(from, slot), step)
    }
    if (via === 'port') {
      let step = 0
      const all = readPorts<Offer>([from], ({ message }) => {
        inStep(() => receiving.send(message), 0, addressOf(from))
        each(++step)
        return step === count
      })
      ready()
      return all
    }
    const cell = cellOf(CELLS, receiver)
    ready()
    return cell.run(count, each)
  }

  const echo = ({ via, peer, rounds, first }: TransportOrder & { type: 'echo' }): void | Promise<void> => {
    let left = rounds
    const hit = (port?: MessagePort) => {
      const message = offer('tiny', left)
      if (port) port.postMessage(envelope(peer, message))
      else {
        endpoint.pack(message)
        post(peer)
        flush()
      }
    }
    const handle = (_: Envelope<Plain>, port?: MessagePort): boolean => {
      left--
      if (!first || left > 0) hit(port)
      return left === 0
    }
    const port = via === 'port' ? portTo(peer) : undefined
    const all = port && readPorts([peer], handle)
    if (first) {
      words.awaitGate()
      hit(port)
    }
    return all ?? readBoard(handle)
  }

  const play = (
    { via, peer, rounds, first }: TransportOrder & { type: 'play' },
    ready: () => void,
  ): void | Promise<void> => {
    const left = 2 * rounds - 1
    if (via === 'port') {
      const port = portTo(peer)
      balls = port
      let hits = 0
      const all = readPorts<Ball>([peer], ({ message }) => {
        inStep(() => playing.send(message), 0, addressOf(peer))
        return ++hits === rounds
      })
      ready()
      if (first) {
        words.awaitGate()
        inStep(() => playing.send({ type: 'serve', to: '', left }))
      }
      return all
    }
    const cell = cellOf(PLAYERS, player)
    ready()
    if (first) {
      words.awaitGate()
      endpoint.pack({ type: 'serve', to: addressOf(peer + PLAYERS), left })
      post(slot + PLAYERS)
      flush()
    }
    return cell.run(first ? rounds + 1 : rounds, () => {})
  }

  return (order, ready) => {
    if (order.type === 'handle') return handleAll(order, ready)
    if (order.type === 'play') return play(order, ready)
    ready()
    if (order.type === 'send') return send(order)
    return order.type === 'receive' ? receive(order) : echo(order)
  }
}

/** The word where the receiver of a pair writes its progress. */
const pace = (from: number, to: number): number => Math.max(from, to)

const addressOf = (slot: number): string => `a@${slot}`

const addresses = (base: number): string[] =>
  Array.from({ length: base + 16 }, (_, slot) => (slot >= base ? addressOf(slot) : ''))
