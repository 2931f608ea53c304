/**
 * The allocator of mail memory: pages that belong to a sender or to a thread, which fills them front to back. A page is reused
 * when all its records are free. A record longer than a page gets a run of pages of its own.
 */
import { BourseError } from '../core/error.ts'
import { type Board, PAGE_WORDS } from './layout.ts'

/** Word 0 of a page run, as int32s: records not yet free, owner, words used, pages in the run. */
const LIVE = 0
const OWNER = 1
const USED = 2
const RUN = 3
const HEADER_WORDS = 2

/** Thrown when mail memory is full. It ends the run, since no thread could wait for room within a round. */
export class MailMemoryFull extends BourseError {
  override readonly name = 'MailMemoryFull'

  constructor(message: string) {
    super('BOURSE_MAIL_MEMORY_FULL', message)
  }
}

export const PAGE_BYTES = PAGE_WORDS * 8

interface Run {
  readonly at: number
  readonly words: number
}

/** The pages of one sender, or of all senders of a thread. */
export class Pages {
  readonly #board: Board
  readonly #owner: number
  /** All runs of pages of this owner, the current one last. */
  #runs: Run[] = []
  #current: Run | undefined

  constructor(board: Board, owner: number) {
    this.#board = board
    this.#owner = owner
    this.#runs = [...runsOf(board)].filter((run) => board.i32[2 * run.at + OWNER] === owner)
  }

  /** Makes room for a record of `words` and returns its address. No other thread sees it until `commit`. */
  allocate(words: number): number {
    const { i32 } = this.#board
    let run = this.#current
    if (!run || (i32[2 * run.at + USED] ?? 0) + words > run.words) {
      run = this.#reuse(words + HEADER_WORDS) ?? this.#take(words + HEADER_WORDS)
      Atomics.store(i32, 2 * run.at + USED, HEADER_WORDS)
      this.#current = run
    }
    return run.at + (i32[2 * run.at + USED] ?? 0)
  }

  /** Publishes the record that was allocated last, once its header is written, to threads that walk the pages. */
  commit(words: number): void {
    Atomics.add(this.#board.i32, 2 * this.run + LIVE, 1)
    Atomics.add(this.#board.i32, 2 * this.run + USED, words)
  }

  /** The address of the run that contains the record allocated last. */
  get run(): number {
    return this.#current?.at ?? 0
  }

  /** The oldest run that is free and large enough; runs free up roughly in the order they were filled. */
  #reuse(words: number): Run | undefined {
    const { i32 } = this.#board
    for (let i = 0; i < this.#runs.length; i++) {
      const run = this.#runs[i]
      if (run && run !== this.#current && run.words >= words && Atomics.load(i32, 2 * run.at + LIVE) === 0) {
        this.#runs.splice(i, 1)
        this.#runs.push(run)
        return run
      }
    }
    return undefined
  }

  #take(words: number): Run {
    const { i32, pagesAt, nextPage, size } = this.#board
    // Powers of two: else messages that grow and grow would find no old run large enough.
    const pages = 1 << Math.ceil(Math.log2(Math.ceil(words / PAGE_WORDS)))
    const page = Atomics.add(i32, nextPage, pages)
    if (page + pages > size.pages) {
      Atomics.sub(i32, nextPage, pages)
      throw new MailMemoryFull(
        `mail memory full: ${size.pages} pages of ${PAGE_BYTES / 1024} KB are in use (option memoryMB, --max-memory); unread mail piles up somewhere`,
      )
    }
    const run = { at: pagesAt + page * PAGE_WORDS, words: pages * PAGE_WORDS }
    i32[2 * run.at + OWNER] = this.#owner
    i32[2 * run.at + RUN] = pages
    this.#runs.push(run)
    return run
  }
}

/** Frees a record that `allocate` returned; `run` is the address of its run of pages. */
export const free = (board: Board, run: number): void => {
  Atomics.sub(board.i32, 2 * run + LIVE, 1)
}

/** All runs of pages ever taken, in the order of memory. */
export function* runsOf(board: Board): Generator<Run> {
  const { i32, pagesAt, nextPage } = board
  const end = pagesAt + Atomics.load(i32, nextPage) * PAGE_WORDS
  for (let at = pagesAt; at < end; ) {
    const words = (i32[2 * at + RUN] ?? 0) * PAGE_WORDS
    if (words > 0) yield { at, words } // else it is taken but not yet marked by its owner, so it is empty
    at += words || PAGE_WORDS
  }
}

/** The words of a run that are in use. */
export const usedOf = (board: Board, run: Run): number => board.i32[2 * run.at + USED] ?? 0
export const FIRST_RECORD = HEADER_WORDS
