/** The explorer's command: searches for schedules and faults that break a promise of a scenario, and shrinks them. */

import {
  type Invocation,
  none,
  noneViolated,
  type Outcome,
  runMain,
  signalOf,
  UsageError,
} from '../../lib/cli/index.ts'
import { counted } from '../../lib/core/format.ts'
import { requireUnused } from '../../lib/distributed/access.ts'
import {
  type Circumstances,
  type Counterexample,
  caseText,
  commandOfFound,
  counterexampleOf,
  faultsAloneText,
  foundText,
  type PlainFailure,
  specificationOf,
  type UnfinishedRun,
  underFaults,
  unfinishedText,
} from '../../lib/explore/counterexample.ts'
import { type Exhausted, exhaust, STEPS_MAX } from '../../lib/explore/exhaustive.ts'
import type { Failure } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { NotReproduced } from '../../lib/explore/shrink.ts'
import { faultsAloneBeside, runFaultsAlone, runUndisturbed } from '../../lib/explore/undisturbed.ts'
import type { Check } from '../../lib/scenario/checks.ts'
import { printFault } from '../../lib/scenario/faults.ts'
import { collect } from '../../lib/scenario/flags.ts'
import { brokenName } from '../../lib/scenario/oracle.ts'
import { bounded, type RunLimits, rehearse } from '../../lib/scenario/specification.ts'
import { poolFor } from '../sweeping.ts'
import { failureExhibits, withEvidence } from './both-runs.ts'
import { examine } from './explore/block.ts'
import { type Keeper, keeperOf, replayCorpus } from './explore/corpus.ts'
import { type ExploreOptions, exhaustiveDepth, exploreFlags } from './explore/flags.ts'
import { explained, requireOneRun } from './explore/pasted.ts'
import { type Searched, search } from './explore/search.ts'
import {
  BRANCHES_SHOWN,
  branchesLine,
  endOf,
  exhaustedLine,
  goalLines,
  neverSeen,
  rateOf,
  statistics,
} from './explore/text.ts'
import { requireRun, tellingProgress, undisturbedChecks } from './explore/undisturbed.ts'
import { progressWithin } from './progress.ts'
import { continuingFor, shrinkingFor } from './shrinking.ts'
import {
  beside,
  type Found,
  foundIn,
  inSmall,
  requireOnHosts,
  requireOnly,
  SCENARIO,
  seeFlags,
  smallOf,
  subjectOf,
  titleOf,
} from './subject.ts'

const args = process.argv.slice(2)

async function main(found: Found, invocation: Invocation<ExploreOptions>): Promise<Outcome> {
  const { options, words } = invocation
  requireOnly(found, words)
  const { corpus, schedules } = options
  const whole = collect({ ...found.scenario.flags, ...exploreFlags }, args, SCENARIO).given
  const [schedule] = whole.get('schedule') ?? []
  if (schedule !== undefined) {
    requireOneRun(Object.keys(exploreFlags), whole)
    const subject = inSmall(subjectOf(found, args, exploreFlags, SCENARIO))
    return await explained(subject, schedule, limitsOf(options), invocation)
  }
  if (schedules === 0 && corpus === undefined) throw UsageError.requires('--schedules 0', '--corpus FOLDER')
  const replayed = corpus === undefined ? undefined : await replayCorpus(found, corpus, schedules === 0)
  if (replayed && schedules === 0) return replayed
  const depth = exhaustiveDepth(options.strategy)
  const outcome = await (depth === undefined ? searched(found, invocation) : exhausted(found, invocation, depth))
  if (!replayed) return outcome
  return {
    ...outcome,
    results: { ...outcome.results, ...replayed.results },
    checks: [...replayed.checks, ...outcome.checks],
    text: [replayed.text, outcome.text].join('\n\n'),
  }
}

/** @throws UsageError for flags that make no sense when the explorer chooses the schedules of many runs */
async function subject(found: Found, { faults: allowed }: ExploreOptions) {
  const { scenario, given: said } = inSmall(subjectOf(found, args, exploreFlags, SCENARIO))
  // the preparation for faults stays even if shrinking removes all faults
  const isFaulty = allowed.length > 0 || said.has('fault') || said.has('kill')
  const given = isFaulty ? scenario.prepared(said) : said
  const specification = scenario.specification(given)
  await rehearse(specification)
  return { ...found, given, specification }
}

