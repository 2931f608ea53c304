/** The claims of a paper on its study's page: how many hold, those that do not, and all others on demand. */
import { h, type JSX } from 'preact'
import type { ShownAgreement, ShownClaim } from '../types.ts'

/** The most claims that hold and are listed at once. */
const LISTED_MAX = 4

const MARKS = { holds: ['✓', 'good'], fails: ['✗', 'bad'], open: ['?', 'faint'] } as const

/** How many values agree; without any that can be judged, how many claims hold; nothing without either. */
export function headline(claims: readonly ShownClaim[], values?: ShownAgreement): JSX.Element[] {
  if (values) {
    const { agree, judged, with: other } = values
    const text = `${agree} of ${judged} ${judged === 1 ? 'value agrees' : 'values agree'} with ${other}`
    return [h('p', { class: agree === judged ? 'verdict good' : 'verdict', id: 'values' }, text)]
  }
  if (claims.length === 0) return []
  const [holds, open] = [countOf(claims, 'holds'), countOf(claims, 'open')]
  const tone = open === claims.length ? 'faint' : holds === claims.length ? 'good' : ''
  return [h('p', { class: `verdict ${tone}`.trimEnd(), id: 'claims' }, headlineOf(claims.length, holds, open))]
}

function headlineOf(all: number, holds: number, open: number): string {
  const count = (claims: number): string => `${claims} ${claims === 1 ? 'claim' : 'claims'}`
  if (open === all) return `${count(all)}, none of which these runs can judge`
  const rest = open === 0 ? '' : `; these runs cannot judge ${open} more`
  return `${holds} of ${count(all - open)} ${holds === 1 || all - open === 1 ? 'holds' : 'hold'}${rest}`
}

const countOf = (claims: readonly ShownClaim[], verdict: ShownClaim['verdict']): number =>
  claims.filter((one) => one.verdict === verdict).length

/** What does not hold, and the other claims. */
export function claimsIn(claims: readonly ShownClaim[]): JSX.Element {
  const of = (verdict: ShownClaim['verdict']) => claims.filter((one) => one.verdict === verdict)
  const [fails, holds, open] = [of('fails'), of('holds'), of('open')]
  return h(
    'section',
    { class: 'claims', 'aria-label': "The paper's claims" },
    fails.length > 0 && h('ul', {}, fails.map(item)),
    folded('Claims that hold', holds, holds.length <= LISTED_MAX),
    folded('Claims that these runs cannot judge', open, false),
  )
}

const folded = (title: string, claims: readonly ShownClaim[], open: boolean): JSX.Element | null =>
  claims.length === 0
    ? null
    : h('details', { open }, h('summary', {}, `${title} (${claims.length})`), h('ul', {}, claims.map(item)))

function item({ says, ours, verdict, word, remark }: ShownClaim): JSX.Element {
  const [mark, tone] = MARKS[verdict]
  return h(
    'li',
    {},
    h('strong', { class: tone }, `${mark} ${word}`),
    `: ${says}. `,
    h('span', { class: 'faint' }, ours === '' ? '' : `Ours: ${ours}. `, remark === '' ? '' : `Note: ${remark}.`),
  )
}
