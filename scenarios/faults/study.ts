/** A fault study: runs each plan with its faults and without, and sums up the broken promises and the costs. */
import { shellQuoted } from '../../lib/cli/shell.ts'
import type { Plain } from '../../lib/core/data.ts'
import { choiceIn, numberIn, textsIn } from '../../lib/core/decode.ts'
import { mix } from '../../lib/core/random.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import { type Fault, printFault } from '../../lib/scenario/faults.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import type { SystemInit } from '../../lib/system.ts'

export const RUNTIMES = ['inline', 'threads'] as const
export type Runtime = (typeof RUNTIMES)[number]

export type Toll<S> = S & { readonly violations: readonly string[] }

/** Sums of tolls over plans; `ofEach` makes a toll from a function that gives the value of each field. */
export const tollsOf = <S extends { readonly [field: string]: Plain }>(
  ofEach: (of: (field: string) => number) => S,
) => {
  const empty: Toll<S> = { ...ofEach(() => 0), violations: [] }
  const add = (one: Toll<S>, other: Toll<S>): Toll<S> => ({
    ...ofEach((field) => numberIn(one, field) + numberIn(other, field)),
    violations: [...one.violations, ...other.violations],
  })
  /** Reads a toll from the result of a sweep. @throws TypeError if it is none */
  const read = (result: Plain): Toll<S> => ({
    ...ofEach((field) => numberIn(result, field)),
    violations: textsIn(result, 'violations'),
  })
  return { empty, add, read, sum: (results: readonly Plain[]) => results.map(read).reduce(add, empty) }
}

/** A plan, named by its seed and its number. */
export interface PlanNumber {
  readonly seed: number
  readonly n: number
}

/** The seed of all draws in a plan. */
export const planSeed = ({ seed, n }: PlanNumber): number => mix(seed, n)

/** Sums the tolls of the plans of a point. */
export async function tollOfBlock<S extends { readonly [field: string]: Plain }>(
  { empty, add }: ReturnType<typeof tollsOf<S>>,
  point: Plain,
  tollOf: (number: PlanNumber) => Promise<Toll<S>>,
): Promise<Toll<S>> {
  const seed = numberIn(point, 'seed')
  let sum = empty
  for (let n = numberIn(point, 'from'); n < numberIn(point, 'until'); n++) sum = add(sum, await tollOf({ seed, n }))
  return sum
}

/** The faults and the options of a run; each family adds its system. */
export interface FaultPlan {
  readonly faults: readonly Fault[]
  readonly options: SystemInit & { readonly seed: number }
}

/** The same plan without faults, losses, duplicates and jitter; the latency stays. */
export const calmly = <P extends FaultPlan>(plan: P): P => {
  const { options } = plan
  const network = { latency: options.network?.latency ?? 0 }
  return { ...plan, faults: [], options: { ...options, runtime: 'inline', reliable: false, network } }
}

/** The identity of a plan for users: its family, such as `economy`, and the name of its line in the table. */
export interface PlanId extends PlanNumber {
  readonly family: string
  readonly group: string
}

/** The violations of a plan as text. Each line names the plan, its faults and the command that runs it again. */
export function toldOf(
  { family, group, seed, n }: PlanId,
  { faults }: Pick<FaultPlan, 'faults'>,
  broken: readonly string[],
): string[] {
  const listed = faults.map(printFault).join('; ') || 'no timed faults'
  const only = shellQuoted(group)
  const again = `npx tsx scenarios/${family}/faults.ts --seed ${seed} --only ${only} --from ${n} --plans 1`
  return broken.map((what) => `${group}, plan ${n} of seed ${seed} (${listed}): ${what}; again: ${again}`)
}

/** The violations, crashes and the unfinished end of a run, as text. */
const brokenIn = ({ broken, crashes, end }: ScenarioRun<unknown>): string[] => [
  ...inWords(broken),
  ...crashes,
  ...(end.ended === 'idle' ? [] : [`it did not come to rest: ${end.waiting.slice(0, 3).join('; ')}`]),
]

interface Study<K extends string, P extends FaultPlan, R extends ScenarioRun<unknown>, S> {
  /** The folder of its `faults.ts`. */
  readonly family: string
  readonly kinds: readonly K[]
  readonly planOf: (kind: K, seed: number) => P
  readonly run: (plan: P) => Promise<R>
  /** The plan without its faults; default: `calmly`. */
  readonly calm?: (plan: P) => P
  readonly ofEach: (of: (field: string) => number) => S
  readonly costs: (plan: P, run: R, calm: R) => S
}

/** The exports of a fault study: its sums, the function for a sweep, and for tests the violations of a plan. */
export function studyOf<
  K extends string,
  P extends FaultPlan,
  R extends ScenarioRun<unknown>,
  S extends { readonly [field: string]: Plain },
>({ family, kinds, planOf, run, calm = calmly, ofEach, costs }: Study<K, P, R, S>) {
  const TOLLS = tollsOf(ofEach)
  const planned = (kind: K, number: PlanNumber, runtime: Runtime): P => {
    const plan = planOf(kind, planSeed(number))
    return { ...plan, options: { ...plan.options, runtime } }
  }
  const tollOf = async (kind: K, number: PlanNumber, runtime: Runtime): Promise<Toll<S>> => {
    const plan = planned(kind, number, runtime)
    const faulted = await run(plan)
    const calmed = await run(calm(plan))
    const broken = [...brokenIn(faulted), ...brokenIn(calmed).map((what) => `without its faults: ${what}`)]
    return {
      ...costs(plan, faulted, calmed),
      violations: toldOf({ family, group: kind, ...number }, plan, broken),
    }
  }
  return {
    TOLLS,
    brokenBy: async (plan: P): Promise<string[]> => brokenIn(await run(plan)),
    violationsOf: async (kind: K, number: PlanNumber, runtime: Runtime): Promise<string[]> => {
      const plan = planned(kind, number, runtime)
      return toldOf({ family, group: kind, ...number }, plan, brokenIn(await run(plan)))
    },
    toll: (point: Plain): Promise<Toll<S>> =>
      tollOfBlock(TOLLS, point, (number) =>
        tollOf(choiceIn(point, 'kind', kinds), number, choiceIn(point, 'runtime', RUNTIMES)),
      ),
  }
}
