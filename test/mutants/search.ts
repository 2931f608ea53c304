/** A search of some CPU seconds for anything that broken actors break: on every stage of a family in turn. */
import { execute } from '../../lib/explore/execution.ts'
import { type Baseline, baselineOf, explore } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { fifo } from '../../lib/explore/strategies/fifo.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { scenarioNamed } from '../../scenarios/lab/scenarios.ts'
import { stageOf } from '../bugs/hunt.ts'
import type { Stage } from './stages.ts'
import { withTracePromises } from './trace-promises.ts'

/** What was found, and how many runs it took. */
export interface Finding {
  /** The broken promise with its text, or the error; null: nothing was found. */
  readonly what: string | null
  readonly runs: number
}

/** Something that breaks promises, if the actors have a mistake: it looks a little further each time. */
interface Place {
  /** Looks once. Returns what it found, and the number of runs. */
  look(turn: number): Promise<{ readonly broken: readonly string[]; readonly runs: number }>
}

const CPU = 1e6
const used = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / CPU
}

/** The schedules of a stage in one turn. They double with each turn of a stage, up to the last of these. */
const SCHEDULES = [2, 4, 8, 16] as const
const STRATEGIES = ['random', 'delay:2'] as const

/** A search that can be continued. */
export class Search {
  readonly #stages: readonly Stage[]
  readonly #places: readonly Place[]
  readonly #alive: () => void
  #turn = 0
  #runs = 0

  /**
   * Makes a search that has not begun.
   *
   * @param actors the folder of the broken actors; undefined: the project's
   * @param alive called before each turn
   */
  constructor(stages: readonly Stage[], actors: URL | undefined, alive: () => void = () => {}) {
    this.#stages = stages
    this.#places = stages.map((stage) => placeOf(stage, actors))
    this.#alive = alive
  }

  /** Searches until something breaks, or the CPU seconds are used up. */
  async go(seconds: number): Promise<Finding> {
    const until = used() + seconds
    for (; used() < until; this.#turn++) {
      const n = this.#turn % this.#places.length
      this.#alive()
      const found = await this.#look(n, Math.floor(this.#turn / this.#places.length))
      if (found !== null) return { what: `${nameOf(this.#stages[n])}: ${found}`, runs: this.#runs }
    }
    return { what: null, runs: this.#runs }
  }

  /** The runs so far. */
  get runs(): number {
    return this.#runs
  }

  async #look(n: number, turn: number): Promise<string | null> {
    try {
      const looked = await this.#places[n]?.look(turn)
      this.#runs += looked?.runs ?? 0
      return looked?.broken[0] ?? null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

const nameOf = (stage: Stage | undefined): string =>
  stage && 'plans' in stage ? `plans of ${stage.plans}` : (stage?.scenario ?? '')

const placeOf = (stage: Stage, actors: URL | undefined): Place =>
  'plans' in stage ? new PlanPlace(stage.plans, actors) : new SchedulePlace(stage, actors)

/** What broken actors break and the project's own do not. `ownBroken` is asked only if there is anything to compare. */
async function onlyIn(broken: readonly string[], ownBroken: () => Promise<readonly string[]>): Promise<string[]> {
  if (broken.length === 0) return []
  const own = new Set(await ownBroken())
  return broken.filter((text) => !own.has(text))
}

const specificationOf = (stage: Exclude<Stage, { plans: string }>, actors?: URL): Specification =>
  withTracePromises(stageOf(stage, actors))

/** Runs of one stage: first as it is, then under the strategies, with the faults that it allows. */
class SchedulePlace implements Place {
  readonly #stage: Exclude<Stage, { plans: string }>
  readonly #specification: Specification
  #baseline: Baseline | undefined
  #run = 0

  constructor(stage: Exclude<Stage, { plans: string }>, actors: URL | undefined) {
    this.#stage = stage
    this.#specification = specificationOf(stage, actors)
  }

  async look(turn: number): Promise<{ readonly broken: readonly string[]; readonly runs: number }> {
    if (!this.#baseline) {
      const plain = await plainRun(this.#specification)
      if (plain.length > 0)
        return { broken: await onlyIn(plain, () => plainRun(specificationOf(this.#stage))), runs: 1 }
      this.#baseline = await baselineOf(this.#specification)
      const fair = async (specification: Specification) =>
        worded((await execute(specification, fifo({ seed: 1, run: 0, decisions: 0 }))).violations)
      const broken = await onlyIn(await fair(this.#specification), () => fair(specificationOf(this.#stage)))
      return { broken, runs: 3 }
    }
    const from = this.#run
    const until = from + (SCHEDULES[turn - 1] ?? SCHEDULES[3])
    this.#run = until
    const broken = await this.#explored(this.#specification, this.#baseline, turn, from, until)
    const own = async () => {
      const specification = specificationOf(this.#stage)
      return this.#explored(specification, await baselineOf(specification), turn, from, until)
    }
    return { broken: await onlyIn(broken, own), runs: until - from }
  }

  async #explored(
    specification: Specification,
    baseline: Baseline,
    turn: number,
    from: number,
    until: number,
  ): Promise<string[]> {
    const { failures } = await explore(
      {
        specification,
        strategy: strategyOf(STRATEGIES[turn % STRATEGIES.length] ?? 'random', '--strategy'),
        seed: 1,
        allowed: (this.#stage.faults ?? []).map((fault) => parseAllowed(fault, 'faults')),
        from,
        until,
        isEnough: () => true,
      },
      baseline,
    )
    return failures.flatMap(({ violations }) => worded(violations))
  }
}

/** The most rounds of a run without a scheduler, as of the undisturbed run of a search. */
const ROUNDS = 200_000

/** What a run without a scheduler breaks: only then do oracles know how long everything may take. */
async function plainRun({ options, faults, until, open }: Specification): Promise<string[]> {
  const run = await runScenario({ options: { rounds: ROUNDS, ...options, runtime: 'inline' }, faults, until, open })
  return [
    ...worded(run.oracle.violations(run).filter(({ eventually }) => run.isSettled || !eventually)),
    ...run.crashes,
  ]
}

const worded = (violations: readonly { readonly property: string; readonly text: string }[]): string[] =>
  violations.map(({ property, text }) => `${property} (${text})`)

/** Random fault plans of a scenario, a few of another kind in each turn. */
class PlanPlace implements Place {
  readonly #name: string
  readonly #actors: URL | undefined

  constructor(name: string, actors: URL | undefined) {
    this.#name = name
    this.#actors = actors
  }

  async look(turn: number): Promise<{ readonly broken: readonly string[]; readonly runs: number }> {
    const { kinds, broken } = scenarioNamed(this.#name).faultPlans(new Map())
    // a step that has no divisor with the number of kinds reaches all of them; every tenth plan would be run twice
    const kind = kinds[(turn * 7) % kinds.length] ?? ''
    const n = 10 * Math.floor(turn / kinds.length) + 1 + (turn % 9)
    const brokenBy = async (actors: URL | undefined) =>
      (await broken(kind, { seed: 1, n }, 'inline', actors)).violations
    const found = await onlyIn(await brokenBy(this.#actors), () => brokenBy(undefined))
    return { broken: found.map((text) => `${kind}, ${text}`), runs: 1 }
  }
}
