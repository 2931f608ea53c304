/** Lock-step rounds with one active thread each: a token travels around N threads. */

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Rounds } from '../../lib/clock/lockstep.ts'
import { linkChain } from '../../lib/clock/realtime.ts'
import { SYSTEM } from '../../lib/core/address.ts'
import type { Plain } from '../../lib/core/data.ts'
import { CLASS_CONTROL, CLASS_MAIL } from '../../lib/memory/envelope.ts'
import { Board, type BoardSize } from '../../lib/memory/layout.ts'
import type { Endpoint } from '../../lib/memory/mail.ts'
import { SharedMail } from '../../lib/memory/shared-mail.ts'
import { Crew } from './crew.ts'
import { type Cost, digits, inTurns, type Measure, median, medianRatio, type Row } from './measure.ts'
import {
  addressOf,
  beside,
  type Envelope,
  type RingOrder,
  type RingSeat,
  type Turn,
  type Turned,
} from './threads/ring.ts'
import { Words } from './words.ts'

/** A slot for each thread, and one for its mail without rounds. */
const sizeOf = (of: number): BoardSize => ({ slots: 2 * of + 2, definitionWords: 1 << 18, pages: 4096, mailbox: 1000 })

/** A ring of threads; each of its methods passes a token on `count` times. */
export class Ring {
  readonly #of: number
  readonly #board: Board
  readonly #rounds: Rounds
  readonly #endpoint: Endpoint
  readonly #words: Words
  readonly #ports: readonly MessagePort[]
  readonly #crew: Crew<RingOrder>

  private constructor(board: Board, words: Words, ports: readonly MessagePort[], crew: Crew<RingOrder>) {
    this.#of = crew.workers.length
    this.#board = board
    const mail = new SharedMail(board)
    this.#rounds = new Rounds(mail)
    this.#endpoint = mail.endpoint(SYSTEM, 0)
    this.#words = words
    this.#ports = ports
    this.#crew = crew
    board.put(board.lastRound, Number.POSITIVE_INFINITY)
    board.set(board.lastSubround, 2 ** 31 - 1)
    this.#rounds.open()
    const slots = Array.from({ length: this.#of }, (_, i) => i + 1)
    for (const slot of slots) mail.setAddress(slot, addressOf(slot))
    const start = { type: 'start', input: null, records: [], slots: this.#of, stopped: [] }
    for (const slot of slots) this.#post(slot, CLASS_CONTROL, start)
  }

  static async open(of: number): Promise<Ring> {
    const size = sizeOf(of)
    const board = Board.create(size, true)
    const { buffer } = board.i32
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('threads need a shared board')
    const words = Words.buffer(size.slots)
    const channels = Array.from({ length: of }, () => new MessageChannel())
    const parts = channels.map(({ port2: port }, i) => ({
      seat: { slot: i + 1, of, buffer, size, words, port },
      transfer: [port],
    }))
    const crew = await Crew.open<RingSeat, RingOrder>('ring.ts', parts)
    return new Ring(
      board,
      new Words(words),
      channels.map(({ port1 }) => port1),
      crew,
    )
  }

  #post(to: number, kind: number, message: Plain): void {
    const { now } = this.#rounds.at(this.#board.int(this.#board.lead))
    this.#endpoint.moveTo(now, 0)
    this.#endpoint.pack(message)
    this.#endpoint.post(to, kind, now)
  }

  #play(order: RingOrder, conduct: () => void | Promise<void>): Promise<Cost> {
    return this.#crew.play(
      this.#crew.workers.map(() => order),
      conduct,
    )
  }

