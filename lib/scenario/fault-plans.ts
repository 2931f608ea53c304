/** Random fault plans of a scenario: runs with faults that are drawn from a seed, what they broke, and what they cost. */
import { OutOfRange } from '../core/error.ts'
import { mix } from '../core/random.ts'
import type { Column, Value } from '../core/table.ts'
import { sum } from '../core/tally.ts'
import { type Time, UNIT } from '../core/time.ts'
import type { System, SystemInit } from '../system/system.ts'
import type { ScenarioRun } from './definition.ts'
import type { Fault } from './faults.ts'
import type { Given } from './flags.ts'
import { inWords, type Oracle } from './oracle.ts'
import type { Hooks } from './run-scenario.ts'
import type { Specification } from './specification.ts'

/** One run with faults: its model, the options of its system, and its faults. */
export interface FaultPlan<M> {
  readonly model: M
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** When the last task arrives (default: after a unit). */
  readonly span?: Time
  /** The flags with which the command of the scenario makes this run; absent if there are none. */
  readonly given?: Given
}

/** A run of a plan. `seen` is what `watch` returned. */
export type PlanRun<W, P, S> = ScenarioRun<W> & { readonly plan: P; readonly seen: S }

/** The random fault plans of a scenario. `P` are its plans, and `S` is what `watch` returns. */
export interface FaultPlans<M, W, P extends FaultPlan<M> = FaultPlan<M>, S = unknown> {
  /** The kinds of plans, and how a plan of each is drawn from a seed. */
  readonly kinds: ReadonlyMap<string, (seed: number) => P | Promise<P>>
  /** The model without the faults that are a part of it. Default: the model. */
  calm?(model: M): M
  /** Listens to the system of a run, in addition to the oracle. */
  watch?(system: System): S
  /** The violations of a run. Default: those of the oracle, crashes, and an end that does not come. */
  violations?(run: PlanRun<W, P, S>): readonly string[]
  /** The costs of a plan in addition to its messages; `calm` is the run without its faults. */
  costs?(run: PlanRun<W, P, S>, calm: PlanRun<W, P, S>): readonly Cost[]
  /** Lines under the table of costs. */
  readonly notes?: readonly string[]
}

// --- costs ------------------------------------------------------------------------------------------------------------

/** A column of the table of costs, and what one plan adds to it: the value is the sum of all parts per sum of all wholes. */
export interface Cost {
  readonly column: Column
  readonly scale: number
  readonly part: number
  /** Null if the sum of all parts is the value. */
  readonly whole: number | null
}

/** A ratio, such as the flow time in times of that without faults. */
export const ratio = (name: string, part: number, whole: number, unit = 'times', digits = 2): Cost => ({
  column: { name, unit, digits },
  scale: 1,
  part,
  whole,
})

/** A part in percent, or per 100 of something. */
export const percent = (name: string, part: number, whole: number, unit = '%'): Cost => ({
  column: { name, unit, digits: 1 },
  scale: 100,
  part,
  whole,
})

/** A number over all plans. */
export const count = (name: string, part: number): Cost => ({ column: { name }, scale: 1, part, whole: null })

/** The value of a column; null if there is no whole that it could be a part of. */
export function costValue({ scale, part, whole }: Cost): Value {
  if (whole === null) return part
  return whole > 0 ? (scale * part) / whole : null
}

/** The sums of costs whose columns are the same; there may be none yet. */
export const addCosts = (some: readonly Cost[], more: readonly Cost[]): readonly Cost[] =>
  some.length === 0
    ? more
    : some.map((cost, i) => ({
        ...cost,
        part: cost.part + (more[i]?.part ?? 0),
        whole: cost.whole === null ? null : cost.whole + (more[i]?.whole ?? 0),
      }))

// --- runs -------------------------------------------------------------------------------------------------------------

export const RUNTIMES = ['inline', 'threads'] as const
export type Runtime = (typeof RUNTIMES)[number]

/** A plan among those of a kind, by the seed of all plans and its number. */
export interface PlanNumber {
  readonly seed: number
  readonly n: number
}

/** The seed of all draws in a plan. */
export const planSeed = ({ seed, n }: PlanNumber): number => mix(seed, n)

/** What a plan broke. */
export interface Broken {
  readonly violations: readonly string[]
  readonly faults: readonly Fault[]
  readonly given: Given | undefined
}

/** What a plan broke, and what it cost. */
export interface Studied extends Broken {
  readonly messages: number
  readonly costs: readonly Cost[]
}

/** A run under faults that can be run in other ways, too. */
export interface PlannedRun {
  readonly specification: Specification
  /** The same run with other faults. */
  under(faults: readonly Fault[]): Specification
  /** The same run without faults, losses, duplicates and jitter. */
  readonly calm: Specification
  /** When the last task arrives. */
  readonly span: Time
  /** The flags with which the command of the scenario makes this run; undefined if there are none. */
  readonly given: Given | undefined
}

