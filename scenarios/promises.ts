/** The promises of every run: its actors keep their promises, none dies without a fault, and the run ends. */
import { type Check, is, none, noneViolated } from '../lib/cli/index.ts'
import type { Violation } from '../lib/scenario/oracle.ts'
import type { RunResult } from '../lib/scenario/run-scenario.ts'

/** A run with its violations. */
export interface Watched extends RunResult {
  readonly broken: readonly Violation[]
}

export const inWords = (broken: readonly Violation[]): string[] =>
  broken.map(({ property, text }) => `${property}: ${text}`)

/** The check that a run comes to rest. */
export const ENDED = 'the run ended by itself'

/** The checks of every run: no crash, and an end. */
export const endChecks = ({ crashes, end }: Pick<RunResult, 'crashes' | 'end'>): Check[] => [
  none('actors that died without a fault', crashes),
  is(ENDED, end.ended === 'idle' ? 'yes' : ['no', ...end.waiting.slice(0, 5)].join('; '), 'yes'),
]

/** The checks of a run with promises. */
export const checksOf = (run: Watched): Check[] => [noneViolated(inWords(run.broken)), ...endChecks(run)]

/** @throws Error if a promise was broken, or an actor died without a fault */
export function requireKept({ broken, crashes }: Pick<Watched, 'broken' | 'crashes'>): void {
  const all = [...inWords(broken), ...crashes]
  if (all.length > 0) throw new Error(`${all.length} promises were broken: ${all.slice(0, 3).join('; ')}`)
}

/** @throws Error that names the first failed check */
export function requireAll(checks: readonly Check[]): void {
  const failed = checks.find(({ ok }) => !ok)
  if (failed) throw new Error(`${failed.name}: ${failed.measured}`)
}
