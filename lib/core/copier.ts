/** Copies plain data within one thread. What arrives, and what is refused, is the same as in mail memory (lib/memory/codec.ts). */
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
} from './data.ts'

type Fields = { [key: string]: Plain }

export class Copier {
  #words = 0
  /** The keys and indices of the containers that lead to the value being copied. */
  readonly #path: (string | number)[] = []

  /** The size of the value that was copied last, in words of 8 bytes: nearly as many as in mail memory. */
  get words(): number {
    return this.#words
  }

  /**
   * Copies a value, so that the original and the copy share nothing that could be changed. Undefined fields are left out.
   *
   * @throws NotPlainError with the path of what cannot travel
   */
  copy(value: Plain): Plain {
    this.#words = 1
    return typeof value === 'object' && value !== null ? this.#container(value, 0) : this.#simple(value, 0)
  }

  #container(value: object, depth: number): Plain {
    if (isRecord(value)) return this.#record(value, depth)
    if (isList(value)) return this.#list(value, depth)
    if (!isBytes(value)) return this.#refuse(`an instance of ${classOf(value)}`, depth)
    this.#words += Math.ceil(value.length / 8)
    return new Uint8Array(value)
  }

  #record(record: { readonly [key: string]: unknown }, depth: number): Plain {
    if (depth === DEPTH_LIMIT) return this.#refuse(TOO_DEEP, depth)
    const copy: Fields = {}
    for (const key in record) {
      const field = record[key]
      if (field === undefined) continue
      this.#path[depth] = key
      if (isTaken(key)) return this.#refuse(TAKEN, depth + 1)
      this.#words++
      copy[key] =
        typeof field === 'object' && field !== null ? this.#container(field, depth + 1) : this.#simple(field, depth + 1)
    }
    return copy
  }

  #list(list: readonly unknown[], depth: number): Plain {
    if (depth === DEPTH_LIMIT) return this.#refuse(TOO_DEEP, depth)
    const copy: Plain[] = []
    for (let i = 0; i < list.length; i++) {
      const item = list[i]
      this.#path[depth] = i
      this.#words++
      copy.push(
        typeof item === 'object' && item !== null ? this.#container(item, depth + 1) : this.#simple(item, depth + 1),
      )
    }
    return copy
  }

  #simple(value: unknown, depth: number): Plain {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'string') return this.#refuse(value === undefined ? 'undefined' : `a ${typeof value}`, depth)
    this.#words += (value.length + 7) >> 3
    return value
  }

  #refuse(what: string, depth: number): never {
    const path = this.#path.slice(0, depth)
    const place = path.map((step) => (typeof step === 'string' ? stepTo(step) : `[${step}]`))
    throw new NotPlainError(`message${place.join('')} is ${what}`)
  }
}
