/** A block of fault plans of one kind, which a separate process runs; its input and output are plain data. */
import { commandOf, shellQuoted } from '../../../lib/core/command-name.ts'
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { addCosts, type Broken, type Cost, type PlanNumber, type Runtime } from '../../../lib/scenario/fault-plans.ts'
import { printFault } from '../../../lib/scenario/faults.ts'
import { type Given, wordsOf } from '../../../lib/scenario/flags.ts'
import { loadScenario } from '../../../lib/scenario/load.ts'
import type { Scenario } from '../../../lib/scenario/scenario.ts'
import { scenarioNamed } from '../scenarios.ts'

/** The plans from number `from` to `until`, which is not included. */
export type Block = {
  /** The name of the scenario, or its file. */
  readonly scenario: string
  /** The scenario's flags by key, each with its given texts. */
  readonly given: readonly (readonly [key: string, texts: readonly string[]])[]
  readonly kind: string
  readonly runtime: Runtime
  readonly seed: number
  readonly from: number
  readonly until: number
}

/** A plan that broke a promise. */
export type FailingPlan = Pick<Block, 'kind' | 'runtime'> & PlanNumber

/** What some plans broke, and what they cost. */
export type Toll = {
  readonly plans: number
  readonly messages: number
  /** Each names the promise first, and then the plan. */
  readonly violations: readonly string[]
  /** The failing plans, each with its violations, its faults and the command that repeats it. */
  readonly cases: readonly string[]
  readonly failing: readonly FailingPlan[]
  readonly costs: readonly Cost[]
}

export const NO_TOLL: Toll = { plans: 0, messages: 0, violations: [], cases: [], failing: [], costs: [] }

export const addTolls = (one: Toll, other: Toll): Toll => ({
  plans: one.plans + other.plans,
  messages: one.messages + other.messages,
  violations: [...one.violations, ...other.violations],
  cases: [...one.cases, ...other.cases],
  failing: [...one.failing, ...other.failing],
  costs: addCosts(one.costs, other.costs),
})

/** Runs a block of a scenario of this project; hosts may run it. */
export const faultBlock = (block: Block): Promise<Toll> => runBlock(scenarioNamed(block.scenario), block)

/** Runs a block of the scenario in a file. It is not registered, so no host loads a file that a frame names. */
export const faultFile = async (block: Block): Promise<Toll> => runBlock(await loadScenario(block.scenario), block)

async function runBlock(scenario: Scenario, block: Block): Promise<Toll> {
  const { given, kind, runtime, seed, from, until } = block
  const plans = scenario.faultPlans(new Map(given))
  let toll = NO_TOLL
  for (let n = from; n < until; n++) {
    const { messages, costs, ...broken } = await plans.study(kind, { seed, n }, runtime)
    const isBroken = broken.violations.length > 0
    const violations = broken.violations.map((what) => `${what} (${titleOf({ kind, seed, n })})`)
    const cases = isBroken ? [caseText(scenario, block, { seed, n }, broken)] : []
    const failing = isBroken ? [{ kind, runtime, seed, n }] : []
    toll = addTolls(toll, { plans: 1, messages, costs, violations, cases, failing })
  }
  return toll
}

/** The most violations of one plan that are printed. */
const VIOLATIONS = 3

export const titleOf = ({ kind, seed, n }: Pick<FailingPlan, 'kind' | 'seed' | 'n'>): string =>
  `${kind}, plan ${n} of seed ${seed}`

/** Describes a failing plan: its first violations, its faults and the command that runs it again. */
export function caseText(
  scenario: Pick<Scenario, 'flags'>,
  block: Pick<Block, 'scenario' | 'kind' | 'runtime'>,
  { seed, n }: PlanNumber,
  { violations, faults, given }: Broken,
): string {
  const { scenario: name, kind, runtime } = block
  const more = violations.length - VIOLATIONS
  const lines = [
    ...violations.slice(0, VIOLATIONS),
    ...(more > 0 ? [`and ${more} more`] : []),
    `faults: ${faults.map(printFault).join('; ') || 'no timed faults'}`,
    `again: ${againOf(scenario, name, { kind, runtime, seed, n }, given)}`,
  ]
  return [`${titleOf({ kind, seed, n })}:`, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** The command that runs a plan again: that of the scenario with the given flags, or that of fault plans without them. */
export function againOf(
  { flags }: Pick<Scenario, 'flags'>,
  name: string,
  { kind, runtime, seed, n }: FailingPlan,
  given: Given | undefined,
): string {
  const words = given
    ? [commandOf({ name, path: name }), ...wordsOf(flags, given), '--runtime', runtime]
    : [
        ...[commandOf({ name: 'lab/faults' }), name, '--seed', seed, '--only', shellQuoted(kind)],
        ...['--from', n, '--plans', 1, ...(runtime === 'inline' ? ['--threads', 0] : [])],
      ]
  return words.join(' ')
}

/** Reads the result of a block. @throws TypeError if it is something else */
export function tollIn(result: Plain): Toll {
  if (isToll(result)) return result
  throw new TypeError(`this is not the result of a block of plans: ${JSON.stringify(result).slice(0, 80)}`)
}

const isToll = (value: unknown): value is Toll =>
  isObject(value) &&
  ['plans', 'messages'].every((key) => typeof value[key] === 'number') &&
  ['violations', 'cases', 'failing', 'costs'].every((key) => Array.isArray(value[key]))
