/** Reads fields of plain data from outside the program: `numberIn(point, 'load')` returns a number or throws a FieldError. */

import * as v from 'valibot'
import { isMessage, isObject, isPlain, type Message, type Plain } from './data.ts'
import { BourseError } from './error.ts'
import { listed } from './format.ts'

/** A field of plain data that is missing or wrong, told in one sentence. */
export class FieldError extends BourseError {
  override readonly name = 'FieldError'

  constructor(message: string) {
    super('BOURSE_FIELD', message)
  }

  /**
   * A field whose value is of the wrong kind or out of range, or that is missing (undefined).
   *
   * @example `"latency" must be a number of at least 0, but is -1`
   * @example `"load" must be a number, but is missing`
   */
  static invalid(key: string, mustBe: string, value: unknown): FieldError {
    return new FieldError(`"${key}" must be ${mustBe}, but is ${JSON.stringify(value) ?? 'missing'}`)
  }
}

type Reader<T> = (from: Plain, key: string) => T

/** Makes a reader of fields that fit a schema; `kind` is the name of the kind in errors. */
const readerOf =
  <T>(kind: string, schema: v.GenericSchema<T>): Reader<T> =>
  (from, key) => {
    const value = isObject(from) ? from[key] : undefined
    if (v.is(schema, value)) return value
    throw FieldError.invalid(key, kind, value)
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
 * Reads the list of numbers under a key, such as speeds.
 *
 * @throws FieldError if there is no list of numbers
 */
export const numbersIn: Reader<readonly number[]> = readerOf('a list of numbers', v.array(v.number()))

/**
 * Reads the list of texts under a key.
 *
 * @throws FieldError if there is no list of texts
 */
export const textsIn: Reader<readonly string[]> = readerOf('a list of texts', v.array(v.string()))

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
  readerOf(listed(choices), v.picklist(choices))(from, key)

/**
 * Makes a reader of plain data that fits a schema, such as the result of a run in another process.
 *
 * @throws FieldError for the first field that does not fit
 */
export const decoderOf =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (from: Plain | undefined): T => {
    const read = v.safeParse(schema, from)
    if (read.success) return read.output
    const [issue] = read.issues
    const { input, expected } = issue
    const mustBe = input === undefined ? 'given' : `of the type ${expected}`
    throw FieldError.invalid(v.getDotPath(issue) ?? 'result', mustBe, input)
  }

/** The plain data under a key; undefined if there is none. */
export function plainIn(from: Plain | undefined, key: string): Plain | undefined {
  const value = isObject(from) ? from[key] : undefined
  return isPlain(value) ? value : undefined
}
