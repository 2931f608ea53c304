/** A counterexample: a failing run, shrunk, with the command that repeats it. */
import type { Deviations } from '../actor/schedule.ts'
import type { Address } from '../core/address.ts'
import { commandOf, type Program } from '../core/command-name.ts'
import { counted, printUnits } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { parseFault, printFault } from '../scenario/faults.ts'
import { type Given, wordsOf } from '../scenario/flags.ts'
import { inSentence, inWords } from '../scenario/oracle.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { printSchedule, settingsDigest } from '../scenario/schedule-string.ts'
import { bounded, type RunLimits, type Specification } from '../scenario/specification.ts'
import { type Failure, type Limit, limitOf } from './explore.ts'
import { listOf, type ShrinkOptions, shrink } from './shrink.ts'
import { causeOf, fewOf, type ShrunkRun, shrunkRun, type Told, toldLines } from './shrunk-run.ts'
import type { FaultsAloneFailure } from './undisturbed.ts'

/** A failing run, shrunk, with what broke and how to repeat it. */
export interface Case extends Told {
  /** The number of the failing run in its search. */
  readonly run: number
  /** The scenario's flags by key, each with its given texts, and the limit that ended the run. */
  readonly flags: Readonly<Record<string, readonly string[]>>
  readonly schedule: string
  /** The command that repeats the run, without flags that choose a runtime. */
  readonly command: string
  /** Why the run is told as it was found: its repetition did not fail. Absent for a run that was shrunk. */
  readonly notReproduced?: string
}

/** A shrunk failing run with the command that repeats it. */
export interface Counterexample extends ShrunkRun {
  readonly told: Case
}

/** A scenario, and the program that runs it. */
export interface Explored extends Program {
  readonly scenario: Scenario
}

/** How a scenario is explored. */
export type Circumstances = {
  /** The scenario's flags by key, each with its given texts. */
  readonly given: readonly (readonly [key: string, texts: readonly string[]])[]
  readonly limits: Partial<RunLimits>
}

export const specificationOf = (scenario: Scenario, { given, limits }: Circumstances): Specification =>
  bounded(scenario.specification(new Map(given)), limits)

/** A failure as plain data, with its faults as they are typed. */
export type PlainFailure = {
  readonly run: number
  /** The seed of the scenario, if it is another than its flags say. */
  readonly seed?: number | undefined
  readonly violations: readonly { readonly property: string; readonly text: string }[]
  readonly deviations: Deviations
  readonly faults: readonly string[]
  readonly limit?: Limit | undefined
}

/**
 * Shrinks a failing run, and tells of it (see `counterexampleOf`).
 *
 * @throws NotReproduced if the run that the command describes does not break the promise
 */
export const caseOf = async (...given: Parameters<typeof counterexampleOf>): Promise<Case> =>
  (await counterexampleOf(...given)).told

/**
 * Shrinks a failing run; when the time is up, the smallest run so far is the counterexample.
 *
 * @throws NotReproduced if the run that the command describes does not break the promise
 */
export async function counterexampleOf(
  { scenario, ...program }: Explored,
  circumstances: Circumstances,
  found: PlainFailure,
  options: ShrinkOptions = {},
): Promise<Counterexample> {
  const given = seeded(circumstances.given, found.seed)
  const { onlyFlag } = scenario
  const whole = specificationOf(scenario, { ...circumstances, given })
  // tasks are left out only if the scenario's command can leave them out, too
  const specification = onlyFlag !== undefined ? whole : { ...whole, tasks: 0 }
  const failure: Failure = { ...found, faults: found.faults.map((fault) => parseFault(fault)) }
  const small = await shrink(specification, failure, options)
  const again = flagsOf(given, undefined, small.faults.map(printFault))
  const isWhole = onlyFlag === undefined || small.tasks.length === specification.tasks
  const kept: Given = isWhole ? again : new Map([...again, [onlyFlag, [small.tasks.join()]]])
  const final = specificationOf(scenario, { ...circumstances, given: [...kept] })
  const shrunk = await shrunkRun(final, small)
  const schedule = scheduleOf(final, small.deviations)
  const flags = limited(kept, limitOf(shrunk.failing.result, final.options))
  const told: Case = {
    ...shrunk.told,
    run: found.run,
    flags: Object.fromEntries(flags),
    schedule,
    command: commandFor({ scenario, ...program }, flags, schedule),
  }
  return { ...shrunk, told }
}

/** The flags and the schedule that repeat a failing run as it was found. */
export function repeatOf(
  { scenario }: Explored,
  circumstances: Circumstances,
  found: Omit<PlainFailure, 'violations'>,
) {
  const given = limited(flagsOf(circumstances.given, found.seed, found.faults), found.limit)
  const specification = specificationOf(scenario, { ...circumstances, given: [...given] })
  return { given, schedule: scheduleOf(specification, found.deviations) }
}

/** A run as it was found, with its schedule as a text and the command that repeats it. */
export function commandOfFound(
  explored: Explored,
  circumstances: Circumstances,
  found: Omit<PlainFailure, 'violations'>,
): { readonly schedule: string; readonly command: string } {
  const { given, schedule } = repeatOf(explored, circumstances, found)
  return { schedule, command: commandFor(explored, given, schedule) }
}

/** A run of a search that had not ended when the time was up, as plain data. */
export type UnfinishedRun = Omit<PlainFailure, 'violations'> & {
  readonly steps: number
  readonly now: Time
  /** The last event that an actor handled, if any is known. */
  readonly last: { readonly who: Address; readonly type: string; readonly isTimer: boolean } | null
  /** The time that it was given. */
  readonly seconds: number
}

