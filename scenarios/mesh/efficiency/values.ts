/**
 * Efficiency preservation of every policy, by number of jobs, spread of thread times and interval between rotations.
 */
import { EQUI_RULES } from '../../../actors/mesh/equi.ts'
import { BASELINE, type Model } from '../../../actors/mesh/model.ts'
import { units } from '../../../lib/actor.ts'
import { number, type OptionsOf, type Parser, positiveNumbers, UsageError, value } from '../../../lib/cli/index.ts'
import { OVERHEADS, type Overhead, overheadOf } from '../formulas/overhead.ts'
import { efficiencyOf, type PolicyName, policiesOf } from '../formulas/policies.ts'
import { jobsFlag, modelFlags, outFlags } from '../model-flags.ts'

export const POLICIES = ['EQUI', 'EQUI+', 'FOLD'] as const satisfies readonly PolicyName[]

/** The parameters of a thread's step. */
export const COMPUTE_MS = BASELINE.compute / units(0.001)

const deltasOf: Parser<readonly number[]> = (given, flag) => {
  const parse = number({ min: 0, max: COMPUTE_MS })
  const deltas = given.split(',').map((one) => parse(one, flag))
  if (new Set(deltas).size < deltas.length) throw UsageError.repeated(flag, 'each value')
  return deltas
}

export const flags = {
  ...modelFlags,
  jobs: jobsFlag,
  deltas: value({
    metavar: 'MS,...',
    fallback: '0,5,10,20',
    parse: deltasOf,
    help: `largest deviations of the time of a thread from ${COMPUTE_MS} ms, to either side`,
  }),
  intervals: value({
    metavar: 'S,...',
    fallback: '20,50,200',
    parse: positiveNumbers,
    help: 'seconds between rotations',
  }),
  ...outFlags,
}
export type Options = Omit<OptionsOf<typeof flags>, 'jobs'> & { readonly jobs: number }

/** A value with rotations; `interval` is in seconds. */
interface Rotating {
  readonly interval: number
  readonly overhead: Overhead
}

export interface Values {
  /** Values without rotations; `delta` is in ms. */
  readonly still: (policy: PolicyName, jobs: number, delta: number) => number
  /** Values of folding, for the first of the deltas. */
  readonly rotating: (jobs: number, how: Rotating) => number
  /** The part of the time that rotations take. */
  readonly lost: (jobs: number, how: Rotating) => number
}

export function valuesOf({ mesh, rules, deltas }: Options): Values {
  const policies = policiesOf(EQUI_RULES[rules])
  const machine = (delta: number): Model => ({ ...BASELINE, mesh, delta: units(delta / 1000) })
  const calculated = new Map(
    deltas.flatMap((delta) =>
      POLICIES.map((policy) => [`${policy} ${delta}`, efficiencyOf(machine(delta), policies[policy])]),
    ),
  )
  const still: Values['still'] = (policy, jobs, delta) => calculated.get(`${policy} ${delta}`)?.(jobs) ?? Number.NaN
  const lost: Values['lost'] = (jobs, { interval, overhead }) => overheadOf(machine(0), jobs, units(interval), overhead)
  return { still, lost, rotating: (jobs, how) => still('FOLD', jobs, deltas[0] ?? 0) * (1 - lost(jobs, how)) }
}

export const from1To = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1)

/** A table with a row for each value, for programs. */
export function linesOf({ jobs: most, deltas, intervals }: Options, { still, rotating }: Values) {
  const [first = 0] = deltas
  return {
    columns: ['jobs', 'delta', 'policy', 'interval', 'overhead', 'efficiency'].map((name) => ({ name })),
    rows: from1To(most).flatMap((jobs) => [
      ...deltas.flatMap((delta) => POLICIES.map((policy) => [jobs, delta, policy, '', '', still(policy, jobs, delta)])),
      ...intervals.flatMap((interval) =>
        OVERHEADS.map((overhead) => [jobs, first, 'FOLD', interval, overhead, rotating(jobs, { interval, overhead })]),
      ),
    ]),
  }
}
