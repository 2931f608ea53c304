/** What every run promises, whatever its system: its actors keep their word and live, and it comes to an end. */
import { type Check, is, none } from '../lib/cli/index.ts'
import type { RunResult } from '../lib/scenario/run-scenario.ts'
import type { Violation } from '../lib/scenario/specification.ts'

/** A run that knows which promises were broken. */
export interface Watched extends RunResult {
  readonly broken: readonly Violation[]
}

export const inWords = (broken: readonly Violation[]): string[] =>
  broken.map(({ property, text }) => `${property}: ${text}`)

/** The check that a run comes to rest. */
export const ENDED = 'the run ended by itself'

/** What must hold even where nothing was promised. */
export const endChecks = ({ crashes, end }: Pick<RunResult, 'crashes' | 'end'>): Check[] => [
  none('actors that died unasked', crashes),
  is(ENDED, end.ended === 'idle' ? 'yes' : ['no', ...end.waiting.slice(0, 5)].join('; '), 'yes'),
]

/** What must hold. */
export const checksOf = (run: Watched): Check[] => [none('broken promises', inWords(run.broken)), ...endChecks(run)]

/** @throws Error if a promise was broken, or somebody died unasked */
export function requireKept({ broken, crashes }: Pick<Watched, 'broken' | 'crashes'>): void {
  const all = [...inWords(broken), ...crashes]
  if (all.length > 0) throw new Error(`${all.length} promises were broken: ${all.slice(0, 3).join('; ')}`)
}

/** @throws Error that names the first that does not hold */
export function requireAll(checks: readonly Check[]): void {
  const failed = checks.find(({ ok }) => !ok)
  if (failed) throw new Error(`${failed.name}: ${failed.measured}`)
}
