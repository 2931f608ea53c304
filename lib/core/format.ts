/** Reads and prints numbers, times and words for people. */
import { type Time, UNIT, units } from './time.ts'

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The number that a text writes in decimal; undefined for anything else (`''`, `0x10`, `Infinity`, `1e999`). */
export function decimal(text: string): number | undefined {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** The longest time that can be typed, in units. Up to it, printing and reading a time is exact to the millionth. */
export const MAX_UNITS = 1_000_000_000

/** Rounds a number of units to a time; undefined below 0 and beyond `MAX_UNITS`. */
export const timeOf = (amount: number): Time | undefined =>
  // + 0 turns -0 into 0, which prints alike but compares otherwise
  amount >= 0 && amount <= MAX_UNITS ? units(amount) + 0 : undefined

/** A time >= 0 typed in units, such as `2.5`; undefined for anything else and beyond `MAX_UNITS`. */
export function parseUnits(text: string): Time | undefined {
  const value = decimal(text)
  return value === undefined ? undefined : timeOf(value)
}

/** A time in units, exactly, without exponent: `parseUnits(printUnits(time)) === time`. */
export function printUnits(time: Time): string {
  const size = Math.abs(time)
  const whole = Math.floor(size / UNIT)
  const rest = String(size % UNIT)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${time < 0 ? '-' : ''}${whole}${rest && `.${rest}`}`
}

/** A time in units, rounded for reading: to two decimals, and below one unit to three digits. */
export function shortUnits(time: number): string {
  const amount = time / UNIT
  return String(Number(Math.abs(amount) < 1 ? amount.toPrecision(3) : amount.toFixed(2)))
}

/** A text whose times are rounded for reading: numbers with more than two decimals get two, and below one three digits. */
export const shortTimes = (text: string): string =>
  text.replace(/(?<![\w.])\d+\.\d{3,}(?![\w.])/g, (number) => shortUnits(Number(number) * UNIT))

/** A time in units with two decimals, so that a running clock keeps its width. */
export const clockUnits = (time: number): string => (time / UNIT).toFixed(2)

const LONGEST = 60

/** A text in quotes, on one line, cut if it is long. */
export const quoted = (text: string): string => JSON.stringify(shortened(text, LONGEST))

/** A text, cut after `most` characters if it is longer. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}...` : text

/** A number of things: `1 task`, `3 tasks`. The noun takes a plain s in the plural. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Words as a list: `a`, `a or b`, `a, b or c`. */
export const listed = (words: readonly string[]): string => {
  const last = words[words.length - 1] ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/**
 * The word that was probably meant: at most a third of the letters of the longer word are mistyped, or one word ends with
 * the other (`no-json`, `json`). Leading hyphens do not count. Undefined if there is none.
 */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const letters = (word: string): string => word.toLowerCase().replace(/^-+/, '')
  const given = letters(typed)
  const near = words
    .map((word) => ({ word, known: letters(word) }))
    .map(({ word, known }) => ({ word, known, edits: editsBetween(given, known) }))
    .filter(({ known, edits }) => 3 * edits <= Math.max(given.length, known.length) || haveOneEnd(given, known))
  return near.sort((one, other) => one.edits - other.edits)[0]?.word
}

/** Whether one word ends with the other, which has three letters or more. */
const haveOneEnd = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= 3 && (one.endsWith(other) || other.endsWith(one))

/** The distance of two words (optimal string alignment): letters to add, leave out or replace, and neighbours to swap. */
function editsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j++) {
      const [above = 0, left = 0, corner = 0] = [row[j + 1], next[j], row[j]]
      const edits = Math.min(above + 1, left + 1, corner + (other[j] === letter ? 0 : 1))
      const isSwap = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === other[j]
      next.push(isSwap ? Math.min(edits, (before[j - 1] ?? 0) + 1) : edits)
    }
    ;[before, row] = [row, next]
  }
  return row[other.length] ?? 0
}
