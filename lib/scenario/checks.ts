/** Checks: invariants that must hold of a run, and numbers that must agree with the paper's. */
import type { Plain } from '../core/data.ts'
import { shortened } from '../core/format.ts'
import type { Sentence } from './page.ts'

/** An invariant, or a number compared with the paper's. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly measured: Plain
  readonly expected: Plain
  /** The largest difference allowed; null if the two must be equal. */
  readonly tolerance: number | null
  /** Where it failed: a sentence each, whose names lead to their places on the page. */
  readonly evidence?: readonly Sentence[]
  /** The command that repeats the failure. */
  readonly repeat?: string
}

/** A value as people read it; numbers have six digits. */
export const shownValue = (value: Plain): string => {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Scalar = string | number | boolean | null

/** A check that a value is the expected one. */
export const is = (name: string, measured: Scalar, expected: Scalar): Check => ({
  name,
  ok: measured === expected,
  measured,
  expected,
  tolerance: null,
})

/** The expected value of a check that a list is empty. */
const NONE = 'none'

/** A check that a list is empty; a failure shows its first three lines and the number of the rest. */
export const none = (name: string, lines: readonly string[]): Check => ({
  name,
  ok: lines.length === 0,
  measured: lines.length === 0 ? NONE : firstOf(lines),
  expected: NONE,
  tolerance: null,
})

/** A check that no invariant is violated; `scope` says where, such as `in 100 schedules`. */
export function noneViolated(violations: readonly string[], scope?: string): Check {
  const check = none('invariants', violations)
  if (!check.ok) return check
  return { ...check, measured: scope === undefined ? 'none violated' : `none violated ${scope}` }
}

function firstOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3)
  const more = lines.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** A check that a number differs from the expected one by at most the tolerance. */
export const within = (name: string, measured: number, expected: number, tolerance: number): Check => ({
  name,
  ok: Math.abs(measured - expected) <= tolerance,
  measured,
  expected,
  tolerance,
})

/** The most characters of a measured value on a line. */
const VALUE_MAX = 240

/**
 * The line that reports a check. The expected value is part of it if it is a number, or if the check failed and the
 * measured value does not say what was expected. A long measured value is cut; `--json` has all of it.
 */
export function checkLine({ name, ok, measured, expected, tolerance }: Check): string {
  const value = shownValue(measured)
  const shown = value.length > VALUE_MAX ? `${shortened(value, VALUE_MAX)} (--json prints all of it)` : value
  const line = `${ok ? 'ok    ' : 'FAILED'} ${name}: ${shown}`
  const isSaid = typeof expected === 'number' || (!ok && expected !== NONE)
  return isSaid ? `${line}, expected ${expectedText({ expected, tolerance })}` : line
}

/** The expected value of a check, with its tolerance. */
export const expectedText = ({ expected, tolerance }: Pick<Check, 'expected' | 'tolerance'>): string =>
  shownValue(expected) + (tolerance === null ? '' : ` ± ${shownValue(tolerance)}`)

/** Prefixes the names of checks with a part of the run. */
export const named =
  (part: string) =>
  (check: Check): Check => ({ ...check, name: `${part}: ${check.name}` })