async function searched(scenario: Found, invocation: Invocation<ExploreOptions>): Promise<Outcome> {
  const { options, progress, note } = invocation
  const { schedules, strategy, seed, seeds, faults: allowed, seconds } = options
  if (options.everyOrder) throw UsageError.requires('--every-order', `--strategy exhaustive, not ${strategy}`)
  const explored = await subject(scenario, options)
  const { name, given, specification } = explored
  requireOnHosts(scenario, options)
  const faults = allowed.length > 0 ? `, faults drawn: ${allowed.join('; ')}` : ''
  note(`${titleOf(explored)}, seed ${seed}: ${counted(schedules, 'schedule')}, strategy ${strategy}${faults}`)
  const telling = tellingProgress(bounded(specification, limitsOf(options)), (text) => progress(0, null, text))
  const { asked, baseline } = await requireRun(telling, allowed) // its errors are reported here, not by a process of the search
  const undisturbed = await runUndisturbed(telling)
  const notAsked = undisturbed.asked.filter((promise) => !asked.includes(promise))
  const { first } = options
  const quest = { scenario: name, given: [...given], strategy, seed, limits: limitsOf(options), allowed, first }
  const keeper = keeperOf(scenario, quest, options)
  const mayFail = allowed.length > 0 || specification.faults.length > 0
  /** The failing runs that are shrunk so far. */
  const counterexamples: Counterexample[] = []
  let soFar: (() => Searched) | undefined
  invocation.onInterrupt(() => {
    const found = soFar?.()
    if (!found) return
    const cases = textsSoFar(scenario, quest, found.failures, counterexamples)
    const kept = found.failures.flatMap((failure) => keeper.keepFound(failure))
    const end = found.schedules < schedules ? ` of ${schedules}, since it was interrupted` : ''
    tellSoFar([statistics(found, specification, { mayFail, end, notAsked }), ...cases, ...kept])
  })
  /** The failing runs that were printed, by the promise that they break. */
  const told = new Map<string, number>()
  const tell = progressWithin(progress, schedules, seconds)
  const found = await search(quest, {
    schedules,
    seeds,
    seconds,
    pool: await poolFor(invocation),
    signal: signalOf(invocation),
    onDone: (done, searched) => {
      soFar = searched
      tell(done, counted(done, 'schedule'))
    },
    examine: (block, ms) => {
      note(
        `no news for long, and the time is up: the steps of a run that goes on are watched for ${counted(ms / 1000, 'second')}`,
      )
      return examine(scenario.scenario, block, ms, signalOf(invocation))
    },
    onFailure: (failure) => {
      const [first] = failure.violations
      if (!first || told.has(first.property)) return
      told.set(first.property, failure.run)
      note(foundText(scenario, quest, failure))
    },
  })
  const alone = await runFaultsAlone({
    specified: (all) => specificationOf(scenario.scenario, underFaults(quest, all.map(printFault))),
    planned: specification.faults,
    allowed: allowed.map((text) => parseAllowed(text, '--faults')),
    baseline,
    seed,
    runs: notAsked.length === 0 ? 0 : faultsAloneBeside(found.schedules),
    signal: signalOf(invocation),
  })
  await shrunk(scenario, quest, found.failures, {
    ...invocation,
    keeper,
    counterexamples,
    told: [...told.values()],
  })
  const cases = counterexamples.map(({ told }) => told)
  return {
    results: {
      explored: titleOf(explored),
      schedules: found.schedules,
      asked: schedules,
      outOfTime: found.outOfTime,
      unfinished: found.unfinished ? unfinishedResult(scenario, quest, found.unfinished) : null,
      ...(mayFail && { struck: found.struck }),
      outcomes: found.outcomes.size,
      decisions: found.decisions,
      longestHold: found.longestHold,
      holds: found.holds,
      holdsCutOff: found.cutHolds,
      steps: found.steps,
      racingPairs: found.pairs.met,
      inBothOrders: found.pairs.both,
      neverSeen: neverSeen(specification, found.seen),
      notAsked,
      faultsAlone: { runs: alone.runs, failure: alone.failure ?? null },
      failed: found.failed,
      schedulesPerSecond: rateOf(found),
      cases: cases.map((one) => ({ ...one })),
    },
    checks: [
      found.schedules > 0
        ? judged(found.failures, found.schedules, counterexamples)
        : nothingEnded(found, seconds ?? 0),
      ...undisturbedChecks(undisturbed, alone),
    ],
    messages: 0,
    text: [
      statistics(found, specification, {
        mayFail,
        end: endOf(found, schedules),
        notAsked,
        faultsAlone: alone.runs,
      }),
      ...(found.unfinished ? [unfinishedText(scenario, quest, found.unfinished)] : []),
      ...(alone.failure ? [faultsAloneText(scenario, quest, alone.failure)] : []),
      ...cases.map(caseText),
    ].join('\n\n'),
    exhibits: await exhibits(options, counterexamples),
  }
}

