import { isTaken, type Plain } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { Block } from './block.ts'

/**
 * Shapes of objects: an ordered list of keys, with the constant value of the key `type`, so a message's type costs
 * nothing. They form a trie, in the writer's heap and in the definitions memory alike: a shape is the address of its
 * last key's definition, and a definition names its parent. One definition is
 *
 *   int32 parent address | int32 key length + (constant length + 1) << 8, 0 if no constant | key, constant in UTF-16
 *
 * Definitions are appended and never freed or changed, so a reader may cache them for ever. They are written with plain
 * stores before the message that uses them, so the store that publishes the message publishes them too.
 */
export interface Definitions {
  /** Index into `i32` of the region's bump pointer, which counts in words. */
  readonly pointer: number
  /** First word after the region. */
  readonly end: number
  /** First word of the region; only an error message needs it. */
  readonly start?: number
}

/** Address of the shape without keys; it has no definition. */
const ROOT = -1

/*
 * Data used as keys would flood the definitions: an object that would pass a limit keeps the shape of its first keys
 * and carries the others with it. Messages have a budget of their own, so no dictionary can starve them.
 */
const KEYS_LIMIT = 32
const TEXT_LIMIT = 64
const MESSAGE_SHAPES_LIMIT = 3072
const DATA_SHAPES_LIMIT = 1024

/** Room for all shapes that one writer may define, in words. */
export const SHAPES_WORDS = 1 << 18

/** No more shapes can be defined in the system. It ends the run: which actor meets it depends on how it is run. */
export class DefinitionsFull extends BourseError {
  override readonly name = 'DefinitionsFull'

  constructor(message: string) {
    super('BOURSE_DEFINITIONS_FULL', message)
  }
}

/** The number of definitions that may still be made. */
interface Budget {
  left: number
}

/** A shape as its writer knows it: the last key, and the shapes that are longer by one key. */
export class Shape {
  readonly address: number
  readonly key: string
  /** The value that belongs to the shape and is not written; only of the key `type`. */
  readonly constant: string | undefined
  readonly size: number
  readonly budget: Budget
  /** The longer shape met last. */
  #last: Shape | undefined = undefined
  readonly #longer = new Map<string, Shape>()
  readonly #messages = new Map<string, Shape>()

  constructor(address: number, key: string, constant: string | undefined, size: number, budget: Budget) {
    this.address = address
    this.key = key
    this.constant = constant
    this.size = size
    this.budget = budget
  }

  /** The shape with one more key, or undefined if the key must travel with the object. */
  with(key: string, value: unknown, shapes: Shapes): Shape | undefined {
    const last = this.#last
    if (last !== undefined && last.key === key && (last.constant === undefined || last.constant === value)) return last
    const constant = key === 'type' && typeof value === 'string' && value.length <= TEXT_LIMIT ? value : undefined
    const siblings = constant === undefined ? this.#longer : this.#messages
    let next = siblings.get(constant ?? key)
    if (next === undefined) {
      next = shapes.define(this, key, constant)
      if (next === undefined) return undefined
      siblings.set(constant ?? key, next)
    }
    this.#last = next
    return next
  }
}

/** The shapes of one writer. */
export class Shapes {
  readonly root = new Shape(ROOT, '', undefined, 0, { left: DATA_SHAPES_LIMIT })
  readonly #messages: Budget = { left: MESSAGE_SHAPES_LIMIT }
  readonly #block: Block
  readonly #definitions: Definitions

  constructor(block: Block, definitions: Definitions) {
    this.#block = block
    this.#definitions = definitions
  }

  define(parent: Shape, key: string, constant: string | undefined): Shape | undefined {
    const budget = constant === undefined ? parent.budget : this.#messages
    if (budget.left === 0 || parent.size === KEYS_LIMIT || key.length > TEXT_LIMIT) return undefined
    // the encoder refuses keys that are taken; a key that begins with a digit is data
    if (isTaken(key) || (key >= '0' && key < ':')) return undefined
    const text = constant === undefined ? key : key + constant
    const address = this.#claim(1 + Math.ceil(text.length / 4))
    const { i32, u16 } = this.#block
    i32[address * 2] = parent.address
    i32[address * 2 + 1] = key.length + (constant === undefined ? 0 : (constant.length + 1) << 8)
    for (let i = 0; i < text.length; i++) u16[address * 4 + 4 + i] = text.charCodeAt(i)
    budget.left--
    return new Shape(address, key, constant, parent.size + 1, budget)
  }

  #claim(words: number): number {
    const { pointer, end, start = 0 } = this.#definitions
    const { i32 } = this.#block
    // The first look keeps claims that must fail from moving the pointer on and on.
    if (Atomics.load(i32, pointer) + words <= end) {
      const address = Atomics.add(i32, pointer, words)
      if (address + words <= end) return address
    }
    throw new DefinitionsFull(`definitions memory full: ${end - start} words (option memoryMB, --max-memory)`)
  }
}

/** The input of a compiled reader: each call of `value` returns the value of the next field. */
export interface Values {
  value(): Plain
}

export type Reader = (values: Values) => Record<string, Plain>

/** Compiled readers by their source, since every writer has its own definition of the same shape. */
const compiled = new Map<string, Reader>()

/** Returns the function that reads objects of the shape at `address`. */
export function readerOf(block: Block, address: number): Reader {
  const fields: string[] = []
  for (let at = address; at !== ROOT; at = block.i32[at * 2] ?? ROOT) {
    const lengths = block.i32[at * 2 + 1] ?? 0
    const key = textAt(block, at * 4 + 4, lengths & 0xff)
    const constant = lengths >> 8
    const value =
      constant === 0 ? 'values.value()' : JSON.stringify(textAt(block, at * 4 + 4 + key.length, constant - 1))
    fields.push(`${JSON.stringify(key)}: ${value}`)
  }
  const source = `return { ${fields.reverse().join(', ')} }`
  const known = compiled.get(source)
  if (known !== undefined) return known
  // A literal of known keys is several times faster than assigning field by field. The text is ours: keys are quoted.
  const reader = new Function('values', source) as Reader
  compiled.set(source, reader)
  return reader
}

function textAt(block: Block, at: number, length: number): string {
  let text = ''
  for (let i = at; i < at + length; i++) text += String.fromCharCode(block.u16[i] ?? 0)
  return text
}
