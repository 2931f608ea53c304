/** The strategies by name: `fifo`, `random`, `pos`, `pct:D`, `delay:K`, `portfolio`, `guided`. */
import { listed, quoted } from '../../core/format.ts'
import { UsageError } from '../../core/usage-error.ts'
import { delay } from './delay.ts'
import { fifo } from './fifo.ts'
import { guided } from './guided.ts'
import { pct } from './pct.ts'
import { portfolio } from './portfolio.ts'
import { pos } from './pos.ts'
import { random } from './random.ts'
import type { LearningStrategy, Strategy } from './strategy.ts'

/** The strategy of a search that names none. */
export const DEFAULT_STRATEGY = 'portfolio'

/** The strategies without a parameter. */
const PLAIN: ReadonlyMap<string, Strategy | LearningStrategy> = new Map<string, Strategy | LearningStrategy>([
  ['fifo', fifo],
  ['random', random],
  ['pos', pos],
  ['portfolio', portfolio],
  ['guided', guided],
])

/**
 * Parses the name of a strategy, such as `pct:3`.
 *
 * @throws UsageError that names `flag`, and the `others` that the flag takes as well
 */
export function strategyOf(text: string, flag: string, others: readonly string[] = []): Strategy | LearningStrategy {
  const plain = PLAIN.get(text)
  if (plain) return plain
  const [, name, parameter] = /^(pct|delay)(?::([1-9]\d?))?$/.exec(text) ?? []
  const n = parameter === undefined ? undefined : Number(parameter)
  if (name === 'pct') return pct(n ?? 3)
  if (name === 'delay') return delay(n ?? 2)
  throw UsageError.invalid(
    flag,
    `${listed([...PLAIN.keys(), 'pct:D', 'delay:K', ...others])} (D, K from 1 to 99)`,
    quoted(text),
  )
}
