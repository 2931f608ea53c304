/**
 * The tables of figure 3, which compare every value with the one that the model converges to, and the paper's
 * statements about it.
 */

import { systemCredit } from '../../../actors/processor/credit.ts'
import { type Check, is, within } from '../../../lib/cli/index.ts'
import type { Column, ResultTable } from '../../../lib/experiment/report.ts'
import { FACTS } from '../paper/facts.ts'
import { FIGURE_3, INTERACTIVE, SLEEPERS, TOLERANCE } from '../paper/figure-3.ts'
import { CAP, type Found, type Policy, STANDING } from './study.ts'
import { type Curve, credited, ideal, uncredited } from './unfairness.ts'

/** A measured value and the one that it should be. */
export interface Held {
  readonly of: string
  readonly measured: number
  readonly converged: number
  readonly tolerance: number
}

export const agrees = ({ measured, converged, tolerance }: Held): boolean => Math.abs(measured - converged) <= tolerance

/** One check for all values together, and one for each that differs. */
export function checksOf(name: string, held: readonly Held[]): Check[] {
  const beyond = held.filter((one) => !agrees(one))
  return [
    is(`${name}: values beyond the tolerance of their converged value, of ${held.length}`, beyond.length, 0),
    ...beyond.map(({ of, measured, converged, tolerance }) => within(of, measured, converged, tolerance)),
  ]
}

export interface Results {
  readonly table: ResultTable
  readonly held: readonly Held[]
}

const CURVES: readonly (readonly [name: string, curve: Curve])[] = [
  ['ideal', ideal],
  ['no credit, fluid', uncredited],
  ['C = S, fluid', credited],
]

export const curvesAt = (asleep: number): number[] =>
  CURVES.map(([, curve]) => curve({ ran: 1 - asleep, slept: asleep }, STANDING))

export const CURVE_NAMES: readonly string[] = CURVES.map(([name]) => name)

const value = (name: string): Column => ({ name, digits: 4 })
const verdict = (held: readonly Held[]): string =>
  held
    .filter((one) => !agrees(one))
    .map(({ of }) => `NO: ${of}`)
    .join(', ') || 'yes'

/** A row for each time asleep: the curves, then the measured and the converged value of each policy. */
export function figureTable(bursts: 'long' | 'short', found: readonly (readonly Found[])[]): Results {
  const policies = found[0]?.map(({ policy }) => policy) ?? []
  const rows = FIGURE_3.map((row, i) => {
    const held = (found[i] ?? []).map(({ policy, toSleeper }): Held => {
      const converged = convergedAt(row, bursts, policy)
      const tolerance = bursts === 'long' ? TOLERANCE[policy] : TOLERANCE.short
      return { of: `${policy}, asleep ${100 * row.asleep} %`, measured: toSleeper, converged, tolerance }
    })
    return { asleep: row.asleep, held }
  })
  const quanta = bursts === 'long' ? 100 : 3
  return {
    held: rows.flatMap(({ held }) => held),
    table: {
      title: `Figure 3: unfairness to one of five equal clients by how much it sleeps; bursts of ${quanta} quanta`,
      columns: [
        { name: 'asleep', unit: '%', align: 'right' },
        ...CURVE_NAMES.map(value),
        ...policies.flatMap((policy) => [value(policy), value(`${policy} conv.`)]),
        { name: 'agree', align: 'left' },
      ],
      rows: rows.map(({ asleep, held }) => [
        Math.round(100 * asleep),
        ...curvesAt(asleep),
        ...held.flatMap(({ measured, converged }) => [measured, converged]),
        verdict(held),
      ]),
      notes:
        bursts === 'long'
          ? [
              'Unfairness: (waited + slept) / ran * t / (T - t); 1 is fair, more is too little for the sleeper.',
              `Agree: within ${TOLERANCE.none} of the converged value (adaptive: ${TOLERANCE.adaptive}).`,
            ]
          : [`Agree: within ${TOLERANCE.short}, because it depends on which client is served first.`],
    },
  }
}

function convergedAt(row: (typeof FIGURE_3)[number], bursts: 'long' | 'short', policy: Policy): number {
  if (bursts === 'long') return row.long[policy]
  if (policy === 'adaptive') throw new Error('nothing is known of adaptive credit in short bursts')
  return row.short[policy]
}