const limitsOf = ({ livelock, hold, unfair }: ExploreOptions): Partial<RunLimits> => ({
  livelock,
  ...(hold !== undefined && { longestHold: hold }),
  ...(unfair !== undefined && { unfair }),
})

/** Runs an exhaustive search in this process, since each run shows which others there are. */
async function exhausted(scenario: Found, invocation: Invocation<ExploreOptions>, depth: number): Promise<Outcome> {
  const { options, progress, note, onInterrupt } = invocation
  const { schedules, seed, seeds, strategy, everyOrder, faults, seconds, parallel, workers } = options
  if (faults.length > 0) throw UsageError.conflicts('--faults', '--strategy exhaustive', 'choose another strategy')
  if (seeds > 1) throw UsageError.conflicts('--seeds', '--strategy exhaustive', 'it tries every order of one workload')
  if (parallel !== undefined)
    throw UsageError.conflicts('--parallel', '--strategy exhaustive', 'it runs in one process')
  if (workers) throw UsageError.conflicts('--workers', '--strategy exhaustive', 'it runs in one process')
  requireUnused(options, '--workers')
  const explored = await subject(scenario, options)
  const { name, given, specification } = explored
  note(
    `${titleOf(explored)}, seed ${seed}: strategy ${strategy}, ${everyOrder ? 'every order' : 'every order that matters'}`,
  )
  const late = seconds === undefined ? undefined : AbortSignal.timeout(Math.ceil(seconds * 1000))
  const quest = { scenario: name, given: [...given], limits: limitsOf(options) }
  const keeper = keeperOf(scenario, quest, options)
  const tell = progressWithin(progress, schedules, seconds)
  /** The failing runs that are shrunk so far. */
  const counterexamples: Counterexample[] = []
  let soFar: Exhausted | undefined
  onInterrupt(() => {
    if (!soFar) return
    const firsts = firstsOf(soFar)
    const cases = textsSoFar(scenario, quest, firsts, counterexamples)
    const kept = firsts.flatMap((failure) => keeper.keepFound(failure))
    tellSoFar([
      `${exhaustedLine(soFar)}${branchesLine(soFar)}`,
      ...goalLines(specification, soFar.seen),
      ...cases,
      ...kept,
    ])
  })
  const found = await exhaust({
    specification: bounded(specification, limitsOf(options)),
    reduce: !everyOrder,
    depth,
    schedules,
    late,
    isEnough: () => options.first,
    onProgress: (exhausted) => {
      soFar = exhausted
      const { schedules: runs, orders, failures } = exhausted
      tell(runs, `${counted(runs, 'schedule')}, ${counted(orders, 'order')}, ${failures.length} failed`)
    },
  })
  const firsts = firstsOf(found)
  await shrunk(scenario, quest, firsts, { ...invocation, keeper, counterexamples })
  const cases = counterexamples.map(({ told }) => told)
  const { orders, outcomes, bound } = found
  const limits = {
    time: `--seconds ${seconds}`,
    schedules: `--schedules ${schedules}`,
    steps: `the limit of ${STEPS_MAX} steps in one order`,
    failure: 'the first failing run (--first)',
  }
  const all =
    bound === undefined
      ? ''
      : `; ${limits[bound]} was reached before all orders were tried${bound === 'failure' ? '' : branchesLine(found)}`
  const line = `${exhaustedLine(found)}${all}`
  return {
    results: {
      explored: titleOf(explored),
      schedules: found.schedules,
      orders,
      outcomes: outcomes.size,
      longestHold: found.longestHold,
      choicesLeftOut: found.cutHolds,
      failed: found.failures.length,
      complete: bound === undefined,
      branches: found.branches.slice(0, BRANCHES_SHOWN),
      neverSeen: neverSeen(specification, found.seen),
      cases: cases.map((one) => ({ ...one })),
    },
    checks: [found.schedules > 0 ? judged(firsts, found.schedules, counterexamples) : nothingEnded({}, seconds ?? 0)],
    messages: 0,
    text: [[line, ...goalLines(specification, found.seen)].join('\n'), ...cases.map(caseText)].join('\n\n'),
    exhibits: await exhibits(options, counterexamples),
  }
}

/** The check that no schedule broke a promise; the first counterexample is its evidence. */
function judged(failures: readonly PlainFailure[], schedules: number, [first]: readonly Counterexample[]): Check {
  const broken = failures.map(({ violations: [first] }) => (first ? brokenName(first) : ''))
  const check = noneViolated(broken, `in ${counted(schedules, 'schedule')}`)
  return first ? withEvidence(check, first) : check
}

