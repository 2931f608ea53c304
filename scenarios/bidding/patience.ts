/** The check of the times that clients and machines wait for each other, which depend on several flags. */
import { UsageError } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'

interface Patience {
  readonly query: Time | null
  readonly timeout: Time | null
  readonly silence: Time | null
  readonly latency: Time
  readonly jitter: Time
}

/** @throws UsageError if living actors would be taken for dead */
export function requirePatience({ query, timeout, silence, latency, jitter }: Patience): void {
  const both = 2 * (latency + jitter)
  if (query === 0) throw UsageError.invalid('--query', 'a time > 0', '"0"')
  if (timeout !== null && query === null) throw UsageError.requires('--timeout', '--query')
  if (timeout !== null && timeout <= both) {
    throw UsageError.invalid('--timeout', `more than two delays (${printUnits(both)})`, printUnits(timeout))
  }
  if (silence === null) return
  if (query === null) throw UsageError.requires('--silence', '--query')
  if (silence <= query + both) {
    const least = printUnits(query + both)
    throw UsageError.invalid('--silence', `more than the query interval and two delays (${least})`, printUnits(silence))
  }
}