/** The fault plans of any scenario, as commands take them. */
export interface PlanRunner {
  readonly kinds: readonly string[]
  readonly notes: readonly string[]
  /** The plan of a kind that is drawn from a seed. */
  draw(kind: string, seed: number): Promise<PlannedRun>
  /** Runs a plan, and judges it. The actors come from the folder `actors` if it is given. */
  broken(kind: string, number: PlanNumber, runtime: Runtime, actors?: URL): Promise<Broken>
  /** Runs a plan with its faults and without, judges both, and compares them. */
  study(kind: string, number: PlanNumber, runtime: Runtime): Promise<Studied>
}

/** What runs the plans: the scenario that they belong to. */
interface Runner<M, W> {
  specify(model: M, options: SystemInit, faults: readonly Fault[]): Specification
  run(model: M, options: SystemInit, faults: readonly Fault[], hooks: Hooks): Promise<ScenarioRun<W>>
}

/** The fault plans of a scenario whose model is known. */
export interface ModelPlanRunner<M> extends PlanRunner {
  /** Runs a plan inline. Returns its violations. */
  violationsOf(plan: FaultPlan<M>): Promise<readonly string[]>
}

/** Whether a plan is run a second time, inline, to check that the same seed gives the same run. */
const isRepeated = (runtime: Runtime, n: number): boolean => runtime === 'threads' || n % 10 === 0

export function planRunner<M, W extends Oracle>(plans: FaultPlans<M, W>, scenario: Runner<M, W>): ModelPlanRunner<M> {
  const { kinds, notes = [] } = plans

  function planOf(kind: string, seed: number): FaultPlan<M> | Promise<FaultPlan<M>> {
    const draw = kinds.get(kind)
    if (!draw) throw new OutOfRange(`there are no fault plans of the kind ${kind}`)
    return draw(seed)
  }

  async function run(plan: FaultPlan<M>, more: SystemInit, actors?: URL): Promise<PlanRun<W, FaultPlan<M>, unknown>> {
    let seen: unknown
    const onSystem = (system: System): void => {
      seen = plans.watch?.(system)
    }
    const { model, options, faults } = plan
    return { ...(await scenario.run(model, { ...options, ...more }, faults, { onSystem, actors })), plan, seen }
  }

  const judged = (done: PlanRun<W, FaultPlan<M>, unknown>): readonly string[] =>
    plans.violations?.(done) ?? brokenIn(done)

  async function ran(kind: string, number: PlanNumber, runtime: Runtime, actors?: URL) {
    const plan = await planOf(kind, planSeed(number))
    const trace = isRepeated(runtime, number.n)
    const done = await run(plan, { runtime, trace }, actors)
    const isSame = !trace || (await run(plan, { runtime: 'inline', trace }, actors)).traceHash === done.traceHash
    return { plan, done, violations: [...judged(done), ...(isSame ? [] : ['the same seed gave another trace'])] }
  }

  return {
    kinds: [...kinds.keys()],
    notes,
    draw: async (kind, seed) => {
      const plan = await planOf(kind, seed)
      const { model, options, faults, span = UNIT, given } = plan
      const under = (these: readonly Fault[]): Specification => scenario.specify(model, options, these)
      const calm = calmly(plan, plans.calm)
      return { specification: under(faults), under, calm: scenario.specify(calm.model, calm.options, []), span, given }
    },
    violationsOf: async (plan) => judged(await run(plan, { runtime: 'inline' })),
    broken: async (kind, number, runtime, actors) => {
      const { plan, violations } = await ran(kind, number, runtime, actors)
      return { violations, faults: plan.faults, given: plan.given }
    },
    study: async (kind, number, runtime) => {
      const { plan, done, violations } = await ran(kind, number, runtime)
      const calm = await run(calmly(plan, plans.calm), { runtime: 'inline' })
      return {
        violations: [...violations, ...judged(calm).map((what) => `without its faults: ${what}`)],
        faults: plan.faults,
        given: plan.given,
        messages: done.messages,
        costs: [
          count('planned', plan.faults.length),
          count('struck', done.struck.length),
          count('lost', sum(done.deadLetters.values())),
          ratio('messages', done.messages, calm.messages),
          ...(plans.costs?.(done, calm) ?? []),
        ],
      }
    },
  }
}

/** The same plan without faults, losses, duplicates and jitter; the latency stays. */
function calmly<M>(plan: FaultPlan<M>, calm = (model: M): M => model): FaultPlan<M> {
  const { options, model } = plan
  const network = { latency: options.network?.latency ?? 0 }
  return { ...plan, model: calm(model), faults: [], options: { ...options, reliable: false, network } }
}

/** The violations, crashes and the missing end of a run, as text. */
export const brokenIn = ({ broken, crashes, end }: ScenarioRun<unknown>): string[] => [
  ...inWords(broken),
  ...crashes,
  ...(end.ended === 'idle' || end.ended === 'until'
    ? []
    : [`it did not come to rest: ${end.waiting.slice(0, 3).join('; ')}`]),
]
