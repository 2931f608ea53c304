import {
  classOf,
  DEPTH_LIMIT,
  isBytes,
  isList,
  isRecord,
  isTaken,
  NotPlainError,
  type Plain,
  stepTo,
  TAKEN,
  TOO_DEEP,
} from '../core/data.ts'
import { LimitPassed } from '../core/error.ts'
import { type Block, blockOf } from './block.ts'
import { type Definitions, type Reader, readerOf, type Shape, Shapes } from './shapes.ts'

/*
 * Every value is one word of 8 bytes, followed by its content. A number is its double; all else hides in doubles that
 * no number has, the quiet NaNs above the canonical one: high 32 bits the tag, low 32 bits the payload.
 *
 *   tag      payload            content
 *   NULL
 *   FALSE
 *   TRUE
 *   LATIN    length             bytes, 8 to a word, the last word filled up with 0
 *   WIDE     length             UTF-16, 4 to a word
 *   ARRAY    length             the elements
 *   OBJECT   address of shape   the fields' values, in the order of the shape
 *   OPEN     address of shape   the same, then a number n and n times a key (a string) and its value
 *   BYTES    length             bytes, 8 to a word, the last word filled up with 0
 *
 * Nothing is aligned to more than the word, and the tag is the second int32 of its word: little-endian only.
 */
const CANONICAL_NAN = 0x7ff80000
const NULL = 0x7ff90000
const FALSE = 0x7ff90001
const TRUE = 0x7ff90002
const LATIN = 0x7ff90003
const WIDE = 0x7ff90004
const ARRAY = 0x7ff90005
const OBJECT = 0x7ff90006
const OPEN = 0x7ff90007
const BYTES = 0x7ff90008

/** 1 GB: a message above it is an error, not a reason to grow. */
const SCRATCH_LIMIT = 1 << 27
/** Up to this length a loop over the characters beats the call into C++ (measured: they meet at 24 to 40). */
const LOOP_LIMIT = 24
/** Up to this many words copying by a loop beats TypedArray.set. */
const COPY_LIMIT = 32
/** Strings of up to 4 words are remembered by the reader: addresses and ids come again and again. */
const REMEMBERED_WORDS = 4
const REMEMBERED_BITS = 9

/**
 * Plain data in and out of shared memory. One thread writes with a codec; any number read the same memory, each with a
 * codec of its own.
 *
 * Data that is read equals the data that was written, with its keys in the same order; objects and bytes are fresh. Only
 * enumerable string keys travel, and not symbols or extra keys of arrays. A search for those would take as long as
 * writing, so callers do it (see faultOf and Inspection). Objects of another realm (node:vm) count as instances of
 * a class.
 */
export class Codec {
  readonly #values: Writer
  readonly #lists: Writer
  /** The number of items of the list but for the first. */
  #length = 0
  /** Whether `store` copies the list. */
  #isList = false
  readonly #reader: ValueReader
  readonly #block: Block

  constructor(block: Block, definitions: Definitions) {
    this.#block = block
    const shapes = new Shapes(block, definitions)
    this.#values = new Writer(shapes)
    this.#lists = new Writer(shapes)
    this.#reader = new ValueReader(block)
  }

  /** Encodes into a private scratch until the next encode(); returns the length in words. */
  encode(value: Plain): number {
    this.#isList = false
    return this.#values.write(value)
  }

  /** Begins a list that is encoded piece by piece, into a scratch of its own. */
  beginList(): void {
    this.#lists.begin()
    this.#length = 0
  }

  addToList(value: Plain): void {
    this.#lists.add(value)
    this.#length++
  }

  /** Adds what encode() left, as it is. */
  addEncoded(): void {
    this.#lists.addOf(this.#values)
    this.#length++
  }

  /** Puts an item before all others and ends the list; returns its length in words, as encode() does. */
  endList(first: Plain): number {
    this.#isList = true
    return 1 + this.#values.write(first) + this.#lists.words
  }

