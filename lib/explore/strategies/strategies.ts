/** The strategies by name: `fifo`, `random`, `pct:D`, `delay:K`. */
import { listed, quoted } from '../../core/format.ts'
import { UsageError } from '../../core/usage-error.ts'
import { delay } from './delay.ts'
import { fifo } from './fifo.ts'
import { pct } from './pct.ts'
import { random } from './random.ts'
import type { Strategy } from './strategy.ts'

/**
 * Parses the name of a strategy, such as `pct:3`.
 *
 * @throws UsageError that names `flag`, and the `others` that the flag takes as well
 */
export function strategyOf(text: string, flag: string, others: readonly string[] = []): Strategy {
  const [, name, parameter] = /^(fifo|random|pct|delay)(?::([1-9]\d?))?$/.exec(text) ?? []
  const n = parameter === undefined ? undefined : Number(parameter)
  if (name === 'fifo' && n === undefined) return fifo
  if (name === 'random' && n === undefined) return random
  if (name === 'pct') return pct(n ?? 3)
  if (name === 'delay') return delay(n ?? 2)
  throw UsageError.invalid(
    flag,
    `${listed(['fifo', 'random', 'pct:D', 'delay:K', ...others])} (D, K from 1 to 99)`,
    quoted(text),
  )
}
