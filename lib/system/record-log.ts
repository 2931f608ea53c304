/**
 * The log of a run: what its actors persist, in files, so that a later run can begin with it. It is a folder, in which each
 * address that has persisted anything has a file (see log-format.ts).
 *
 * - A write is appended to its file. A snapshot is a new file that takes the place of the old one (rename), so a death leaves
 *   one or the other.
 * - Writes reach the files in the order of the run: those of one round together, and then those of the next. So no file has
 *   the effect of a write that is missing in another.
 * - The file `runs` counts the runs on the folder. The incarnations of each have numbers of their own, and so have their ids.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Write } from '../actor/journal.ts'
import type { Address } from '../core/address.ts'
import type { Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { isPart, newPart, putInPlace } from '../core/part-file.ts'
import type { Time } from '../core/time.ts'
import { lockFolder } from './folder-lock.ts'
import { headOf, LogDamaged, type LogEntry, lineOf, readLog } from './log-format.ts'

export interface LogOptions {
  readonly folder: string
  /** Whether writes are on the disk (fsync), and not only with the operating system, before the run tells of their steps. */
  readonly fsync: boolean
  /** The most bytes of one file. */
  readonly bytes: number
}

/** A write of an actor. */
export interface LoggedWrite extends Write {
  readonly address: Address
  readonly at: Time
  /** Writes of the same round are independent of each other. */
  readonly round: string
}

/** What is to be written to a file. */
interface Draft {
  /** Whether it replaces the file. */
  isWhole: boolean
  text: string
}

const END = '.log'
const RUNS = 'runs'

export class RecordLog {
  /** The number of runs on this folder before this one. */
  readonly run: number
  /** The instant of the last write of earlier runs, at which this run begins. */
  readonly begins: Time
  readonly #options: LogOptions
  readonly #unlock: () => void
  /** What earlier runs have left, until it is taken. */
  readonly #recovered = new Map<Address, readonly Plain[]>()
  readonly #sizes = new Map<Address, number>()
  readonly #drafts = new Map<Address, Draft>()

  /**
   * Opens a folder, and makes it if there is none. No other run may use it until `close`.
   *
   * @throws BourseError for a folder that another run uses, and for a file that is damaged
   */
  constructor(options: LogOptions) {
    const { folder } = options
    this.#options = options
    attempt(folder, () => mkdirSync(folder, { recursive: true }))
    this.#unlock = attempt(folder, () => lockFolder(folder))
    try {
      this.begins = attempt(folder, () => this.#readAll())
      this.run = attempt(folder, () => this.#countRun())
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  /** Reads all files; returns the instant of the last write. */
  #readAll(): Time {
    let last = 0
    for (const name of readdirSync(this.#options.folder)) {
      if (isPart(name)) rmSync(join(this.#options.folder, name)) // a snapshot whose process died
      if (!name.endsWith(END)) continue
      const address = name.slice(0, -END.length)
      const entries = this.#read(address)
      this.#recovered.set(
        address,
        entries.flatMap(({ records }) => records),
      )
      last = Math.max(last, entries.at(-1)?.at ?? 0)
    }
    return last
  }

  /** Reads a file, and cuts off a write that was torn. */
  #read(address: Address): readonly LogEntry[] {
    const path = this.#pathOf(address)
    const { size } = statSync(path)
    if (size > this.#options.bytes) throw tooLong(path, size, this.#options.bytes)
    const { entries, end } = readLog(readFileSync(path), address, path)
    if (end < size) {
      truncateSync(path, end)
      process.stderr.write(`bourse: ${path}: cut off ${size - end} bytes of a torn write at offset ${end}\n`)
    }
    this.#sizes.set(address, end)
    return entries
  }

  #countRun(): number {
    const path = join(this.#options.folder, RUNS)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '0\n'
    if (!/^\d{1,9}\n$/.test(text)) throw new LogDamaged(path, 0, 'it must hold the number of runs')
    const run = Number(text)
    this.#replace(path, `${run + 1}\n`)
    return run
  }

  /** Takes the records that earlier runs have left of an address. */
  take(address: Address): readonly Plain[] {
    const records = this.#recovered.get(address) ?? []
    this.#recovered.delete(address)
    return records
  }

  /** Writes the writes of some steps, which are in the order of the run. */
  write(all: readonly LoggedWrite[]): void {
    let round: string | undefined
    for (const one of all) {
      if (one.round !== round) this.#flush()
      round = one.round
      this.#draft(one)
    }
    this.#flush()
  }

  #draft({ address, records, isSnapshot, at }: LoggedWrite): void {
    const line = lineOf({ at, records }, address)
    const draft = this.#drafts.get(address)
    if (isSnapshot) this.#drafts.set(address, { isWhole: true, text: headOf(address) + line })
    else if (draft) draft.text += line
    else {
      const isEmpty = (this.#sizes.get(address) ?? 0) === 0
      this.#drafts.set(address, { isWhole: false, text: isEmpty ? headOf(address) + line : line })
    }
  }

  #flush(): void {
    for (const [address, { isWhole, text }] of this.#drafts) {
      const path = this.#pathOf(address)
      const before = this.#sizes.get(address) ?? 0
      const size = Buffer.byteLength(text) + (isWhole ? 0 : before)
      if (size > this.#options.bytes) throw tooLong(path, size, this.#options.bytes)
      attempt(path, () => (isWhole ? this.#replace(path, text) : this.#append(path, text, before)))
      this.#sizes.set(address, size)
    }
    this.#drafts.clear()
  }

  /** Adds the whole text to a file of `before` bytes, or nothing. */
  #append(path: string, text: string, before: number): void {
    const file = openSync(path, 'a')
    try {
      // a disk that is nearly full takes a part, without an error
      for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(file, rest))
      if (this.#options.fsync) fsyncSync(file)
    } catch (error) {
      ftruncateSync(file, before)
      throw error
    } finally {
      closeSync(file)
    }
    if (before === 0) this.#syncFolder()
  }

  /** Writes a new file, whole and on the disk, and gives it its name. */
  #replace(path: string, contents: string | Uint8Array): void {
    writeFileSync(newPart(path), contents)
    putInPlace(path)
    this.#syncFolder()
  }

  #syncFolder(): void {
    if (!this.#options.fsync) return
    const folder = openSync(this.#options.folder, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }

  /** Replaces the file of an address by `contents`, and reads them as the next run would: a part of a torn write is cut off. */
  replace(address: Address, contents: Uint8Array): void {
    const path = this.#pathOf(address)
    attempt(path, () => {
      this.#replace(path, contents)
      this.#read(address)
    })
  }

  /** Ends the use of the folder. */
  close(): void {
    this.#unlock()
  }

  #pathOf(address: Address): string {
    return join(this.#options.folder, address + END)
  }
}

const tooLong = (path: string, bytes: number, limit: number): BourseError =>
  new BourseError(
    'BOURSE_LOG',
    `${path} would have ${bytes} bytes, and the limit is ${limit} (option log.bytes): raise it, or let the actor use snapshots`,
  )

/** Does something with a file, and tells the errors of the operating system in one line. */
function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof BourseError || !(error instanceof Error)) throw error
    throw new BourseError('BOURSE_LOG', `${path} cannot be used as a log: ${error.message}`)
  }
}
