/** Fields of plain data that comes from outside a program: `numberIn(point, 'load')` is a number, or it says what it is. */
import { isMessage, isObject, isPlain, type Message, type Plain } from './data.ts'

/** A field that is not there, or is of another kind. */
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

function field<T>(from: Plain, key: string, kind: string, read: (value: unknown) => T | undefined): T {
  const value = isObject(from) ? from[key] : undefined
  const found = read(value)
  if (found === undefined) throw new FieldError(`${kind} "${key}"`, JSON.stringify(value) ?? 'nothing')
  return found
}

/**
 * The number under `key`.
 *
 * @throws FieldError if there is none
 */
export const numberIn = (from: Plain, key: string): number =>
  field(from, key, 'a number', (value) => (isNumber(value) ? value : undefined))

/** The text under `key`. Throws as above. */
export const textIn = (from: Plain, key: string): string =>
  field(from, key, 'a text', (value) => (typeof value === 'string' ? value : undefined))

/** Which of `choices` is under `key`. Throws as above. */
export const choiceIn = <const T extends string>(from: Plain, key: string, choices: readonly T[]): T =>
  field(from, key, `${choices.join(' or ')} as`, (value) => choices.find((choice) => choice === value))

/** The numbers under `key`, such as speeds. Throws as above. */
export const numbersIn = (from: Plain, key: string): readonly number[] =>
  field(from, key, 'numbers', (value) => (Array.isArray(value) && value.every(isNumber) ? value : undefined))

/** The texts under `key`. Throws as above. */
export const textsIn = (from: Plain, key: string): readonly string[] =>
  field(from, key, 'texts', (value) => (Array.isArray(value) && value.every(isText) ? value : undefined))

/** The message under `key`. Throws as above. */
export const messageIn = (from: Plain, key: string): Message =>
  field(from, key, 'a message', (value) => (isMessage(value) ? value : undefined))

/** Whatever is under `key`; undefined if nothing is. */
export function plainIn(from: Plain | undefined, key: string): Plain | undefined {
  const value = isObject(from) ? from[key] : undefined
  return isPlain(value) ? value : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
