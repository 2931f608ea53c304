/** The tables of a figure: its numbers, and the paper's statements about it. */

import { type Column, type ResultTable, textColumn } from '../../lib/core/table.ts'
import type { Claim } from '../../lib/experiment/claim.ts'
import type { ShownAgreement, ShownClaim } from '../../lib/report/types.ts'
import type { Found, Verdict } from './figure.ts'
import { isTooShort } from './series.ts'

/** The words about a value that is compared with another. A value whose run was too short is neither right nor wrong. */
export const AGREES = { yes: 'yes', nearly: 'nearly', no: 'no', short: 'too short' } as const

/** A column of these words. */
export const agreesColumn = (name: string): Column => ({
  ...textColumn(name),
  tones: { [AGREES.yes]: 'good', [AGREES.nearly]: 'good', [AGREES.no]: 'bad', [AGREES.short]: 'faint' },
})

function wordOf(one: Found): string {
  if (one.agrees === null) return isTooShort(one) ? AGREES.short : ''
  return one.agrees ? AGREES.yes : AGREES.no
}

/** A table with a line for each quantity: the paper's value, ours, and the converged one. */
export const longTable = (labels: readonly Column[], found: readonly Found[]): ResultTable => ({
  columns: [
    ...[...labels, textColumn('of'), { name: 'paper' }],
    ...['ours', 'converged', 'tolerance'].map((name) => ({ name, digits: 3 })),
    agreesColumn('agrees'),
  ],
  rows: found.map((one) => [
    ...[...one.labels, one.of, one.paper ?? '', one.ours, one.converged?.value ?? null, one.tolerance],
    wordOf(one),
  ]),
})

/** Whether a statement holds, or its settled verdict. */
function holdsOf({ holds }: Verdict, claim: Claim | undefined): string {
  if (holds === null) return 'open'
  if (claim?.verdict === undefined) return holds ? 'yes' : 'no'
  return holds ? claim.verdict : 'CONTRADICTED'
}

/** The settled verdict on a claim that was not examined. */
const NOT_TRIED = 'not tried'

/** The settled verdicts on claims that hold as they stand. */
const HOLDING: readonly string[] = ['holds', 'exact', 'confirmed']

/** The claims as a page shows them. One that holds only with a correction does not hold as it stands. */
export function claimsOf(verdicts: readonly Verdict[], claims: readonly Claim[]): ShownClaim[] {
  return verdicts.map((one) => {
    const claim = claims.find(({ says }) => says === one.says)
    const { verdict, remark = '' } = claim ?? {}
    const doesHold = one.holds !== false && (verdict === undefined || HOLDING.includes(verdict))
    const words = verdict === undefined || HOLDING.includes(verdict) ? WORDS : { ...WORDS, fails: verdict }
    const shown = one.holds === null || verdict === NOT_TRIED ? 'open' : doesHold ? 'holds' : 'fails'
    return {
      says: claim ? `${claim.where}: ${one.says}` : one.says,
      ours: one.ours,
      verdict: shown,
      word: one.holds === false && verdict !== undefined ? `our numbers contradict "${verdict}"` : words[shown],
      remark,
    }
  })
}

/** The most statements that are written out in the story. */
const NAMED_MAX = 2

/** Says how many statements of the paper our numbers do not confirm, so that values that agree and claims that fail are not confused. */
export function failedIn(claims: readonly ShownClaim[]): string[] {
  const failing = claims.filter(({ verdict }) => verdict === 'fails')
  const failed = failing.length
  if (failed === 0) return []
  const named = failed <= NAMED_MAX ? `: ${failing.map(({ says }) => `"${says}"`).join(' and ')}` : ''
  const judged = claims.filter(({ verdict }) => verdict !== 'open').length
  return [
    `Of the ${judged} statements of the paper in words that can be judged, ${failed} ${failed === 1 ? 'does' : 'do'} not hold as printed${named}.`,
  ]
}

const WORDS = { holds: 'holds', fails: 'does not hold', open: 'cannot be judged' }

/** What became of the values that have a converged one, in sentences; the second says what to do about short runs. */
export function tallyOf(found: readonly Found[], hasFull: boolean): string[] {
  const judged = found.filter(({ agrees }) => agrees !== null)
  const agreeing = judged.filter(({ agrees }) => agrees)
  return [...agreementOf(judged.length, agreeing.length), ...shortOf(found.filter(isTooShort).length, hasFull)]
}

/** How many values agree with their converged ones; undefined if none can be judged. */
export function agreementIn(found: readonly Found[]): ShownAgreement | undefined {
  const judged = found.filter(({ agrees }) => agrees !== null)
  if (judged.length === 0) return undefined
  return { judged: judged.length, agree: judged.filter(({ agrees }) => agrees).length, with: 'converged values' }
}

function agreementOf(judged: number, agreeing: number): string[] {
  if (judged === 0) return []
  const values = `${judged} ${judged === 1 ? 'value' : 'values'} that can be judged`
  if (judged === agreeing && judged > 1) return [`All ${values} agree with what the model converges to.`]
  return [`Of ${values}, ${agreeing} ${agreeing === 1 ? 'agrees' : 'agree'} with what the model converges to.`]
}

/** A sentence about runs that are too short; none if there are none. */
export function shortOf(count: number, hasFull: boolean): string[] {
  if (count === 0) return []
  const values = count === 1 ? '1 value is of a run' : `${count} values are of runs`
  return [`${values} too short to judge${hasFull ? '; runs with --full are long enough' : ''}.`]
}

/** The table for programs: a line for each quantity, then a line for each statement of the paper. */
export function csvTable(
  labels: readonly Column[],
  found: readonly Found[],
  verdicts: readonly Verdict[],
): ResultTable {
  const { columns, rows } = longTable(labels, found)
  const none = labels.map(() => '')
  return {
    columns: [...columns, textColumn('shape')],
    rows: [
      ...rows.map((row) => [...row, '']),
      ...verdicts.map((one) => [...none, 'shape', one.says, one.ours, null, null, '', holdsOf(one, undefined)]),
    ],
  }
}

/** The table of the paper's statements, with notes on those that are known to be wrong. */
export function verdictTable(verdicts: readonly Verdict[], claims: readonly Claim[]): ResultTable {
  const judged = verdicts.map((verdict) => ({ verdict, claim: claims.find(({ says }) => says === verdict.says) }))
  const remarks = [...new Set(judged.flatMap(({ claim }) => claim?.remark ?? []))]
  const markOf = (remark: string | undefined) => (remark === undefined ? '' : `(${remarks.indexOf(remark) + 1})`)
  return {
    title: "The paper's statements",
    columns: ['the paper', 'our numbers', 'holds', ...(remarks.length > 0 ? ['note'] : [])].map(textColumn),
    rows: judged.map(({ verdict, claim }) => [
      claim ? `${claim.where}: ${claim.says}` : verdict.says,
      verdict.ours,
      holdsOf(verdict, claim),
      ...(remarks.length > 0 ? [markOf(claim?.remark)] : []),
    ]),
    notes: [
      ...(verdicts.some(({ holds }) => holds === null) ? ['Open: these runs cannot tell.'] : []),
      ...remarks.map((remark, i) => `(${i + 1}) ${remark}`),
    ],
  }
}
