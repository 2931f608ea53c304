/** Checks the options that a caller passes in: their names and their values. */
import { inspect } from 'node:util'
import { isObject } from './data.ts'
import { OutOfRange } from './error.ts'
import { listed, nearest } from './format.ts'
import { isTime } from './time.ts'

/** An object with the names of all options; the compiler checks that none is missing. */
export type NamesOf<O> = { readonly [K in keyof Required<O>]: unknown }

/**
 * Checks that `where` has every option that is given.
 *
 * @throws OutOfRange that names the first unknown option, and the one that was meant
 */
export function requireKnown<O>(where: string, given: O, names: NamesOf<O>): void {
  if (!isObject(given)) throw new OutOfRange(`${where} takes its options in an object, not ${shown(given)}`)
  const known = Object.keys(names)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const mend = meant === undefined ? `its options are ${known.join(', ')}` : `did you mean ${meant}?`
  throw new OutOfRange(`${where} has no option ${unknown}; ${mend}`)
}

/**
 * Checks that a condition on a value holds.
 *
 * @throws OutOfRange that says what `name` must be, and its value
 */
export function requireThat(name: string, value: unknown, holds: boolean, must: string): void {
  if (!holds) throw new OutOfRange(`${name} must be ${must}, not ${shown(value)}`)
}

/**
 * Checks that a value is a time >= 0.
 *
 * @throws OutOfRange that says what `name` must be, and its value
 */
export const requireTime = (name: string, value: unknown): void =>
  requireThat(name, value, isTime(value), timeFrom('>= 0'))

/**
 * Checks that a value is a time > 0.
 *
 * @throws OutOfRange that says what `name` must be, and its value
 */
export const requireSpan = (name: string, value: unknown): void =>
  requireThat(name, value, isTime(value) && value > 0, timeFrom('> 0'))

const timeFrom = (least: string): string =>
  `a time ${least} in whole millionths of a unit, as units(5) makes of 5 units`

/**
 * Checks that a value is one of the given texts, and returns it.
 *
 * @throws OutOfRange that says what `name` must be, and its value
 */
export function requireChoice<T extends string>(name: string, value: unknown, choices: readonly T[]): T {
  const choice = choices.find((one) => one === value)
  if (choice !== undefined) return choice
  throw new OutOfRange(`${name} must be ${listed(choices)}, not ${shown(value)}`)
}

/**
 * Checks that a value is an integer >= `least`.
 *
 * @throws OutOfRange that says what `name` must be, and its value
 */
export const requireCount = (name: string, value: unknown, least = 0): void =>
  requireThat(name, value, isCount(value) && value >= least, `an integer >= ${least}`)

export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

export const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY

/** A value on one line, cut if it is long. */
const shown = (value: unknown): string =>
  inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 8, maxStringLength: 60 })