  /** Copies what encode() or endList() left to address `at`. */
  store(at: number): void {
    this.storeIn(this.#block.i32, at)
  }

  /** Copies what encode() or endList() left to address `at` of other memory. */
  storeIn(target: Int32Array, at: number): void {
    if (!this.#isList) return this.#values.copyTo(target, at)
    target[2 * at] = this.#length + 1
    target[2 * at + 1] = ARRAY
    this.#values.copyTo(target, at + 1)
    this.#lists.copyTo(target, at + 1 + this.#values.words)
  }

  /** Reads the value at address `at`. */
  decode(at: number): Plain {
    return this.#reader.read(at)
  }

  /** Reads the value at address `at`, or the first item if it is a list. */
  decodeFirst(at: number): Plain {
    const isList = this.#block.i32[2 * at + 1] === ARRAY
    return this.#reader.read(isList ? at + 1 : at)
  }
}

class Writer {
  readonly #shapes: Shapes
  #scratch = blockOf(new ArrayBuffer(8 * 1024))
  #i32 = this.#scratch.i32
  #f64 = this.#scratch.f64
  #bytes: Uint8Array = this.#scratch.bytes
  #size = this.#f64.length
  /** The next free word. */
  #at = 0
  /** The way from the message to the value being written: a key or index for each container around it. */
  readonly #path: (string | number)[] = []
  #depth = 0

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  write(value: unknown): number {
    this.begin()
    this.add(value)
    return this.#at
  }

  begin(): void {
    this.#at = 0
    this.#depth = 0
  }

  add(value: unknown): void {
    this.#value(value)
  }

  addOf(other: Writer): void {
    const at = this.#claim(other.#at)
    other.copyTo(this.#i32, at)
  }

  /** The number of words written. */
  get words(): number {
    return this.#at
  }

  copyTo(target: Int32Array, at: number): void {
    const length = this.#at * 2
    const start = at * 2
    const source = this.#i32
    if (length > COPY_LIMIT * 2) target.set(source.subarray(0, length), start)
    // Integers are copied, since a double that is a NaN may lose its bits.
    else for (let i = 0; i < length; i++) target[start + i] = source[i] ?? 0
  }

  #value(value: unknown): void {
    if (typeof value === 'number') {
      const at = this.#claim(1)
      if (Number.isNaN(value)) this.#tag(at, CANONICAL_NAN, 0)
      else this.#f64[at] = value
    } else if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'boolean') this.#tag(this.#claim(1), value ? TRUE : FALSE, 0)
    else if (value === null) this.#tag(this.#claim(1), NULL, 0)
    else if (typeof value !== 'object') this.#refuse(value === undefined ? 'undefined' : `a ${typeof value}`)
    else if (isList(value)) this.#list(value)
    else if (isRecord(value)) this.#record(value)
    else if (isBytes(value)) this.#binary(value)
    else this.#refuse(`an instance of ${classOf(value)}`)
  }

  #list(list: readonly unknown[]): void {
    const length = list.length
    this.#tag(this.#claim(1), ARRAY, length)
    const depth = this.#enter()
    for (let i = 0; i < length; i++) {
      this.#path[depth] = i
      this.#value(list[i])
    }
    this.#depth = depth
  }

  #record(record: { readonly [key: string]: unknown }): void {
    const head = this.#claim(1)
    const depth = this.#enter()
    let shape: Shape = this.#shapes.root
    let more = 0
    let moreAt = 0
    for (const key in record) {
      const value = record[key]
      if (value === undefined) continue
      this.#path[depth] = key
      if (more === 0) {
        const next = shape.with(key, value, this.#shapes)
        if (next !== undefined) {
          shape = next
          if (next.constant === undefined) this.#value(value)
          continue
        }
        moreAt = this.#claim(1)
      }
      if (isTaken(key)) this.#refuse(TAKEN)
      more++
      this.#text(key)
      this.#value(value)
    }
    this.#tag(head, more === 0 ? OBJECT : OPEN, shape.address)
    if (more > 0) this.#f64[moreAt] = more
    this.#depth = depth
  }

  #text(text: string): void {
    const length = text.length
    if (length > LOOP_LIMIT) {
      // A text that is as long in UTF-8 as in UTF-16 is all ASCII; this is found in native code.
      if (Buffer.byteLength(text) === length) this.#native(text, LATIN, 'latin1', Math.ceil(length / 8))
      else this.#native(text, WIDE, 'utf16le', Math.ceil(length / 4))
      return
    }
    const words = (length + 7) >> 3
    const at = this.#claim(1 + words)
    this.#f64[at + words] = 0
    const bytes = this.#bytes
    const start = (at + 1) * 8
    let all = 0
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      all |= code
      bytes[start + i] = code
    }
    this.#tag(at, LATIN, length)
    if (all > 0xff) {
      this.#at = at
      this.#native(text, WIDE, 'utf16le', (length + 3) >> 2)
    }
  }

  #binary(bytes: Uint8Array): void {
    const { length } = bytes
    const words = Math.ceil(length / 8)
    const at = this.#claim(1 + words)
    this.#tag(at, BYTES, length)
    if (words > 0) this.#f64[at + words] = 0
    this.#bytes.set(bytes, (at + 1) * 8)
  }

  #native(text: string, tag: number, encoding: 'latin1' | 'utf16le', words: number): void {
    const at = this.#claim(1 + words)
    this.#tag(at, tag, text.length)
    this.#f64[at + words] = 0
    this.#scratch.bytes.write(text, (at + 1) * 8, encoding)
  }

  #tag(at: number, tag: number, payload: number): void {
    this.#i32[at * 2] = payload
    this.#i32[at * 2 + 1] = tag
  }

  #claim(words: number): number {
    const at = this.#at
    const end = at + words
    if (end > this.#size) this.#grow(end)
    this.#at = end
    return at
  }

  #grow(words: number): void {
    if (words > SCRATCH_LIMIT) throw new LimitPassed('a message takes more than 1 GB of mail memory: send it in parts')
    let size = this.#size
    while (size < words) size *= 2
    const scratch = blockOf(new ArrayBuffer(size * 8))
    scratch.i32.set(this.#i32)
    this.#scratch = scratch
    this.#i32 = scratch.i32
    this.#f64 = scratch.f64
    this.#bytes = scratch.bytes
    this.#size = size
  }

  #enter(): number {
    const depth = this.#depth
    if (depth === DEPTH_LIMIT) this.#refuse(TOO_DEEP)
    this.#depth = depth + 1
    return depth
  }

  #refuse(what: string): never {
    const path = this.#path.slice(0, this.#depth)
    const place = path.map((step) => (typeof step === 'string' ? stepTo(step) : `[${step}]`))
    throw new NotPlainError(`message${place.join('')} is ${what}`)
  }
}

