/** How long clients and machines wait for each other, as flags say it: what no single one of them can check. */
import { UsageError } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'

export interface Patience {
  readonly query: Time | null
  readonly timeout: Time | null
  readonly silence: Time | null
  readonly latency: Time
  readonly jitter: Time
}

/** @throws UsageError if those that live would be taken for dead */
export function requirePatience({ query, timeout, silence, latency, jitter }: Patience): void {
  const both = 2 * (latency + jitter)
  if (query === 0) throw new UsageError('--query', 'a time > 0', '"0"')
  if (timeout !== null && query === null) throw new UsageError('--timeout', '--query beside it', 'it alone')
  if (timeout !== null && timeout <= both) {
    throw new UsageError('--timeout', `more than two delays (${printUnits(both)})`, printUnits(timeout))
  }
  if (silence === null) return
  if (query === null) throw new UsageError('--silence', '--query beside it', 'it alone')
  if (silence <= query + both) {
    const least = printUnits(query + both)
    throw new UsageError('--silence', `more than the query interval and two delays (${least})`, printUnits(silence))
  }
}