type Basic = 'none' | 'system'
const basic = (policy: Policy): Basic => {
  if (policy === 'none' || policy === 'system') return policy
  throw new Error(`nothing is known of ${policy} here`)
}

/** A row for each number of sleepers and policy: the measured and the converged value of each of the five. */
export function crowdTable(found: readonly (readonly Found[])[]): Results {
  const rows = SLEEPERS.flatMap((row, i) =>
    (found[i] ?? []).map(({ policy, toEach }) => ({
      sleepers: row.sleepers,
      policy,
      held: toEach.map(
        (measured, client): Held => ({
          of: `${row.sleepers} sleepers, ${policy}, client ${client + 1}`,
          measured,
          converged: row[basic(policy)][client] ?? Number.NaN,
          tolerance: row.tolerance,
        }),
      ),
    })),
  )
  const clients = rows[0]?.held ?? []
  return {
    held: rows.flatMap(({ held }) => held),
    table: {
      title: 'Unfairness to each of five equal clients; sleepers spend half of the time that they do not wait asleep',
      columns: [
        { name: 'sleepers', align: 'right' },
        { name: 'credit', align: 'left' },
        ...clients.flatMap((_, i) => [value(`c${i + 1}`), value(`c${i + 1} conv.`)]),
        { name: 'agree', align: 'left' },
      ],
      rows: rows.map(({ sleepers, policy, held }) => [
        ...[sleepers, policy],
        ...held.flatMap(({ measured, converged }) => [measured, converged]),
        verdict(held),
      ]),
      notes: ['Sleepers first. Their starting times matter for long, so they are drawn from 0 to 200 ms, by the seed.'],
    },
  }
}

/** A row for each burst and policy: how soon an interactive client is served. */
export function latencyTable(found: readonly (readonly Found[])[]): Results {
  const rows = INTERACTIVE.flatMap((row, i) =>
    (found[i] ?? []).map(({ policy, firstRun, response }) => {
      const expected = row[basic(policy)]
      const of = `${policy}, ${row.ran} ms`
      return {
        ran: row.ran,
        policy,
        held: [
          { of: `${of}, first run`, measured: firstRun, converged: expected.firstRun },
          { of: `${of}, response`, measured: response, converged: expected.response },
        ].map((one): Held => ({ ...one, tolerance: one.converged / 10 })),
      }
    }),
  )
  return {
    held: rows.flatMap(({ held }) => held),
    table: {
      title: 'Service of one interactive client among four that always run (it sleeps 97.3 ms)',
      columns: [
        { name: 'burst', unit: 'ms', align: 'right' },
        { name: 'credit', align: 'left' },
        ...['first run', 'response'].flatMap((name): Column[] => [
          { name, unit: 'ms', digits: 2 },
          { name: `${name} conv.`, unit: 'ms', digits: 2 },
        ]),
        { name: 'agree', align: 'left' },
      ],
      rows: rows.map(({ ran, policy, held }) => [
        ...[ran, policy],
        ...held.flatMap(({ measured, converged }) => [measured, converged]),
        verdict(held),
      ]),
      notes: [
        'From waking to the processor and to the end of the burst; agree: within a tenth. All begin at once. If the others',
        'begin up to 20 ms later, the long burst with credit first runs after 7.8 to 10.7 ms; the other values stay.',
      ],
    },
  }
}

/** The largest difference between a policy's values and a curve, for clients that sleep less than `below`. */
function distance(found: readonly (readonly Found[])[], policy: Policy, curve: typeof ideal, below = 1): number {
  const gaps = FIGURE_3.flatMap(({ asleep }, i) => {
    const ours = found[i]?.find((one) => one.policy === policy)
    if (!ours || asleep >= below) return []
    return [Math.abs(ours.toSleeper - curve({ ran: 1 - asleep, slept: asleep }, STANDING))]
  })
  return Math.max(...gaps)
}

const three = (value: number) => value.toFixed(3)

/** The knee of a curve: the most time asleep, in percent, before the curve leaves 1. */
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
    title: "The paper's statements",
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
    notes: FACTS.flatMap(({ id, remark }) => (id in ours && remark !== undefined ? [`${id}: ${remark}`] : [])),
  }
}
