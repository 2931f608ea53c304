/** Points of a sweep and their results as text and back: canonical, so that equal data has equal text, and checked. */
import { isObject, type Plain } from '../plain.ts'

/** JSON with the keys of every object sorted and what is undefined left out. */
export function canonical(value: Plain): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const fields = Object.entries(value).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${canonical(field)}`],
  )
  return `{${fields.sort().join()}}`
}

/** What JSON would lose or change, with its place: `.flow[3] is NaN`; undefined if there is nothing. */
export function faultOf(value: unknown, place = ''): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place} is ${value}`
  if (Array.isArray(value)) return firstOf(value.map((item, i) => faultOf(item, `${place}[${i}]`)))
  if (!isObject(value)) return `${place} is ${typeof value}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return `${place} is an instance of a class`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return firstOf(fields.map(([key, field]) => faultOf(field, `${place}.${key}`)))
}

const firstOf = (faults: readonly (string | undefined)[]): string | undefined =>
  faults.find((fault) => fault !== undefined)

function field<T>(from: Plain, key: string, kind: string, read: (value: unknown) => T | undefined): T {
  const value = isObject(from) ? from[key] : undefined
  const found = read(value)
  if (found === undefined) throw new TypeError(`expected ${kind} "${key}", got ${JSON.stringify(value) ?? 'nothing'}`)
  return found
}

/**
 * The number that a point or a result has under `key`: `numberIn(point, 'load')`.
 *
 * @throws TypeError if it has none
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

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
