/** What the paper says of credit for sleep, and what our numbers say to that. */

import { systemCredit } from '../../../actors/processor/credit.ts'
import type { ResultTable } from '../../../lib/experiment/report.ts'
import { FACTS } from '../paper/facts.ts'
import { FIGURE_3 } from '../paper/figure-3.ts'
import { CAP, type Policy } from './policies.ts'
import { type Found, STANDING } from './study.ts'
import { credited, ideal, uncredited } from './unfairness.ts'

/** The most that what a policy gave differs from a curve, where the client sleeps less than so much. */
function distance(found: readonly (readonly Found[])[], policy: Policy, curve: typeof ideal, below = 1): number {
  const gaps = FIGURE_3.flatMap(({ asleep }, i) => {
    const ours = found[i]?.find((one) => one.policy === policy)
    if (!ours || asleep >= below) return []
    return [Math.abs(ours.toSleeper - curve({ ran: 1 - asleep, slept: asleep }, STANDING))]
  })
  return Math.max(...gaps)
}

const three = (value: number) => value.toFixed(3)

/** The last time asleep, in percent, up to which a curve is 1. */
function kneeOf(curve: typeof ideal): string {
  const percent = Array.from({ length: 999 }, (_, i) => (i + 1) / 10)
  const fair = percent.filter((x) => curve({ ran: 100 - x, slept: x }, STANDING) <= 1 + 1e-9)
  return `${fair.at(-1)} %`
}

export function remarksOf(found: readonly (readonly Found[])[]): ResultTable {
  const { extra } = systemCredit({ ...STANDING, slept: 1, catchUp: 1, cap: CAP })
  const capped = systemCredit({ tickets: 1, total: 2, slept: 1, catchUp: 1, cap: CAP })
  const ours: Readonly<Record<string, string>> = {
    P4: `1 of 5 tickets gets ${three(extra)}; 1 of 2, where the formula has no value, ${three(capped.extra)} for ${three(capped.lasts)} S`,
    P5: `by formula 1 up to ${kneeOf(ideal)}; adaptive credit is ${three(distance(found, 'adaptive', ideal))} from it at most`,
    P6: `without credit at most ${three(distance(found, 'none', uncredited))} from the line`,
    P7: `loans at most ${three(distance(found, 'loan', ideal, 0.71))} from 1 up to 70 %, system credit ${three(distance(found, 'system', ideal, 0.71))}; the knee is at ${kneeOf(credited)}`,
  }
  return {
    title: 'What the paper says of it',
    columns: [
      { name: 'fact' },
      { name: 'the paper', align: 'left' },
      { name: 'verdict', align: 'left' },
      { name: 'our numbers', align: 'left' },
    ],
    rows: FACTS.flatMap(({ id, says, verdict }) => {
      const measured = ours[id]
      return measured === undefined ? [] : [[id, says, verdict, measured]]
    }),
    notes: FACTS.flatMap(({ id, but }) => (id in ours && but !== undefined ? [`${id}: ${but}`] : [])),
  }
}
