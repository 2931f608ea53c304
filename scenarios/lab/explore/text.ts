/** What a search found, in lines. */
import { counted, printUnits } from '../../../lib/core/format.ts'
import type { Exhausted } from '../../../lib/explore/exhaustive.ts'
import type { Sometime, Specification } from '../../../lib/scenario/specification.ts'
import type { Searched } from './search.ts'

export function exhaustedLine({ schedules, orders, outcomes, failures, longestHold, cutHolds }: Exhausted): string {
  const each = schedules > 0 ? ` (${(orders / schedules).toFixed(1)} per schedule)` : ''
  const line = `schedules ${schedules}, orders ${orders}${each}, distinct outcomes ${outcomes.size}, failed ${failures.length}`
  if (cutHolds === 0) return line
  return `${line}\nno event was held back for more than ${printUnits(longestHold)} units (--hold), which left out ${cutHolds} choices`
}

/** Where the tree of orders branched most, since fewer such events make it smaller. */
export function branchesLine({ branches }: Exhausted): string {
  const shown = branches.slice(0, BRANCHES_SHOWN).map(({ who, events, times }) => `${who} ${events} (${times})`)
  return shown.length > 0 ? `\nthe tree of orders branched most at ${shown.join(', ')}` : ''
}

export const BRANCHES_SHOWN = 5

/** Why a search ran fewer schedules than it was asked for. */
export function endOf({ outOfTime, schedules, failed }: Searched, asked: number): string {
  if (outOfTime) return ` of ${asked}, since the time was up (--seconds)`
  return failed > 0 && schedules < asked ? ` of ${asked}, since a run failed (--first)` : ''
}

const notMet = ({ sometimes = [] }: Specification, seen: ReadonlySet<string>): Sometime[] =>
  sometimes.filter(({ name }) => !seen.has(name))

export const neverSeen = (specification: Specification, seen: ReadonlySet<string>): string[] =>
  notMet(specification, seen).map(({ name }) => name)

/** A line on the reachability goals that were met, and those that were not; none if the scenario has no goals. */
export function goalLines(specification: Specification, seen: ReadonlySet<string>): string[] {
  const { length } = specification.sometimes ?? []
  if (length === 0) return []
  const never = notMet(specification, seen)
  const texts = never.map(({ name, hint }) => (hint === undefined ? name : `${name} (${hint})`))
  return [
    `reachability goals met: ${length - never.length} of ${length}${never.length > 0 ? `; not met: ${texts.join(', ')}` : ''}`,
  ]
}

export const rateOf = ({ schedules, seconds }: Searched): number => schedules / seconds

/** What is said of a search besides its numbers. */
export type Said = {
  /** Whether faults may strike its runs. */
  readonly mayFail: boolean
  /** Why it ran fewer schedules than it was asked for. */
  readonly end: string
  /** The promises that are asked only of a run without a schedule. */
  readonly notAsked: readonly string[]
  /** The number of runs under faults alone, which are asked for them as well. */
  readonly faultsAlone?: number
}

/** The numbers of a search. */
export const statistics = (
  found: Searched,
  specification: Specification,
  { mayFail, end, notAsked, faultsAlone = 0 }: Said,
): string =>
  [
    `schedules ${found.schedules}${end}, distinct outcomes ${found.outcomes.size}, failed ${found.failed}`,
    pairsLine(found.pairs),
    ...(mayFail ? [`runs that a fault struck ${found.struck} of ${found.schedules}`] : []),
    ...goalLines(specification, found.seen),
    ...notAskedLine(notAsked, faultsAlone),
    holdsLine(found),
    `decisions ${found.decisions}, steps ${found.steps}, schedules per second ${rateOf(found).toFixed(0)}`,
  ].join('\n')

function notAskedLine(promises: readonly string[], faultsAlone: number): string[] {
  if (promises.length === 0) return []
  const runs =
    faultsAlone === 0
      ? 'the run without a schedule'
      : `runs without a schedule (1 without faults, ${faultsAlone} under faults alone)`
  return [`${counted(promises.length, 'promise')} checked only in ${runs}: ${promises.join('; ')}`]
}

function pairsLine({ met, both }: Searched['pairs']): string {
  if (met === 0) return 'no decision had a choice between two events, so no racing pairs were counted'
  return `${counted(met, 'pair')} of events waited at one actor at the same time (racing pairs); the runs handled ${both} of them in both orders`
}

function holdsLine({ longestHold, holds, cutHolds }: Searched): string {
  if (holds === 0) return 'no event was held back'
  const most = `for at most ${printUnits(longestHold)} units (--hold)`
  if (holds === 1) return `1 event was held back, ${most}${cutHolds > 0 ? '; this limit ended the hold' : ''}`
  return `${holds} events were held back, each ${most}; this limit ended ${cutHolds || 'none'} of these holds`
}
