/** The rows of section 5.4: the runs, and the reference values that they are compared with. */
import { sum } from '../../../lib/core/tally.ts'
import type { Converged } from '../../../lib/experiment/converged.ts'
import type * as study from '../../study/figure.ts'
import type { Estimate } from '../measures.ts'
import { type Known, type Setting, SIMULATED, type Simulated } from '../paper/simulated.ts'
import type { Point, Ran } from './point.ts'

/** A point without its seed and number of jobs. */
export type Row = Omit<Point, 'seed' | 'jobs'>
export type Case = study.Case<Row, Ran>

/** The load of all rows. */
export const LOAD = 0.5

/** The name of a row: `FOLD`, `FOLD 50`, `FOLD 15J`, `EQUI random`, `EQUI+ arrival`, `FCFS` */
export function nameOf({ policy, deal, interval, isPerJob }: Setting): string {
  const every = interval === null ? [] : [`${interval}${isPerJob ? 'J' : ''}`]
  return [policy.toUpperCase(), ...(deal === null ? [] : [deal]), ...every].join(' ')
}

export const labelsOf = (setting: Setting): study.Labels => [
  nameOf(setting),
  setting.short,
  setting.limit ?? 'none',
  setting.overhead === null ? '-' : `${Math.round(setting.overhead * 100)} %`,
  setting.isCharged ? 'charged' : 'free',
]

/** The mean over the independent runs that have a value, with its half-width; null if none has. */
export function pooled(ran: readonly Ran[], of: (one: Ran) => Estimate | null): Estimate | null {
  const there = ran.flatMap((one) => of(one) ?? [])
  if (there.length === 0) return null
  const widths = there.flatMap(({ halfWidth }) => halfWidth ?? [])
  const squares = sum(widths, (width) => width * width)
  return {
    mean: sum(there, (one) => one.mean) / there.length,
    halfWidth: widths.length < there.length ? null : Math.sqrt(squares) / there.length,
  }
}

/** Twice the root of the sum of squares of both half-widths; null while ours is unknown. */
export function heldAgainst(ours: Estimate | null, { mean, halfWidth }: Known): Converged | null {
  if (!ours || ours.halfWidth === null) return null
  const tolerance = 2 * Math.sqrt(ours.halfWidth * ours.halfWidth + halfWidth * halfWidth)
  return { value: mean, tolerance }
}

/** Whether a value is compared: the blow-ups of FCFS have too long a tail for an interval of few jobs. */
const HELD = ['short', 'long', 'blow-up'] as const
const heldOf = ({ policy }: Setting) => HELD.filter((of) => policy !== 'fcfs' || of !== 'blow-up')

function caseOf({ of: known, also: _, ...setting }: Simulated): Case {
  return {
    labels: labelsOf(setting),
    rows: [setting],
    quantities: (ran = []) => [
      ...heldOf(setting).map((of) => {
        const ours = pooled(ran, (one) => one[of])
        return { of, ours, converged: heldAgainst(ours, known[of]), paper: null }
      }),
      { of: 'all', ours: pooled(ran, ({ all }) => all), converged: null, paper: null },
      {
        of: 'variation',
        ours: pooled(ran, ({ variation }) => ({ mean: variation, halfWidth: null })),
        converged: null,
        paper: null,
      },
      {
        of: 'all / alone',
        ours: pooled(ran, ({ all, alone }) => all && { mean: all.mean / alone, halfWidth: null }),
        converged: null,
        paper: null,
      },
    ],
  }
}

export const CASES: readonly Case[] = SIMULATED.map(caseOf)
