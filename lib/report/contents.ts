/** The contents of messages and facts, as far as the page has room for them. */
import type { Message, Plain } from '../core/data.ts'
import type { Contents } from './types.ts'

/** The number of recent messages that are compared, since a broadcast is one message to many recipients. */
const REMEMBERED = 64

export class ContentTable implements Contents {
  readonly shapes: string[][] = []
  readonly values: [shape: number, ...values: Plain[]][] = []
  readonly #places = new Map<string, number>()
  readonly #recent = new Map<string, number>()
  #left: number
  #omitted = 0

  /** `room` is the most characters of JSON. */
  constructor(room: number) {
    this.#left = room
  }

  /** The number of messages that did not fit. */
  get omitted(): number {
    return this.#omitted
  }

  /** The place of a message's contents; -1 if there is no room, neither for this one nor for later ones. */
  of(message: Message): number {
    if (this.#left < 0) {
      this.#omitted++
      return -1
    }
    const json = JSON.stringify(message)
    const known = this.#recent.get(json)
    if (known !== undefined) return known
    const fields = Object.entries(message).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]))
    const values = fields.map(({ value }) => value)
    this.#left -= JSON.stringify(values).length + 4
    const place = this.values.push([this.#shape(fields.map(({ key }) => key)), ...values]) - 1
    this.#recent.set(json, place)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > REMEMBERED && oldest !== undefined) this.#recent.delete(oldest)
    return place
  }

  #shape(keys: string[]): number {
    const name = JSON.stringify(keys)
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.shapes.length)
    return this.shapes.push(keys) - 1
  }
}

/** The task or job that a message is about, in a word; '' if there is none. */
export function topicOf(message: Message): string {
  const topic = message['task'] ?? message['job']
  return typeof topic === 'number' || typeof topic === 'string' ? String(topic) : ''
}

/** A table of texts. Each text is in it once, and its number is its place. */
export class Texts {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  constructor() {
    this.of('')
  }

  of(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.all.length)
    return this.all.push(text) - 1
  }
}