/** A run that had not ended when the time was up, in words, with the command that repeats it. */
export function unfinishedText(explored: Explored, circumstances: Circumstances, found: UnfinishedRun): string {
  const { run, steps, now, last, seconds } = found
  const { schedule, command } = commandOfFound(explored, circumstances, found)
  const again =
    schedule.length > SCHEDULE_SHOWN
      ? [
          `  its schedule of ${schedule.length} characters is not printed: the command that repeats it is in the results (--json)`,
          ...fewOf(found.faults).map((fault) => `  - ${fault}`),
        ]
      : ['  to repeat it:', `  ${command} --runtime inline`]
  return [
    `run ${run} had not ended when the time was up; a repetition for ${counted(seconds, 'second')} took ${counted(steps, 'step')}, up to ${printUnits(now)} units`,
    ...(last ? [`  in the last one ${last.who} handled ${last.isTimer ? 'timer ' : ''}${last.type}`] : []),
    ...again,
  ].join('\n')
}

/** A failing run in words, as it was found, with the command that repeats it. */
export function foundText(explored: Explored, circumstances: Circumstances, found: PlainFailure): string {
  const { given, schedule } = repeatOf(explored, circumstances, found)
  const broken = inWords(found.violations)
  const again =
    schedule.length > SCHEDULE_SHOWN
      ? [
          `  not shrunk; its schedule of ${schedule.length} characters is not printed: --corpus FOLDER keeps the run with it, and the same search finds it again as run ${found.run}`,
          ...fewOf(found.faults).map((fault) => `  - ${fault}`),
        ]
      : ['  not shrunk; to repeat it:', `  ${commandFor(explored, given, schedule)} --runtime inline`]
  return [`run ${found.run} fails`, ...broken, ...again].join('\n')
}

/** A failing run as it was found, whose repetition did not fail; `why` says what that did. */
export function unshrunkCase(explored: Explored, circumstances: Circumstances, found: PlainFailure, why: string): Case {
  const [first] = found.violations
  const { given, schedule } = repeatOf(explored, circumstances, found)
  return {
    property: first?.property ?? '',
    text: first?.text ?? '',
    sentences: found.faults,
    brokenBy: null,
    causes: [],
    deviations: listOf(found.deviations).length,
    faults: found.faults.length,
    tasks: specificationOf(explored.scenario, circumstances).tasks,
    runs: 0,
    isCut: false,
    run: found.run,
    flags: Object.fromEntries(given),
    schedule,
    command: commandFor(explored, given, schedule),
    notReproduced: why,
  }
}

/** The longest schedule that is printed before it is shrunk. */
const SCHEDULE_SHOWN = 2000

/** The flags with the faults of a failing run instead of those that they name, and with its seed. */
const flagsOf = (given: Circumstances['given'], seed: number | undefined, faults: readonly string[]): Given =>
  new Map([...seeded(given, seed).filter(([key]) => key !== 'kill'), ['fault', faults]])

/** The circumstances with these faults, in place of those that their flags name. */
export const underFaults = ({ given, limits }: Circumstances, faults: readonly string[]): Circumstances => ({
  given: [...flagsOf(given, undefined, faults)],
  limits,
})

/** The flags with another seed. */
export const seeded = (given: Circumstances['given'], seed: number | undefined): Circumstances['given'] =>
  seed === undefined ? given : [...given.filter(([key]) => key !== 'seed'), ['seed', [String(seed)]]]

/** The flags with the limit that ended a run, so that the command which repeats it ends, too. */
export const limited = (given: Given, limit: Limit | undefined): Given =>
  new Map([...Object.entries(limit ?? {}).map(([key, most]) => [key, [String(most)]] as const), ...given])

function scheduleOf({ options }: Specification, deviations: Deviations): string {
  const { seed = 1 } = options
  return printSchedule({ deviations, seed, digest: settingsDigest(options) })
}

/** The command that runs a scenario, under a schedule if it is given. */
export const commandFor = ({ scenario: { flags }, ...program }: Explored, given: Given, schedule?: string): string =>
  [commandOf(program), ...wordsOf(flags, given), ...(schedule === undefined ? [] : ['--schedule', schedule])].join(' ')

/** A run without a schedule that breaks promises, in words. */
export const faultsAloneText = (
  explored: Explored,
  circumstances: Circumstances,
  failure: FaultsAloneFailure,
): string => {
  const { faults, broken } = failure
  return [
    ...broken,
    '  found without a schedule, under faults alone:',
    ...fewOf(faults).map((fault) => `  - ${fault}`),
    ...causeOf(failure).map((sentence) => `  ${sentence}`),
    '  to repeat it, inline or with --runtime threads:',
    `  ${commandFor(explored, new Map(underFaults(circumstances, faults).given))} --runtime inline`,
  ].join('\n')
}

/** A case in words, with the command that repeats it. */
export function caseText(found: Case): string {
  const { run, runs, isCut, command, tasks } = found
  return [
    inSentence(found),
    `  found in run ${run}, shrunk ${tasks === 0 ? '' : `to ${counted(tasks, 'task')} `}in ${counted(runs, 'run')}${isCut ? ', until the time was up (--shrink-seconds)' : ''}:`,
    ...toldLines(found),
    '  to repeat it, inline or with --runtime threads:',
    `  ${command} --runtime inline`,
  ].join('\n')
}
