/** A study of plans of faults: each is had with its faults and without; what that broke, and what it cost, is summed up. */
import { type Fault, printFault } from '../../lib/faults/faults.ts'
import { choiceIn, numberIn, textsIn } from '../../lib/fields.ts'
import type { Plain } from '../../lib/plain.ts'
import type { GivenOptions } from '../../lib/system.ts'
import { inWords, type Watched } from '../promises.ts'

export const RUNTIMES = ['inline', 'threads'] as const
export type Runtime = (typeof RUNTIMES)[number]

export type Toll<S> = S & { readonly violations: readonly string[] }

/** Sums over plans: `ofEach` makes a record of numbers from what each field is to be. */
export const tollsOf = <S extends { readonly [field: string]: Plain }>(
  ofEach: (of: (field: string) => number) => S,
) => {
  const empty: Toll<S> = { ...ofEach(() => 0), violations: [] }
  const add = (one: Toll<S>, other: Toll<S>): Toll<S> => ({
    ...ofEach((field) => numberIn(one, field) + numberIn(other, field)),
    violations: [...one.violations, ...other.violations],
  })
  /** A toll from the result of a sweep. @throws TypeError if it is none */
  const read = (result: Plain): Toll<S> => ({
    ...ofEach((field) => numberIn(result, field)),
    violations: textsIn(result, 'violations'),
  })
  return { empty, add, read, sum: (results: readonly Plain[]) => results.map(read).reduce(add, empty) }
}

/** The tolls of the plans of a point. */
export async function tollOfBlock<S extends { readonly [field: string]: Plain }>(
  { empty, add }: ReturnType<typeof tollsOf<S>>,
  point: Plain,
  tollOf: (n: number) => Promise<Toll<S>>,
): Promise<Toll<S>> {
  let sum = empty
  for (let n = numberIn(point, 'from'); n < numberIn(point, 'until'); n++) sum = add(sum, await tollOf(n))
  return sum
}

/** What is run, and under which faults: of one system. */
export interface FaultPlan {
  readonly faults: readonly Fault[]
  readonly options: GivenOptions & { readonly seed: number }
}

/** The same without faults, where messages only take their time. */
export const calmly = <P extends FaultPlan>(plan: P): P => {
  const { options } = plan
  const network = { latency: options.network?.latency ?? 0 }
  return { ...plan, faults: [], options: { ...options, runtime: 'inline', reliable: false, network } }
}

/** A plan as people are told of it. */
export const planName = (kind: string, n: number, { faults }: Pick<FaultPlan, 'faults'>): string =>
  `${kind}, plan ${n} (${faults.map(printFault).join('; ') || 'no single faults'})`

/** In words. */
const brokenIn = ({ broken, crashes, end }: Watched): string[] => [
  ...inWords(broken),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [`it did not come to rest: ${end.waiting.slice(0, 3).join('; ')}`]),
]

interface Study<K extends string, P extends FaultPlan, R extends Watched, S> {
  readonly kinds: readonly K[]
  readonly planOf: (kind: K, n: number) => P
  readonly run: (plan: P) => Promise<R>
  /** The plan without its faults; default: `calmly`. */
  readonly calm?: (plan: P) => P
  readonly ofEach: (of: (field: string) => number) => S
  readonly costs: (plan: P, run: R, calm: R) => S
}

/** What a fault study exports: its sums, the study of a sweep, and for tests what a plan broke, in words. */
export function studyOf<
  K extends string,
  P extends FaultPlan,
  R extends Watched,
  S extends { readonly [field: string]: Plain },
>({ kinds, planOf, run, calm = calmly, ofEach, costs }: Study<K, P, R, S>) {
  const TOLLS = tollsOf(ofEach)
  const under = async (plan: P, name: string) => {
    const ran = await run(plan)
    return { ran, violations: brokenIn(ran).map((what) => `${name}: ${what}`) }
  }
  const planned = (kind: K, n: number, runtime: Runtime): P => {
    const plan = planOf(kind, n)
    return { ...plan, options: { ...plan.options, runtime } }
  }
  const tollOf = async (kind: K, n: number, runtime: Runtime): Promise<Toll<S>> => {
    const plan = planned(kind, n, runtime)
    const name = planName(kind, n, plan)
    const faulted = await under(plan, name)
    const calmed = await under(calm(plan), `${name}, without its faults`)
    return {
      ...costs(plan, faulted.ran, calmed.ran),
      violations: [...faulted.violations, ...calmed.violations],
    }
  }
  return {
    TOLLS,
    violationsOf: async (kind: K, n: number, runtime: Runtime): Promise<string[]> => {
      const plan = planned(kind, n, runtime)
      return (await under(plan, planName(kind, n, plan))).violations
    },
    toll: (point: Plain): Promise<Toll<S>> =>
      tollOfBlock(TOLLS, point, (n) => tollOf(choiceIn(point, 'kind', kinds), n, choiceIn(point, 'runtime', RUNTIMES))),
  }
}
