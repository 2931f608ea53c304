/** The verdict of a run: its checks, its dead letters, and its faults that never struck. */
import { BourseError } from '../core/error.ts'
import { type Check, is, none, noneViolated } from './checks.ts'
import { printFault } from './faults.ts'
import { inWords, type Violation } from './oracle.ts'
import { listOf, type Sentence, say } from './page.ts'
import type { RunResult } from './run-scenario.ts'

/** A run with its violations. */
interface Broken extends RunResult {
  readonly broken: readonly Violation[]
}

/** The check that a run comes to rest. */
export const ENDED = 'the run ended by itself'

/** The checks of every run: no crash, and an end. A run that has a calm part goes on to its end. */
export const endChecks = ({ crashes, end, isSettled }: Pick<RunResult, 'crashes' | 'end' | 'isSettled'>): Check[] => [
  none('actors that died without a fault', crashes),
  end.ended === 'until' && isSettled
    ? is('the run went on to its end', 'yes', 'yes')
    : is(
        ENDED,
        end.ended === 'idle'
          ? 'yes'
          : ['no', ...(end.limit === null ? [] : [end.limit]), ...end.waiting.slice(0, 5)].join('; '),
        'yes',
      ),
]

/** The checks of a run with promises. */
export const checksOf = (run: Broken): Check[] => [noneViolated(inWords(run.broken)), ...endChecks(run)]

/** @throws BourseError if a promise was broken, or an actor died without a fault */
export const requireKept = ({ broken, crashes }: Pick<Broken, 'broken' | 'crashes'>): void =>
  requireNone([...inWords(broken), ...crashes])

/** @throws BourseError if there are problems, such as broken promises in words */
export function requireNone(problems: readonly string[]): void {
  if (problems.length === 0) return
  const first = problems.slice(0, 3).join('; ')
  throw new BourseError('BOURSE_PROMISE_BROKEN', `${problems.length} promises were broken: ${first}`)
}

/** @throws BourseError that names the first failed check */
export function requireAll(checks: readonly Check[]): void {
  const failed = checks.find(({ ok }) => !ok)
  if (failed) throw new BourseError('BOURSE_PROMISE_BROKEN', `${failed.name}: ${failed.measured}`)
}

/** The dead letters of a run and its faults that never struck, for results. */
export const mishapsOf = ({ deadLetters, missed }: Pick<RunResult, 'deadLetters' | 'missed'>) => ({
  deadLetters: Object.fromEntries(deadLetters),
  faultsThatNeverStruck: missed.map(printFault),
})

/** A sentence for a page about the faults of a run that never struck; none without them. */
export function missedSentences({ missed }: Pick<RunResult, 'missed'>, faults: number): Sentence[] {
  if (missed.length === 0) return []
  const named = listOf(missed.map((fault) => `"${printFault(fault)}"`))
  const isAll = missed.length === faults
  return [
    say`${missed.length === 1 ? 'The fault' : 'The faults'} ${named} never struck${isAll ? ', so that this is the run without faults' : ''}.`,
  ]
}

/** Lines about the dead letters of a run and about its faults that never struck; none without them. */
export const mishapLines = ({ deadLetters, missed }: Pick<RunResult, 'deadLetters' | 'missed'>): string[] => [
  ...(deadLetters.size > 0
    ? [`dead letters: ${[...deadLetters].map(([reason, letters]) => `${letters} (${reason})`).join(', ')}`]
    : []),
  ...(missed.length > 0 ? [`faults that never struck: ${missed.map(printFault).join('; ')}`] : []),
]
