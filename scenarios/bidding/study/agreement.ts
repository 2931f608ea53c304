/** The agreement of two means with 90 % intervals, and whether a run is long enough for its interval to be correct. */
import { sum } from '../../../lib/core/tally.ts'
import type { ShownAgreement } from '../../../lib/report/types.ts'
import { shortOf } from '../../study/tables.ts'
import type { Mean } from '../paper/means.ts'

/** The half-width of the difference of two independent means. */
export const joint = (a: Mean, b: Mean): number => Math.sqrt(a.halfWidth * a.halfWidth + b.halfWidth * b.halfWidth)

/** Twice the joint half-width. Correct intervals rarely lie further apart. */
export const tolerance = (a: Mean, b: Mean): number => 2 * joint(a, b)

export const agrees = (a: Mean, b: Mean): boolean => Math.abs(a.mean - b.mean) <= tolerance(a, b)

/** Inside the joint interval (as 9 of 10 correct pairs), within twice that (as all but a few in 1000), or beyond. */
export type Verdict = 'yes' | 'nearly' | 'no'

export const verdictOf = (a: Mean, b: Mean): Verdict => {
  if (Math.abs(a.mean - b.mean) <= joint(a, b)) return 'yes'
  return agrees(a, b) ? 'nearly' : 'no'
}

const BATCHES = 40
const KEPT = 0.95

/**
 * Whether a batch is at least twice as long as the memory of the queue. The relaxation time of M/M/1 is 1 / (1 -
 * sqrt(load))^2 services (Cohen 1982). Measured on SPT queues with 1 and 8 machines: just above this bound a 90 %
 * interval from 40 batches covers 82 to 89 %; at load 0.9 with 2,000 tasks it covers 57 %.
 */
export function isLongEnough(tasks: number, load: number): boolean {
  const gap = 1 - Math.sqrt(load)
  return (tasks * KEPT) / BATCHES >= 2 / (gap * gap)
}

/** The numbers of cells in a group that agree with the values of one origin. */
type Agreement = {
  readonly with: 'converged values' | "the paper's values"
  readonly group: string
  /** Whether the counted runs were long enough for their intervals. */
  readonly areLong: boolean
  readonly inside: number
  readonly nearly: number
  readonly beyond: number
}

interface Judged {
  readonly isLong: boolean
  readonly asConverged: Verdict | null
  readonly asPaper: Verdict | null
}

/**
 * Counts the cells that agree, by group. Cells of one load share their random numbers (as in the paper), so their
 * deviations are correlated: only over many seeds are nine of ten inside. Cells without a reference value do not count.
 */
export function agreement<C extends Judged>(cells: readonly C[], groupOf: (cell: C) => string): Agreement[] {
  const groups = [...new Set(cells.map(groupOf))]
  const counted = (origin: Agreement['with'], areLong: boolean, verdict: (cell: C) => Verdict | null): Agreement[] =>
    groups.map((group) => {
      const own = cells.filter((cell) => cell.isLong === areLong && groupOf(cell) === group).map(verdict)
      const is = (one: Verdict) => own.filter((found) => found === one).length
      return { with: origin, group, areLong, inside: is('yes'), nearly: is('nearly'), beyond: is('no') }
    })
  const both = (areLong: boolean) => [
    ...counted('converged values', areLong, ({ asConverged }) => asConverged),
    ...counted("the paper's values", areLong, ({ asPaper }) => asPaper),
  ]
  return [...both(true), ...both(false)].filter((count) => total(count) > 0)
}

const total = ({ inside, nearly, beyond }: Agreement): number => inside + nearly + beyond

/** The agreement of all groups in a few sentences, and how many runs are too short to judge. */
export function storyOf(counts: readonly Agreement[], short: number): string[] {
  const long = counts.filter(({ areLong }) => areLong)
  const said = (['converged values', "the paper's values"] as const).flatMap((origin, i) => {
    const own = long.filter((one) => one.with === origin)
    const all = sum(own, total)
    const [agree, nearly] = [sum(own, ({ inside }) => inside), sum(own, (one) => one.nearly)]
    const rest = all - agree - nearly
    const others = [...(nearly > 0 ? [`${nearly} nearly`] : []), ...(rest > 0 ? [`${rest} not`] : [])]
    const tail = others.length > 0 ? `, ${others.join(', ')}` : ''
    if (all === 0) return []
    return i === 0
      ? [`Of ${all} means that can be judged, ${agree} agree with the value that the model converges to${tail}.`]
      : [`With the value in the paper ${agree} of ${all} agree${tail}.`]
  })
  return [...said, ...shortOf(short, true)]
}

/** How many values agree with those of the paper, or without any with the converged ones; undefined if none can be judged. */
export function valuesIn(counts: readonly Agreement[]): ShownAgreement | undefined {
  const long = counts.filter(({ areLong }) => areLong)
  const origin = long.some((one) => one.with === "the paper's values") ? "the paper's values" : 'converged values'
  const own = long.filter((one) => one.with === origin)
  if (own.length === 0) return undefined
  return { judged: sum(own, total), agree: sum(own, ({ inside }) => inside), with: origin }
}

/** The agreement of each group, as far as it can be judged. */
export const linesOf = (counts: readonly Agreement[]): string[] =>
  counts
    .filter(({ areLong }) => areLong)
    .map((count) => {
      const { group, inside, nearly, beyond } = count
      const name = [count.with, ...(group ? [group] : [])].join(', ')
      return `${name}: ${inside} of ${total(count)} inside the joint 90 % interval, ${nearly} within twice that, ${beyond} beyond`
    })