  /** Passes the token in rounds. Main takes part like lib's system: it starts the rounds, and is woken when nothing is left to do. */
  async inRounds(count: number): Promise<Cost> {
    const board = this.#board
    board.set(board.stop, 0)
    const before = this.#steps
    const cost = await this.#play({ type: 'rounds' }, async () => {
      this.#post(1, CLASS_MAIL, { type: 'token', left: count })
      const mine = board.int(board.lead)
      this.#endpoint.publish()
      if (this.#rounds.finish(SYSTEM, mine)) this.#rounds.ringActives(mine + 1, SYSTEM)
      while (true) {
        const rung = board.int(board.bell(SYSTEM))
        const round = board.int(board.lead)
        if (round > mine && this.#rounds.isActive(SYSTEM, round)) break
        const waiting = Atomics.waitAsync(board.i32, board.bell(SYSTEM), rung)
        if (waiting.async) await waiting.value
      }
      board.set(board.stop, 1)
      for (let slot = 1; slot <= this.#of; slot++) board.ring(slot)
    })
    const taken = this.#steps - before
    if (taken <= count) throw new Error(`the token was lost after ${taken} of ${count} rounds`)
    return cost
  }

  get #steps(): number {
    const board = this.#board
    return Array.from({ length: this.#of }, (_, i) => board.num(board.steps + 1 + i)).reduce((sum, n) => sum + n, 0)
  }

  byHops(count: number): Promise<Cost> {
    for (let slot = 1; slot <= this.#of; slot++) this.#words.set(slot, 0)
    return this.#play({ type: 'hop' }, () => this.#words.set(1, count))
  }

  /** Passes the token as `byHops` does, with a message as the token. */
  byMail(count: number): Promise<Cost> {
    const board = this.#board
    for (let slot = 1; slot <= this.#of; slot++) this.#words.set(slot, 0)
    return this.#play({ type: 'mail' }, () => {
      this.#endpoint.moveTo(0, 0)
      this.#endpoint.pack({ type: 'token', left: count })
      this.#endpoint.post(beside(1, this.#of), CLASS_MAIL, 0)
      this.#endpoint.publish()
      linkChain(board, SYSTEM)
      this.#words.set(1, 1)
    })
  }

  byCoordinator(count: number): Promise<Cost> {
    return this.#play(
      { type: 'coordinated' },
      () =>
        new Promise((resolve) => {
          const say = (slot: number, round: number, mail: readonly Envelope[]) => {
            const turn: Turn = { round, now: 0, mail }
            this.#ports[slot - 1]?.postMessage(turn)
          }
          const listener = ({ round, sends }: Turned) => {
            const [send] = sends
            if (send) return say(send.to, round + 1, sends)
            for (const port of this.#ports) port.off('message', listener)
            for (let slot = 1; slot <= this.#of; slot++) say(slot, -1, [])
            resolve()
          }
          for (const port of this.#ports) port.on('message', listener)
          const message = { type: 'token', left: count } as const
          say(1, 0, [{ from: 0, to: 1, incarnation: 0, seq: 0, sentAt: 0, due: 0, message }])
        }),
    )
  }

  async close(): Promise<void> {
    await this.#crew.close()
  }
}

/**
 * `most` is a bound in bare hops, which carry nothing; a hop with a message is the floor of a round. With 128 threads the cost is
 * mostly code that is not optimized yet: V8 optimizes after some 1500 steps of each thread, and the threads share only the caches
 * of the computer.
 */
const rounds = (of: number, most: number, count: number): Measure => ({
  name: `rounds ${of}`,
  async run({ repeats, quick }) {
    const ring = await Ring.open(of)
    const hops = quick ? count / 10 : count
    const turns = [() => ring.inRounds(hops), () => ring.byHops(hops), () => ring.byMail(hops)]
    if (of === 8) turns.push(() => ring.byCoordinator(hops))
    try {
      const costs = await inTurns(repeats, ...turns)
      const [ours = [], bare = [], mailed = [], coordinated] = costs.map((side) => side.map(({ ms }) => ms))
      const [cpu = [], bareCpu = []] = costs.map((side) => side.map(({ cpuMs }) => cpuMs))
      const shown = (times: readonly number[]) => `${digits((median(times) / hops) * 1000)} us`
      const rows: Row[] = [
        {
          name: `lock-step round of ${of} (other: token hop)`,
          ours: shown(ours),
          other: shown(bare),
          ratio: medianRatio(ours, bare),
          target: { most },
        },
        {
          name: '  of CPU, which other work disturbs less',
          ours: `${shown(cpu)} CPU`,
          other: `${shown(bareCpu)} CPU`,
          ratio: medianRatio(cpu, bareCpu),
        },
        {
          name: '  a hop with a message, and no rounds (other: token hop)',
          ours: shown(mailed),
          other: shown(bare),
          ratio: medianRatio(mailed, bare),
        },
      ]
      if (coordinated) {
        rows.push({
          name: `lock-step round of ${of} (other: coordinator)`,
          ours: shown(ours),
          other: shown(coordinated),
          ratio: medianRatio(coordinated, ours),
          target: { least: 3 },
        })
      }
      return rows
    } finally {
      await ring.close()
    }
  },
})

export const lockStep: readonly Measure[] = [rounds(8, 1.5, 20_000), rounds(32, 2, 20_000), rounds(128, 2, 30_000)]
