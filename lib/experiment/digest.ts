/** A short digest of data: two runs that print the same digest had the same arrivals. */

import { createHash } from 'node:crypto'
import { OutOfRange } from '../core/error.ts'

/**
 * The first 16 hexadecimal digits of SHA-256 over integers as text, one per line: `digestOf(jobs.map(({ arrival }) =>
 * arrival))`.
 *
 * @throws OutOfRange for a number that is no safe integer
 */
export function digestOf(integers: Iterable<number>): string {
  const hash = createHash('sha256')
  for (const n of integers) {
    if (!Number.isSafeInteger(n)) throw new OutOfRange(`digestOf: the numbers must be integers, not ${n}`)
    hash.update(`${n}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}
