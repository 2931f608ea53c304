/**
 * The receiver's side of reliable delivery: of what comes from each incarnation of each peer it hands on every message once
 * and in the order of sending, and says what to acknowledge. Pure but for its memory.
 */
import type { Packet, Receipt } from './outgoing.ts'

interface Stream<M> {
  readonly from: number
  readonly incarnation: number
  /** The number to be handed on next. */
  next: number
  /** What came too early, by number. */
  readonly held: Map<number, M>
  /** Numbers that came since the last receipt. */
  came: number[]
}

/** Where a copy belongs among those from its sender's incarnation. */
export type Place = Pick<Packet<unknown>, 'n' | 'base'>

/** A receipt for what an incarnation of a peer sent. */
export interface Owed {
  readonly from: number
  readonly incarnation: number
  readonly receipt: Receipt
}

export class Incoming<M> {
  readonly #streams = new Map<string, Stream<M>>()
  readonly #owing = new Set<Stream<M>>()

  /** Takes what came, to be handed on by `take`; false if it had come before. Either way it is to be acknowledged. */
  accept(from: number, incarnation: number, { n, base }: Place, message: M): boolean {
    const key = `${from}.${incarnation}`
    const stream: Stream<M> = this.#streams.get(key) ?? { from, incarnation, next: 0, held: new Map(), came: [] }
    this.#streams.set(key, stream)
    this.#owing.add(stream)
    if (base > stream.next) {
      // The sender has given up what is missing, and has given up, too, what came after it and was not acknowledged.
      stream.next = base
      for (const early of stream.held.keys()) if (early < base) stream.held.delete(early)
    }
    if (n < stream.next) return false
    stream.came.push(n)
    if (stream.held.has(n)) return false
    stream.held.set(n, message)
    return true
  }

  /** If it came now, would `take` have anything? */
  isNext(from: number, incarnation: number, { n, base }: Place): boolean {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    const next = Math.max(stream?.next ?? 0, base)
    return n === next || stream?.held.has(next) === true
  }

  /** What came is not taken, and never will be; what was handed on before is to be acknowledged once more. */
  decline(from: number, incarnation: number): void {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    if (stream) this.#owing.add(stream)
  }

  /** The next message in order; with that it counts as delivered. Undefined if it has not come. */
  take(from: number, incarnation: number): M | undefined {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    const message = stream?.held.get(stream.next)
    if (stream && message !== undefined) stream.held.delete(stream.next++)
    return message
  }

  /** What is to be acknowledged since the last call, in the order of coming. */
  receipts(): Owed[] {
    const owed = [...this.#owing].map((stream) => {
      const { from, incarnation, next, came } = stream
      stream.came = []
      return { from, incarnation, receipt: { upTo: next, held: came.filter((n) => n >= next) } }
    })
    this.#owing.clear()
    return owed
  }
}
