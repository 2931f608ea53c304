/** Parsers of flag values. The error of each says which values it takes. */

import { decimal, listed, MAX_UNITS, parseUnits, quoted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { type FileRole, type Flag, type Group, optional, type Parser, value } from './flags.ts'
import { parseSchedule, type ScheduleString } from './schedule-string.ts'

/** Makes a parser from a reader, which returns undefined for a text that it refuses. */
const parser =
  <T>(mustBe: string, read: (text: string) => T | undefined): Parser<T> =>
  (text, flag) => {
    const value = read(text)
    if (value === undefined) throw UsageError.invalid(flag, mustBe, quoted(text))
    return value
  }

/** Bounds of a number; `min` and `max` are included. */
export interface Range {
  readonly min?: number
  readonly max?: number
  /** An excluded lower bound: the number must be greater. */
  readonly above?: number
}

const within = (value: number, { min = -Infinity, max = Infinity, above = -Infinity }: Range): boolean =>
  value >= min && value <= max && value > above

const rangeText = ({ min, max, above }: Range): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  const parts = [
    above !== undefined && `> ${above}`,
    min !== undefined && `>= ${min}`,
    max !== undefined && `<= ${max}`,
  ]
  const said = parts.filter(Boolean).join(' and ')
  return said && ` ${said}`
}

/** A parser of numbers in a range. */
export const number = (range: Range = {}): Parser<number> =>
  parser(`a number${rangeText(range)}`, (text) => {
    const value = decimal(text)
    return value !== undefined && within(value, range) ? value : undefined
  })

/** A parser of integers in a range. */
export const integer = (range: Range = {}): Parser<number> =>
  parser(`an integer${rangeText(range)}`, (text) => {
    const value = decimal(text)
    return value !== undefined && Number.isSafeInteger(value) && within(value, range) ? value : undefined
  })

/** A parser of numbers from 0 to 1. */
export const probability: Parser<number> = number({ min: 0, max: 1 })

/** One or more numbers > 0, such as the speeds of machines. */
export const positiveNumbers: Parser<readonly number[]> = parser('positive numbers separated by commas', (text) => {
  const values = text.split(',').flatMap((part) => decimal(part.trim()) ?? 0)
  return values.every((value) => value > 0) ? values : undefined
})

/** A parser of one of these words. */
export const oneOf = <const T extends string>(...choices: readonly T[]): Parser<T> =>
  parser(listed(choices), (text) => choices.find((choice) => choice === text))

/** A flag whose value is one of some words, by default `fallback`. */
export const choice = <const T extends string>({
  of,
  ...declared
}: {
  readonly of: readonly T[]
  readonly fallback: NoInfer<T>
  readonly help: string
  readonly group?: Group
}): Flag<T> => value({ ...declared, metavar: of.join('|'), parse: oneOf(...of) })

/** Indices from 0, separated by commas. */
export const indices: Parser<readonly number[]> = (given, flag) =>
  given.split(',').map((word) => integer({ min: 0 })(word, flag))

/** A time >= 0, typed in units. */
export const duration: Parser<Time> = parser(`a time in units from 0 to ${MAX_UNITS}`, parseUnits)

/** A path or any other text that is not empty. */
export const text: Parser<string> = parser('a text that is not empty', (given) => given || undefined)

/** A flag that names a file or a folder; it has no default. */
export const fileFlag = (file: FileRole, help: string): Flag<string | undefined> =>
  optional({ metavar: file === 'folder' ? 'FOLDER' : 'FILE', file, parse: text, help })

/** A parser that also takes `off`, which means null. */
export const off =
  <T>(parse: Parser<T>): Parser<T | null> =>
  (given, flag) => {
    if (given === 'off') return null
    try {
      return parse(given, flag)
    } catch (error) {
      throw error instanceof UsageError ? error.or('off') : error
    }
  }

/** `fifo`, the number of a hashed order, or a schedule that the explorer printed. */
export const schedule: Parser<'fifo' | number | ScheduleString> = (given, flag) => {
  if (given === 'fifo') return given
  const value = decimal(given)
  const isNumber = value !== undefined && Number.isSafeInteger(value) && value >= 0
  return isNumber ? value : parseSchedule(given, flag)
}
