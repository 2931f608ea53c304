/**
 * Reference values of efficiency preservation: those of an independent implementation, and statements of the thesis.
 */
import { isPowerOfTwo, meshText } from '../../../actors/mesh/mesh.ts'
import { known, type Numbers, type Quantity } from '../../study/figure.ts'
import { OVERHEADS } from '../formulas/overhead.ts'
import { exchangesOf, periodOf, sizesOf } from '../formulas/policies.ts'
import { EFFICIENCY, type Row, UNEVEN } from '../paper/converged.ts'
import { openUnless } from '../paper/facts.ts'
import { from1To, type Options, POLICIES, type Values } from './values.ts'

/** Column names by policy; EQUI has one for each of two rules. */
const COLUMNS = {
  standard: { EQUI: 'equi', 'EQUI+': 'equiPlus', FOLD: 'fold' },
  H: { EQUI: 'equiTies', 'EQUI+': 'equiPlusTies', FOLD: 'fold' },
  R: { EQUI: null, 'EQUI+': null, FOLD: 'fold' },
} as const
const INTERVALS = { derived: 'fold', printed: 'printed' } as const

const TOLERANCE = { exact: 1e-6, drawn: 0.004 } as const

/** The numbers with reference values, which exist for 16x16 only. */
export function knownOf(options: Options, { still, rotating }: Values): Quantity[] {
  const { mesh, jobs: most, deltas, intervals, rules } = options
  if (meshText(mesh) !== '16x16') return []
  const stillIn = (row: Row, delta: number): Quantity[] =>
    POLICIES.flatMap((policy) => {
      const { jobs = 0 } = row
      const expected = row[COLUMNS[rules][policy] ?? '']
      const name = `${policy}, ${jobs} jobs, ${delta} ms`
      const tolerance = delta === 0 ? TOLERANCE.exact : TOLERANCE.drawn
      return expected === undefined ? [] : [known(name, still(policy, jobs, delta), expected, tolerance)]
    })
  const rotatingIn = (row: Row): Quantity[] =>
    OVERHEADS.flatMap((overhead) =>
      intervals.flatMap((interval) => {
        const { jobs = 0 } = row
        const expected = row[`${INTERVALS[overhead]}${interval}`]
        const name = `FOLD ${interval} s ${overhead}, ${jobs} jobs`
        const ours = rotating(jobs, { interval, overhead })
        return expected === undefined ? [] : [known(name, ours, expected, TOLERANCE.exact)]
      }),
    )
  const isShown = ({ jobs = 0 }: Row) => jobs <= most
  return [
    ...(deltas.includes(0) ? EFFICIENCY.filter(isShown).flatMap((row) => stillIn(row, 0)) : []),
    ...(deltas[0] === 0 ? EFFICIENCY.filter(isShown).flatMap(rotatingIn) : []),
    ...UNEVEN.filter((row) => isShown(row) && (row['delta'] ?? 0) > 0).flatMap((row) => {
      const { delta = 0 } = row
      return deltas.includes(delta) ? stillIn(row, delta) : []
    }),
  ]
}

const four = (...values: readonly number[]): string => values.map((one) => one.toFixed(4)).join(', ')

export function factsOf({ mesh, rules, jobs: most, deltas }: Options, { still, lost }: Values): Numbers {
  const numbers = from1To(most)
  const split = numbers.filter((jobs) => !isPowerOfTwo(jobs))
  const even = (jobs: number) => POLICIES.map((policy) => still(policy, jobs, 0))
  const every20 = (jobs: number) => OVERHEADS.map((overhead) => lost(jobs, { interval: 20, overhead }))
  const many = Math.min(16, most)
  const rising = deltas.toSorted((one, other) => one - other)
  const spread = rising.map((delta) => still('FOLD', many, delta))
  const isEvenKnown = deltas.includes(0)
  const shown = (numbersOfJobs: readonly number[], say: (jobs: number) => string) =>
    numbersOfJobs
      .filter((jobs) => jobs <= most)
      .map((jobs) => `${jobs} jobs ${say(jobs)}`)
      .join('; ')
  return openUnless(meshText(mesh) === '16x16' && rules === 'standard' && most > 2, {
    E1: {
      ours: `by equation 3.1 folding with ${many} jobs has ${four(still('FOLD', many, rising[0] ?? 0))}`,
      holds: Math.abs(still('FOLD', many, rising[0] ?? 0) - 1) < 0.2,
    },
    E2: {
      ours: 'communication for each row and column of threads, a switch between two threads of a processor',
      holds: 'settled',
    },
    E3: {
      ours: `12 jobs: ${exchanges(12)} in ${periodOf(12)} rotations, ${inOne(12)} in each; N f / 2 is ${printedExchanges(12)}`,
      holds:
        split.every((jobs) => exchanges(jobs) === periodOf(jobs) * inOne(jobs)) &&
        split.every((jobs) => (exchanges(jobs) === printedExchanges(jobs)) === (jobs % 2 === 1)),
    },
    E4: {
      ours: `every 20 s, derived and printed: ${shown([3, 6, 12], (jobs) => four(...every20(jobs)))}`,
      holds: split
        .filter((jobs) => jobs % 2 === 1)
        .every((jobs) => Math.abs(2 * (every20(jobs)[0] ?? 0) - (every20(jobs)[1] ?? 1)) < 1e-12),
    },
    E5: {
      ours: isEvenKnown ? shown([3, 6, 32], (jobs) => four(...even(jobs))) : '',
      holds: isEvenKnown
        ? split.every((jobs) => {
            const [equi = 0, plus = 0, fold = 0] = even(jobs)
            return equi <= plus && plus < fold && fold > 1
          })
        : null,
    },
    E6: {
      ours: `folding with ${many} jobs, ${rising.join(', ')} ms: ${four(...spread)}`,
      holds: rising.length > 1 ? spread.every((one, i) => i === 0 || one > (spread[i - 1] ?? 0)) : null,
    },
  })
}

/** The exchanges of all jobs over one cycle of sizes: as derived and as printed, and those of one rotation. */
const exchanges = (jobs: number): number => (jobs * exchangesOf(jobs)) / 2
const printedExchanges = (jobs: number): number => (periodOf(jobs) * exchangesOf(jobs)) / 2
const inOne = (jobs: number): number => Math.min(sizesOf(jobs).small, sizesOf(jobs).large)