class ValueReader {
  readonly #block: Block
  readonly #i32: Int32Array
  readonly #f64: Float64Array
  readonly #readers = new Map<number, Reader>()
  #lastAddress = Number.NaN
  #lastReader: Reader = () => ({})
  /** The string last read for each hash of its content, with that content. */
  readonly #strings: string[] = new Array(1 << REMEMBERED_BITS).fill('')
  readonly #contents = new Int32Array((REMEMBERED_WORDS * 2) << REMEMBERED_BITS)
  /** The next word to read. */
  #at = 0

  constructor(block: Block) {
    this.#block = block
    this.#i32 = block.i32
    this.#f64 = block.f64
  }

  read(at: number): Plain {
    this.#at = at
    return this.value()
  }

  value(): Plain {
    const at = this.#at
    this.#at = at + 1
    const number = this.#f64[at] ?? 0
    if (!Number.isNaN(number)) {
      // A small integer is returned as such: fields that hold only these cost no allocation, here or in the actor.
      const whole = number | 0
      return whole === number && !Object.is(number, -0) ? whole : number
    }
    const payload = this.#i32[at * 2] ?? 0
    switch (this.#i32[at * 2 + 1]) {
      case NULL:
        return null
      case FALSE:
        return false
      case TRUE:
        return true
      case LATIN:
        return this.#latin(payload)
      case WIDE:
        return this.#wide(payload)
      case ARRAY:
        return this.#list(payload)
      case OBJECT:
        return this.#readerOf(payload)(this)
      case BYTES:
        return this.#binary(payload)
      case OPEN:
        return this.#open(this.#readerOf(payload)(this))
      default:
        return Number.NaN
    }
  }

  #list(length: number): Plain {
    const list: Plain[] = []
    for (let i = 0; i < length; i++) list.push(this.value())
    return list
  }

  #open(record: Record<string, Plain>): Plain {
    const more = this.#f64[this.#at++] ?? 0
    for (let i = 0; i < more; i++) {
      const key = this.value()
      // Always a string: see OPEN.
      record[String(key)] = this.value()
    }
    return record
  }

  #readerOf(address: number): Reader {
    if (address === this.#lastAddress) return this.#lastReader
    let reader = this.#readers.get(address)
    if (reader === undefined) {
      reader = readerOf(this.#block, address)
      this.#readers.set(address, reader)
    }
    this.#lastAddress = address
    this.#lastReader = reader
    return reader
  }

  #binary(length: number): Uint8Array {
    const start = this.#at * 8
    this.#at += Math.ceil(length / 8)
    return new Uint8Array(this.#block.bytes.subarray(start, start + length))
  }

  #wide(length: number): string {
    const start = this.#at * 8
    this.#at += Math.ceil(length / 4)
    return this.#block.bytes.toString('utf16le', start, start + length * 2)
  }

  #latin(length: number): string {
    const start = this.#at
    const words = Math.ceil(length / 8)
    this.#at = start + words
    if (words > REMEMBERED_WORDS) return this.#block.bytes.toString('latin1', start * 8, start * 8 + length)
    const i32 = this.#i32
    const contents = this.#contents
    const first = start * 2
    const size = words * 2
    let hash = length
    for (let i = 0; i < size; i++) hash = Math.imul(hash ^ (i32[first + i] ?? 0), 0x9e3779b1)
    const slot = hash >>> (32 - REMEMBERED_BITS)
    const base = slot * REMEMBERED_WORDS * 2
    const known = this.#strings[slot] ?? ''
    let same = known.length === length
    for (let i = 0; same && i < size; i++) same = contents[base + i] === i32[first + i]
    if (same) return known
    const text = this.#block.bytes.toString('latin1', start * 8, start * 8 + length)
    for (let i = 0; i < size; i++) contents[base + i] = i32[first + i] ?? 0
    this.#strings[slot] = text
    return text
  }
}