/** The check of a search whose time was up before any run had ended. */
function nothingEnded({ unfinished }: Pick<Searched, 'unfinished'>, seconds: number): Check {
  const end = `no schedule ran to its end in ${counted(seconds, 'second')}`
  if (!unfinished) return none('search', [`${end}: give --seconds more`])
  const { run, steps } = unfinished
  const wentOn = `${end}, and run ${run} went on after ${counted(steps, 'step')}`
  return none('search', [`${wentOn}: mend it if it never ends, or give --seconds more`])
}

/** A run that had not ended as a result, with the command that repeats it. */
function unfinishedResult(explored: Found, circumstances: Circumstances, unfinished: UnfinishedRun) {
  const { deviations: _, limit: __, ...told } = unfinished
  return { ...told, ...commandOfFound(explored, circumstances, unfinished) }
}

/** The counterexamples on a page, if one is asked for: each failing run next to its nearest passing run. */
const exhibits = async (
  { report }: ExploreOptions,
  counterexamples: readonly Counterexample[],
): Promise<NonNullable<Outcome['exhibits']>> =>
  report !== undefined && counterexamples.length > 0 ? await failureExhibits(counterexamples) : {}

/**
 * Tells each failing run, and then shrinks and continues it, since that may take long. Each counterexample is put into a list as soon
 * as it is shrunk, so that an interrupt can print it.
 */
async function shrunk(
  scenario: Found,
  circumstances: Circumstances,
  failures: readonly PlainFailure[],
  {
    options: { shrinkSeconds, inevitable: runs },
    note,
    progress,
    keeper,
    counterexamples,
    told = [],
  }: Invocation<ExploreOptions> & {
    readonly keeper: Keeper
    readonly counterexamples: Counterexample[]
    readonly told?: readonly number[]
  },
): Promise<void> {
  for (const failure of failures) if (!told.includes(failure.run)) note(foundText(scenario, circumstances, failure))
  for (const failure of failures) {
    const what = `run ${failure.run}`
    const shrinking = shrinkingFor(shrinkSeconds, what, { progress })
    const found = await counterexampleOf(scenario, circumstances, failure, shrinking).catch((error: unknown) => {
      if (!(error instanceof NotReproduced)) throw error
      note(`${what} cannot be shrunk: ${error.message}`)
      return undefined
    })
    if (!found) {
      for (const line of keeper.keepFound(failure)) note(line)
      continue
    }
    for (const line of keeper.keepCase(found.told)) note(line)
    const place = counterexamples.push(found) - 1
    const inevitable = await found.inevitable(continuingFor(shrinkSeconds, what, runs, { progress }))
    counterexamples[place] = { ...found, told: { ...found.told, inevitable } }
  }
}

/** The failing runs of an interrupted search in words: those that are shrunk as counterexamples, the others as they were found. */
const textsSoFar = (
  scenario: Found,
  circumstances: Circumstances,
  failures: readonly PlainFailure[],
  counterexamples: readonly Counterexample[],
): readonly string[] =>
  failures.map((failure) => {
    const small = counterexamples.find(({ told }) => told.run === failure.run)
    return small ? caseText(small.told) : foundText(scenario, circumstances, failure)
  })

/** The first failing run for each broken promise. */
function firstsOf({ failures }: Exhausted): readonly PlainFailure[] {
  const firsts = new Map<string, Failure>()
  for (const failure of failures) {
    const property = failure.violations[0]?.property ?? ''
    if (!firsts.has(property)) firsts.set(property, failure)
  }
  return [...firsts.values()].map((failure) => ({ ...failure, faults: failure.faults.map(printFault) }))
}

/** Prints what an interrupted search has found. It goes to stderr, since stdout is for the result of a whole search. */
const tellSoFar = (parts: readonly string[]): void => {
  process.stderr.write(`so far: ${parts.join('\n')}\n`)
}

await runMain(async () => {
  const found = await foundIn(args)
  return {
    name: 'lab/explore',
    summary: 'Explores the schedules of a scenario, and shrinks the runs that break a promise.',
    usage: `Runs the scenario inline, many times. ${seeFlags('lab/explore')} With --schedule b1:... the command explains the run of that schedule instead.`,
    args: SCENARIO,
    ...beside(found, exploreFlags, smallOf(found, args, exploreFlags, SCENARIO), ['schedule']),
    main: (invocation: Invocation<ExploreOptions>) => main(found, invocation),
  }
})
