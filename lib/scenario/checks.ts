/** Checks: invariants that must hold of a run, and numbers that must agree with the paper's. */
import type { Plain } from '../core/data.ts'

/** An invariant, or a number compared with the paper's. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly measured: Plain
  readonly expected: Plain
  /** The largest difference allowed; null if the two must be equal. */
  readonly tolerance: number | null
}

/** Numbers to six digits: people compare, they do not compute. */
export const shownValue = (value: Plain): string => {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Scalar = string | number | boolean | null

export const is = (name: string, measured: Scalar, expected: Scalar): Check => ({
  name,
  ok: measured === expected,
  measured,
  expected,
  tolerance: null,
})

/** A check that a list of violations is empty; a failure shows the first three and the number of the rest. */
export const none = (name: string, lines: readonly string[]): Check => ({
  name,
  ok: lines.length === 0,
  measured: lines.length === 0 ? 'none' : firstOf(lines),
  expected: 'none',
  tolerance: null,
})

function firstOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3)
  const more = lines.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

export const within = (name: string, measured: number, expected: number, tolerance: number): Check => ({
  name,
  ok: Math.abs(measured - expected) <= tolerance,
  measured,
  expected,
  tolerance,
})

/** Prefixes the names of checks with a part of the run. */
export const named =
  (part: string) =>
  (check: Check): Check => ({ ...check, name: `${part}: ${check.name}` })
