/** Shared words by which the threads of a benchmark start together and keep pace. */

/** A cache line of int32s. */
const LINE = 16

/** The maximum lead of the sender over a receiver in messages, so that no queue grows without end. */
const AHEAD = 4096
/** The number of messages after which receivers report their progress. */
export const TELL_EVERY = 64

export class Words {
  readonly #i32: Int32Array

  constructor(buffer: SharedArrayBuffer) {
    this.#i32 = new Int32Array(buffer)
  }

  static buffer(words: number): SharedArrayBuffer {
    return new SharedArrayBuffer((words + 1) * LINE * 4)
  }

  /** Blocks until the next `open`. */
  awaitGate(): void {
    Atomics.wait(this.#i32, 0, 0)
  }
  open(): void {
    Atomics.store(this.#i32, 0, 1)
    Atomics.notify(this.#i32, 0)
  }
  close(): void {
    Atomics.store(this.#i32, 0, 0)
  }

  #at(word: number): number {
    return (word + 1) * LINE
  }

  set(word: number, value: number): void {
    Atomics.store(this.#i32, this.#at(word), value)
    Atomics.notify(this.#i32, this.#at(word))
  }

  /** Blocks while a word has this value. */
  await(word: number, value: number): void {
    Atomics.wait(this.#i32, this.#at(word), value)
  }

  /** Blocks until the receiver that writes its count to `word` is not far behind `sent`. */
  keepPace(word: number, sent: number): void {
    for (let taken = this.get(word); sent - taken > AHEAD; taken = this.get(word)) this.await(word, taken)
  }

  get(word: number): number {
    return Atomics.load(this.#i32, this.#at(word))
  }
}
