/** The laboratory as functions, for tests of a protocol in any test runner. */

import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { DeviationScheduler, isDeviations } from '../actor/schedule.ts'
import {
  isPositive,
  type NamesOf,
  requireCount,
  requireKnown,
  requireSpan,
  requireThat,
} from '../core/check-options.ts'
import { BourseError } from '../core/error.ts'
import { quoted } from '../core/format.ts'
import { pathOfFile } from '../core/module-file.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { printFault } from '../scenario/faults.ts'
import { type FlagTexts, givenFrom } from '../scenario/flags.ts'
import { inWords } from '../scenario/oracle.ts'
import { isLikeScenario, type Scenario } from '../scenario/scenario.ts'
import { RUN_LIMITS } from '../scenario/specification.ts'
import { BrokenUndisturbed } from './broken-undisturbed.ts'
import { CONTINUATIONS } from './continuations.ts'
import { replayKept } from './corpus.ts'
import {
  type Case,
  type Circumstances,
  caseText,
  commandFor,
  counterexampleOf,
  foundText,
  specificationOf,
  underFaults,
  unshrunkCase,
} from './counterexample.ts'
import { execute } from './execution.ts'
import { baselineOf, requireRest, explore as search } from './explore.ts'
import { parseAllowed, requireLateCopies, requireRolesOf } from './fault-generator.ts'
import { requireContinuations } from './inevitable.ts'
import { NotReproduced } from './shrink.ts'
import { causeOf } from './shrunk-run.ts'
import { DEFAULT_STRATEGY, strategyOf } from './strategies/strategies.ts'
import { faultsAloneBeside, runFaultsAlone, runUndisturbed } from './undisturbed.ts'

/** The options of `explore`. */
export interface ExploreOptions {
  /** The number of runs, each under another schedule and other faults (default 1000). */
  readonly schedules?: number
  /** The seed of the search (default 1); the scenario's own seed is among its flags. */
  readonly seed?: number
  /** How schedules are chosen: `portfolio` (default), `random`, `pos`, `pct:D`, `delay:K`, `guided` or `fifo`. */
  readonly strategy?: string
  /**
   * The faults that each run may draw: `kill any ROLE [N]`, `restart any ROLE [N]`, both also with `losing W [torn]`,
   * `pause any ROLE [N]` (`some` in place of `any`: two or more at one point), `cut any [N]`, `slow any [N]`, `jump any [N]` (a clock),
   * `lose [N]`, `double [N]`, `double late [N]` (a copy that comes after later mail), or `any [N]` for all of these but `some` and
   * `jump`. ROLE may be `worker.*`, the children of workers.
   */
  readonly faults?: readonly string[]
  /** Flags of the scenario. Those of its small instance that are not given have the values there, as in the command. */
  readonly flags?: FlagTexts
  /** The file of the scenario, such as `import.meta.url` there; an error then has the whole command that repeats it. */
  readonly file?: URL | string
  /** The steps without progress after which a run counts as a livelock (default 100,000). */
  readonly livelock?: number
  /** How long an event can be held back after it is due (default: twice the longest timer of the undisturbed run, and at least its length if it comes to rest). */
  readonly longestHold?: Time
  /** The decisions of a schedule after which events come in plain order (default: ten times the steps of the undisturbed run). */
  readonly unfair?: number
  /**
   * The number of random continuations of each step that is tried, to tell when the failure of the smallest run became inevitable
   * (default 50; 0: it is not told). It takes about 15 times as many runs.
   */
  readonly inevitable?: number
  /** The most seconds that a failing run is shrunk, and the most that it is continued from its steps (default 60 each). */
  readonly shrinkSeconds?: number
}

/** What a search did that found no broken promise. */
export interface Exploration {
  /** The number of runs; each of them kept all promises. */
  readonly schedules: number
  /** The number of runs that a fault struck. */
  readonly struck: number
  /** The number of distinct outcomes. */
  readonly outcomes: number
  readonly steps: number
  /** The reachability goals (`sometimes`) that no run met. */
  readonly neverSeen: readonly string[]
}

/**
 * Thrown when a run breaks a promise. The message tells the smallest failing run and the command that repeats it. A run whose
 * repetition does not fail is told as it was found.
 */
export class PromiseBroken extends BourseError {
  override readonly name = 'PromiseBroken'
  readonly case: Case

  constructor(found: Case, message = caseText(found)) {
    super('BOURSE_PROMISE_BROKEN', message)
    this.case = found
  }
}

const EXPLORE: NamesOf<ExploreOptions> = {
  schedules: 1,
  seed: 1,
  strategy: 1,
  faults: 1,
  flags: 1,
  file: 1,
  livelock: 1,
  longestHold: 1,
  unfair: 1,
  inevitable: 1,
  shrinkSeconds: 1,
}

/** @throws UsageError for a value that is no scenario, which JavaScript lets through */
function requireScenario(where: string, scenario: unknown): void {
  if (!isLikeScenario(scenario)) throw UsageError.requires(where, 'a scenario that defineScenario made')
}

/**
 * Runs a scenario under many schedules and with random faults, in this process, and stops at the first run that breaks a
 * promise. The command `bourse explore` does the same on all cores.
 *
 * ```ts
 * test('no addition is lost', () => explore(scenario, { schedules: 1000, faults: ['kill any client 1'] }))
 * ```
 *
 * @throws PromiseBroken with the shrunk run, BrokenUndisturbed for a promise that only a run without a schedule breaks, UsageError
 *   for flags that the scenario refuses, OutOfRange for an option that is unknown or out of its range
 */
