/**
 * The receiver's side of reliable delivery: delivers the messages of each incarnation of each peer once and in the order
 * of their sequence numbers, and decides what to acknowledge. It sends nothing itself.
 */
import type { SequencePlace } from '../../memory/envelope.ts'
import type { Receipt } from './outgoing.ts'

interface Stream<M> {
  readonly from: number
  readonly incarnation: number
  /** The sequence number to be delivered next. */
  next: number
  /** Messages that came too early, by sequence number. */
  readonly held: Map<number, M>
  /** Sequence numbers that came since the last receipt. */
  came: number[]
}

/** A receipt for what an incarnation of a peer sent. */
export interface Owed {
  readonly from: number
  readonly incarnation: number
  readonly receipt: Receipt
}

export class Incoming<M> {
  readonly #streams = new Map<string, Stream<M>>()
  readonly #owing = new Set<Stream<M>>()

  /** Accepts a message, which `take` delivers; false for a duplicate. Both are acknowledged. */
  accept(from: number, incarnation: number, { n, base }: SequencePlace, message: M): boolean {
    const key = `${from}.${incarnation}`
    const stream: Stream<M> = this.#streams.get(key) ?? { from, incarnation, next: 0, held: new Map(), came: [] }
    this.#streams.set(key, stream)
    this.#owing.add(stream)
    if (base > stream.next) {
      // The sender has given up all smaller numbers: those that are missing, and those that came but were not acknowledged.
      stream.next = base
      for (const early of stream.held.keys()) if (early < base) stream.held.delete(early)
    }
    if (n < stream.next) return false
    stream.came.push(n)
    if (stream.held.has(n)) return false
    stream.held.set(n, message)
    return true
  }

  /** Says whether `take` would deliver anything if this copy came now. */
  isNext(from: number, incarnation: number, { n, base }: SequencePlace): boolean {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    const next = Math.max(stream?.next ?? 0, base)
    return n === next || stream?.held.has(next) === true
  }

  /** Acknowledges once more what was delivered before; the copy that came is not accepted. */
  decline(from: number, incarnation: number): void {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    if (stream) this.#owing.add(stream)
  }

  /** Delivers the next message in order; undefined if it has not come. */
  take(from: number, incarnation: number): M | undefined {
    const stream = this.#streams.get(`${from}.${incarnation}`)
    const message = stream?.held.get(stream.next)
    if (stream && message !== undefined) stream.held.delete(stream.next++)
    return message
  }

  /** Takes the acknowledgements that are due since the last call, in the order of coming. */
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
