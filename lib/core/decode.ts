/** Reads fields of plain data from outside the program: `numberIn(point, 'load')` returns a number or throws a FieldError. */
import * as v from 'valibot'
import { isMessage, isObject, isPlain, type Message, type Plain } from './data.ts'

/** A field is absent or of another kind than its reader expects. */
export class FieldError extends TypeError {
  override readonly name = 'FieldError'
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

type Reader<T> = (from: Plain, key: string) => T

/** Reads a field that fits a schema; `kind` is how errors call it. */
const readerOf =
  <T>(kind: string, schema: v.GenericSchema<T>): Reader<T> =>
  (from, key) => {
    const value = isObject(from) ? from[key] : undefined
    if (v.is(schema, value)) return value
    throw new FieldError(`${kind} "${key}"`, JSON.stringify(value) ?? 'nothing')
  }

/**
 * Reads the number under a key.
 *
 * @throws FieldError if there is none
 */
export const numberIn: Reader<number> = readerOf('a number', v.number())

/**
 * Reads the text under a key.
 *
 * @throws FieldError if there is none
 */
export const textIn: Reader<string> = readerOf('a text', v.string())

/**
 * Reads the numbers under a key, such as speeds.
 *
 * @throws FieldError if there is no list of numbers
 */
export const numbersIn: Reader<readonly number[]> = readerOf('numbers', v.array(v.number()))

/**
 * Reads the texts under a key.
 *
 * @throws FieldError if there is no list of texts
 */
export const textsIn: Reader<readonly string[]> = readerOf('texts', v.array(v.string()))

/**
 * Reads the message under a key.
 *
 * @throws FieldError if there is none
 */
export const messageIn: Reader<Message> = readerOf('a message', v.custom<Message>(isMessage))

/**
 * Reads the text under a key, which is one of `choices`.
 *
 * @throws FieldError for any other value
 */
export const choiceIn = <const T extends string>(from: Plain, key: string, choices: readonly T[]): T =>
  readerOf(`${choices.join(' or ')} as`, v.picklist(choices))(from, key)

/** The plain data under a key; undefined if there is none. */
export function plainIn(from: Plain | undefined, key: string): Plain | undefined {
  const value = isObject(from) ? from[key] : undefined
  return isPlain(value) ? value : undefined
}