export async function explore(scenario: Scenario, options: ExploreOptions = {}): Promise<Exploration> {
  requireScenario('explore', scenario)
  requireKnown('explore', options, EXPLORE)
  const { schedules = 1000, seed = 1, strategy = DEFAULT_STRATEGY, faults = [], flags = {}, file } = options
  const { livelock = RUN_LIMITS.livelock, longestHold, unfair, inevitable: runs = CONTINUATIONS } = options
  requireContinuations('explore: option inevitable', runs)
  const { shrinkSeconds = 60 } = options
  requireThat(
    'explore: option shrinkSeconds',
    shrinkSeconds,
    isPositive(shrinkSeconds) && shrinkSeconds <= 1e6,
    'seconds > 0',
  )
  const timeIsUp = (): AbortSignal => AbortSignal.timeout(Math.ceil(shrinkSeconds * 1000))
  if (longestHold !== undefined) requireSpan('explore: option longestHold', longestHold)
  if (unfair !== undefined) requireCount('explore: option unfair', unfair)
  const limits = {
    livelock,
    ...(longestHold !== undefined && { longestHold }),
    ...(unfair !== undefined && { unfair }),
  }
  requireCount('explore: option schedules', schedules, 1)
  const allowed = faults.map((text) => parseAllowed(text, 'explore: option faults'))
  const said = scenario.small(givenFrom(scenario.flags, flags, scenario.name))
  // as the command does: a scenario that may suffer faults is prepared for them
  const given = allowed.length > 0 || said.has('fault') ? scenario.prepared(said) : said
  const circumstances: Circumstances = { given: [...given], limits }
  const specification = specificationOf(scenario, circumstances)
  const baseline = await baselineOf(specification)
  requireRest(specification, baseline.execution)
  requireRolesOf(allowed, baseline.actors, 'explore: option faults')
  const { broken } = await runUndisturbed(specification)
  requireLateCopies(allowed, specification.options.order, 'explore: option faults')
  const found = await search(
    {
      specification,
      strategy: strategyOf(strategy, 'explore: option strategy'),
      seed,
      allowed,
      from: 0,
      until: schedules,
      isEnough: () => true,
    },
    baseline,
  )
  const [failure] = found.failures
  const { name } = scenario
  const program = { name, scenario, path: file === undefined ? 'FILE' : relative('', pathOfFile(file)) }
  if (failure) {
    const plain = { ...failure, faults: failure.faults.map(printFault) }
    const shrinking = counterexampleOf(program, circumstances, plain, { late: timeIsUp() })
    const counterexample = await shrinking.catch((error: unknown) => {
      if (!(error instanceof NotReproduced)) throw error
      const told = `${foundText(program, circumstances, plain)}\n  its repetition did not fail: ${error.message}`
      throw new PromiseBroken(unshrunkCase(program, circumstances, plain, error.message), told)
    })
    const { told } = counterexample
    const inevitable = await counterexample.inevitable({ runs, late: timeIsUp() })
    throw new PromiseBroken({ ...told, inevitable })
  }
  if (broken.length > 0) throw new BrokenUndisturbed(broken, commandFor(program, given))
  const alone = await runFaultsAlone({
    specified: (all) => specificationOf(scenario, underFaults(circumstances, all.map(printFault))),
    planned: specification.faults,
    allowed,
    baseline,
    seed,
    runs: faultsAloneBeside(schedules),
  })
  if (alone.failure) {
    const { broken, faults } = alone.failure
    const command = commandFor(program, new Map(underFaults(circumstances, faults).given))
    throw new BrokenUndisturbed(broken, command, causeOf(alone.failure))
  }
  const goals = specification.sometimes ?? []
  return {
    schedules: found.schedules,
    struck: found.struck,
    outcomes: found.outcomes.size,
    steps: found.steps,
    neverSeen: goals.flatMap(({ name }) => (found.seen.has(name) ? [] : [name])),
  }
}

/**
 * Runs a scenario once, under a schedule that `explore` printed (`b1:...`), and resolves to the broken promises, each as a
 * text: its name, a colon and what was broken. A test of a bug that was mended expects none.
 *
 * @throws UsageError for a schedule that was made for other flags or another version of the scenario
 */
export async function replay(scenario: Scenario, schedule: string, flags: FlagTexts = {}): Promise<readonly string[]> {
  requireScenario('replay', scenario)
  const given = scenario.small(givenFrom(scenario.flags, flags, scenario.name))
  const specification = scenario.specification(new Map([...given, ['schedule', [schedule]]]))
  const { schedule: deviations } = specification.options
  if (!isDeviations(deviations)) {
    throw UsageError.invalid('replay: schedule', 'a schedule that the explorer printed (b1:...)', quoted(schedule))
  }
  const { violations } = await execute(specification, new DeviationScheduler(deviations))
  return inWords(violations)
}

/**
 * Runs the failing runs again that `explore --corpus FOLDER` has kept in a folder, and resolves to those that still break a
 * promise, or cannot be run any more: each as a text with its file. A test of bugs that were mended expects none. Runs of other
 * scenarios are left out.
 *
 * @throws UsageError for a folder that does not exist
 */
export async function replayCorpus(scenario: Scenario, folder: URL | string): Promise<readonly string[]> {
  requireScenario('replayCorpus', scenario)
  const path = relative('', pathOfFile(folder)) || '.'
  if (!existsSync(path)) throw UsageError.cannot(`read the corpus ${path}`, 'no such folder (ENOENT)')
  const all = await replayKept(scenario, path, 'replayCorpus:')
  return all.flatMap(({ file, violations, refusal }) => {
    if (refusal !== undefined) return [`${file} cannot be run: ${refusal}`]
    return inWords(violations).map((text) => `${file}: ${text}`)
  })
}
