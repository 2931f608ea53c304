/** Scenarios: each is defined once, and every command that runs, explores, replays or shows one takes it as it is. */
import { isDeviations } from '../actor/schedule.ts'
import { type NamesOf, requireKnown, requireThat } from '../core/check-options.ts'
import { isObject, type Plain } from '../core/data.ts'
import { OutOfRange } from '../core/error.ts'
import { printUnits } from '../core/format.ts'
import { thrownInOpening } from '../core/misuse.ts'
import { writeResult } from '../core/result-file.ts'
import { plainOf } from '../core/table.ts'
import { tallyText } from '../core/tally.ts'
import { UsageError } from '../core/usage-error.ts'
import { DEFAULTS } from '../system/options.ts'
import type { System, SystemInit } from '../system/system.ts'
import { type Check, named } from './checks.ts'
import type { CommandOutcome, DrawnChart, Invocation, PromisesSoFar } from './command.ts'
import { defaultFaultPlans } from './default-fault-plans.ts'
import type { CommandRun, Definition, ScenarioRun, Setup } from './definition.ts'
import { FactCounts } from './fact-counts.ts'
import { type FaultPlan, type ModelPlanRunner, type PlanRunner, planRunner } from './fault-plans.ts'
import { type Fault, printFault, requireBeforeCalm, requireKnownActors } from './faults.ts'
import { type Flags, flagName, type Given, givenFrom, readOptions } from './flags.ts'
import { metricsTables } from './metrics-tables.ts'
import { listen, type Oracle } from './oracle.ts'
import { outcomeOf } from './outcome.ts'
import type { PageReader, Sentence, Tile } from './page.ts'
import { faultsOf, onlyFlag, type RunFlagOptions, requireManyRuns, runFlags, systemOptions } from './run-flags.ts'
import { type Hooks, runScenario } from './run-scenario.ts'
import type { Specification } from './specification.ts'
import { checksOf, mishapLines, mishapsOf, missedSentences } from './verdict.ts'

/** A scenario of any protocol. */
export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly usage?: string
  readonly flags: Flags<RunFlagOptions>
  /** The key of the flag that leaves out tasks; undefined without tasks. */
  readonly onlyFlag: string | undefined
  /** The modules of actors that only other actors spawn. */
  readonly modules: readonly (URL | string)[]
  /** A reader of the facts of one run, for a page without a model. */
  readonly page: () => PageReader
  /**
   * The scenario as many runs need it. The actors come from the folder `actors` if it is given.
   *
   * @throws UsageError for flags that the scenario refuses, and for those that make no sense for many runs
   */
  specification(given: Given, actors?: URL): Specification
  /** The given flags with those of the small instance that are not given; see `Definition`. */
  small(given: Given): Given
  /** The given flags with those that prepare the scenario for faults which the flags do not name. */
  prepared(given: Given): Given
  /** Whether its fault plans are its own. They choose the model, and no flags can be given. */
  readonly hasFaultPlans: boolean
  /** Its random fault plans. @throws UsageError for flags that they refuse */
  faultPlans(given: Given): PlanRunner
  /** What its command does. */
  main(invocation: Invocation<RunFlagOptions>): Promise<ScenarioOutcome>
}

export interface ScenarioOutcome extends CommandOutcome {
  readonly exhibits?: {
    /** Sentences before all others, such as that a fault never struck. */
    readonly lead?: readonly Sentence[]
    readonly charts?: readonly DrawnChart[] | undefined
    /** The tiles of the same run without its faults. */
    readonly withoutFaults?: readonly Tile[]
  }
}

/** A scenario whose model and oracle are known. */
export interface DefinedScenario<M, W extends Oracle> extends Scenario {
  /** The model that the given flags describe. @throws UsageError for flags that the scenario refuses */
  modelOf(given: Given): M
  faultPlans(given?: Given): ModelPlanRunner<M>
  /** The scenario with a model, the options of a system and faults, for many runs. */
  specify(model: M, options: SystemInit, faults?: readonly Fault[], actors?: URL): Specification
  /** Runs a model once, to its end. */
  run(model: M, options: SystemInit, faults?: readonly Fault[], hooks?: Hooks): Promise<ScenarioRun<W>>
}

/** The two parts of a definition that its types follow from. */
interface Sources<O, M> {
  /** The flags of every run, and its own: `{ ...runFlags, rounds: value(...) }`. Default: those of every run. */
  readonly flags?: Flags<O>
  /**
   * Makes the model. Default: the model is the options.
   *
   * @throws UsageError for flags that contradict each other
   */
  setUp?(options: O): Setup<M>
}
type WithFlags<O> = Required<Pick<Sources<O, unknown>, 'flags'>>
type WithSetup<O, M> = Required<Pick<Sources<O, M>, 'setUp'>>
type Without<K extends string> = { readonly [key in K]?: never }

type Whole<O extends RunFlagOptions, M, W extends Oracle> = Definition<O, M, W> & WithFlags<O> & WithSetup<O, M>
type OnlyFlags<O extends RunFlagOptions, W extends Oracle> = Definition<O, O, W> & WithFlags<O> & Without<'setUp'>
type OnlySetup<M, W extends Oracle> = Definition<RunFlagOptions, M, W> & WithSetup<RunFlagOptions, M> & Without<'flags'>
type Least<W extends Oracle> = Definition<RunFlagOptions, RunFlagOptions, W> & Without<'flags' | 'setUp'>

/**
 * Defines a scenario.
 *
 * ```ts
 * const lock = defineScenario({
 *   name: 'lock',
 *   open: (system) => system.spawn('lock@l', new URL('./lock.ts', import.meta.url)),
 *   oracle: promises(always('one holder at a time', ({ facts }) => ...)),
 * })
 * export default lock
 * await runProgram(lock, import.meta.url)
 * ```
 */
export function defineScenario<O extends RunFlagOptions = RunFlagOptions, M = O, W extends Oracle = Oracle>(
  definition: Sources<O, M> & Definition<NoInfer<O>, NoInfer<M>, W>,
): DefinedScenario<M, W>
export function defineScenario<O extends RunFlagOptions, M, W extends Oracle>(definition: Some<O, M, W>): Scenario {
  requireKnown<object>('defineScenario', definition, FIELDS)
  const { name: called } = definition
  requireThat('defineScenario: name', called, typeof called === 'string' && called !== '', "a text, such as 'lock'")
  for (const name of ['open', 'oracle'] as const) {
    const isFunction = typeof definition[name] === 'function'
    requireThat(`defineScenario: ${name}`, definition[name], isFunction, 'a function')
  }
  const { sometimes = [] } = definition
  const areGoals = typeof sometimes === 'function' || (Array.isArray(sometimes) && sometimes.every(isGoal))
  requireThat(
    'defineScenario: sometimes',
    sometimes,
    areGoals,
    "a list of goals such as sometime('a name', 'role', 'type')",
  )
  if (hasFlags(definition)) {
    if (hasSetup(definition)) return made(definition)
    return made({ ...definition, setUp: (model: O) => ({ model }) })
  }
  if (hasSetup(definition)) return made({ ...definition, flags: runFlags })
  return made({ ...definition, flags: runFlags, setUp: (model: RunFlagOptions) => ({ model }) })
}

const FIELDS: NamesOf<Whole<RunFlagOptions, unknown, Oracle>> = {
  name: 1,
  summary: 1,
  usage: 1,
  about: 1,
  addresses: 1,
  modules: 1,
  open: 1,
  oracle: 1,
  until: 1,
  calm: 1,
  holdsUntil: 1,
  small: 1,
  tasks: 1,
  isDone: 1,
  sometimes: 1,
  patience: 1,
  faultPlans: 1,
  notes: 1,
  news: 1,
  count: 1,
  results: 1,
  jobs: 1,
  checks: 1,
  page: 1,
  demonstration: 1,
  flags: 1,
  setUp: 1,
}

type Some<O extends RunFlagOptions, M, W extends Oracle> = Whole<O, M, W> | OnlyFlags<O, W> | OnlySetup<M, W> | Least<W>

const hasFlags = <O extends RunFlagOptions, M, W extends Oracle>(
  definition: Some<O, M, W>,
): definition is Whole<O, M, W> | OnlyFlags<O, W> => definition.flags !== undefined

const hasSetup = <A extends object, B extends object>(
  definition: (A & { setUp: unknown }) | B,
): definition is A & { setUp: unknown } => 'setUp' in definition && definition.setUp !== undefined

/** All that a command line says of a run. */
interface Ready<O, M> extends Setup<M> {
  readonly options: O
  readonly faults: readonly Fault[]
  readonly how: SystemInit
}

const isGoal = (value: unknown): boolean => isObject(value) && typeof value['isSeen'] === 'function'

function promisesSoFar(oracle: Oracle, system: System): PromisesSoFar {
  const named = oracle.promises?.() ?? []
  if (!oracle.brokenSoFar) return { named: named.map(({ name }) => ({ name, eventually: true })), broken: [] }
  return { named, broken: oracle.brokenSoFar(outcomeOf(system)) }
}

const scenarios = new WeakSet<object>()

/** Whether a value has the parts of a scenario. Another copy of the library may have made it. */
export const isLikeScenario = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  ['specification', 'small', 'prepared'].every((key) => typeof value[key] === 'function')

/** Whether a value is what `defineScenario` returned. */
export const isScenario = (value: unknown): value is Scenario => isObject(value) && scenarios.has(value)

function made<O extends RunFlagOptions, M, W extends Oracle>(definition: Whole<O, M, W>): DefinedScenario<M, W> {
  const { name, summary = `The scenario ${name}.`, usage, flags: given, tasks, sometimes = [], isDone } = definition
  const word = tasks?.name ?? 'task'
  const onlyKey = `only${word[0]?.toUpperCase()}${word.slice(1)}s`
  const flags = tasks && !Object.hasOwn(given, onlyKey) ? { ...given, [onlyKey]: onlyFlag(`of these ${word}s`) } : given
  const small = givenFrom(flags, { ...definition.small }, name)
  const numbersOf = (model: M): readonly number[] => tasks?.of(model) ?? []
  const pageOf = (model?: M): PageReader => definition.page?.(model) ?? {}

  function modelOf(options: O): Setup<M> {
    const setup = definition.setUp(options)
    const only = listIn(options, onlyKey)
    if (!tasks || !only) return setup
    const { model } = setup
    const numbers = tasks.of(model)
    const absent = only.find((place) => place >= numbers.length)
    if (absent === undefined)
      return {
        ...setup,
        model: tasks.only(
          model,
          only.flatMap((place) => numbers[place] ?? []),
        ),
      }
    throw UsageError.invalid(flagName(onlyKey), `numbers below ${numbers.length}`, String(absent))
  }

  function aboutOf(model: M, options: O) {
    if (definition.about) return definition.about(model, options)
    const own = Object.entries(options).filter(([key]) => Object.hasOwn(given, key) && !Object.hasOwn(runFlags, key))
    return own.length > 0 ? { options: JSON.stringify(Object.fromEntries(own)) } : {}
  }

  function readied(options: O): Ready<O, M> {
    const setup = modelOf(options)
    const { model } = setup
    const addresses = definition.addresses?.(model)
    const faults = faultsOf(options, addresses)
    const [until, calm] = [definition.until?.(model), definition.calm?.(model)]
    if (calm !== undefined) requireBeforeCalm(faults, calm, until, name)
    const about: Plain = { scenario: name, ...aboutOf(model, options), faults: faults.map(printFault) }
    const how = systemOptions(options, about)
    const isLarge = addresses !== undefined && addresses.length > DEFAULTS.actors
    return { ...setup, options, faults, how: isLarge ? { ...how, actors: addresses.length } : how }
  }

  const judging =
    (model: M, faults: readonly Fault[]) =>
    ({ options }: System): W =>
      definition.oracle(model, { options, faults })

  async function begin(system: System, model: M, faults: readonly Fault[], actors: URL | undefined): Promise<W> {
    const oracle = await opened(system, model, faults, actors).catch((error: unknown) => {
      throw thrownInOpening(error)
    })
    for (const { address } of system.actors) {
      const records = system.recordsOf(address)
      if (records.length > 0) oracle.recovered?.(address, records)
    }
    if (!definition.addresses) {
      const spawned = system.actors.map(({ address }) => address)
      for (const fault of faults) requireKnownActors(fault, spawned, '--fault')
    }
    return oracle
  }

  /** Makes the oracle and spawns the actors, with the code of the scenario's author. */
  async function opened(system: System, model: M, faults: readonly Fault[], actors: URL | undefined): Promise<W> {
    const oracle = judging(model, faults)(system)
    listen(system, oracle)
    await definition.open(system, model, actors)
    if (system.actors.length === 0) {
      throw new OutOfRange(`open of ${name} spawned no actor; spawn the actors there, and await each system.spawn(...)`)
    }
    return oracle
  }

  const specify: DefinedScenario<M, W>['specify'] = (model, options, faults = [], actors) => {
    const numbers = numbersOf(model)
    return {
      options,
      faults,
      until: definition.until?.(model),
      calm: definition.calm?.(model),
      holdsUntil: definition.holdsUntil?.(model, options),
      addresses: definition.addresses?.(model),
      tasks: numbers.length,
      sometimes: typeof sometimes === 'function' ? sometimes(model) : sometimes,
      only: (places) => {
        const some = tasks
          ? tasks.only(
              model,
              places.flatMap((place) => numbers[place] ?? []),
            )
          : model
        return specify(some, options, faults, actors)
      },
      open: (system) => begin(system, model, faults, actors),
      judge: judging(model, faults),
    }
  }

  const run: DefinedScenario<M, W>['run'] = async (model, options, faults = [], hooks = {}) => {
    const [until, calm] = [definition.until?.(model), definition.calm?.(model)]
    const { onNews, actors } = hooks
    let judge: (() => PromisesSoFar) | undefined
    const open = async (system: System): Promise<W> => {
      const oracle = await begin(system, model, faults, actors)
      judge = () => promisesSoFar(oracle, system)
      if (onNews) {
        system.onFact((_, { at }) => {
          const news = definition.news?.(oracle, model, at)
          if (news !== undefined) onNews(news)
        })
      }
      return oracle
    }
    const { onSystem } = hooks
    const shown = { page: () => pageOf(model), promises: () => judge?.() }
    const done = await runScenario({
      ...hooks,
      onSystem: onSystem && ((system, given) => onSystem(system, { ...shown, ...given })),
      options,
      faults,
      until,
      calm,
      isDone,
      open,
      judge: judging(model, faults),
    })
    // what is still to come may come true in a run that has not come to rest
    const broken = done.oracle.violations(done).filter(({ eventually }) => done.isSettled || !eventually)
    return { ...done, broken }
  }

  /** The run that the given flags describe. */
  function planFrom(texts: Given): FaultPlan<M> {
    const { model, how, faults } = readied(readOptions<O>(flags, texts))
    return { model, options: how, faults }
  }

  /** Whether a model can be made of the given flags. */
  function isAccepted(texts: Given): boolean {
    try {
      modelOf(readOptions<O>(flags, texts))
      return true
    } catch (error) {
      if (error instanceof UsageError) return false
      throw error
    }
  }

  /** The given flags with one more, unless that one contradicts them. */
  function withIfAccepted(texts: Given, one: readonly [string, readonly string[]]): Given {
    const more: Given = new Map([one, ...texts])
    return isAccepted(more) ? more : texts
  }

  const faultPlans: DefinedScenario<M, W>['faultPlans'] = (texts = new Map()) => {
    requireManyRuns(texts)
    if (!definition.faultPlans) {
      const specified = ({ model, options }: FaultPlan<M>): Specification => specify(model, options)
      return planRunner(defaultFaultPlans<M, W>(scenario.prepared(texts), planFrom, specified), { specify, run })
    }
    const [key] = texts.keys()
    if (key !== undefined)
      throw new UsageError(`${flagName(key)} cannot be given: the fault plans of ${name} choose it`)
    return planRunner(definition.faultPlans, { specify, run })
  }

  /** One run of a command; `part` is its name among several. */
  async function ran(ready: Ready<O, M>, invocation: Invocation<O>, part = ''): Promise<CommandRun<O, M, W>> {
    const { model, options, faults, how } = ready
    const { progress, note, onSystem, byHand } = invocation
    const coming = numbersOf(model).length
    const onDone = (done: number): void => {
      if (coming > 0) progress(done, coming, `${part && `${part}: `}${done} ${word}s`)
    }
    const { count = [] } = definition
    const result = await run(model, { ...how, count }, faults, {
      onSystem: (system, shown) => onSystem(system, { ...shown, ...(part !== '' && { name: part }) }),
      onDone,
      onNews: definition.news && options.time === 'real' ? note : undefined,
    })
    return { ...result, model, options, how, faults: [...faults, ...byHand()] }
  }

  const checksIn = (done: CommandRun<O, M, W>): readonly Check[] => definition.checks?.(done) ?? checksOf(done)

  async function runOnce(invocation: Invocation<O>): Promise<ScenarioOutcome> {
    const { options, note } = invocation
    const ready = readied(options)
    const { model, dropped, odd } = ready
    const { jobsOut, seed } = options
    const { jobs } = definition
    if (jobsOut !== undefined && !jobs) throw new UsageError(`--jobs-out cannot be given: ${name} lists no ${word}s`)
    for (const [what, tally] of Object.entries({ dropped, odd })) {
      if (tally && tally.size > 0) note(`${what}: ${tallyText(tally)}`)
    }
    const coming = numbersOf(model).length
    const about = tasks ? [`${name}, seed ${seed}: ${coming} ${word}s`] : [`${name}, seed ${seed}`]
    for (const line of definition.notes?.(model, options) ?? about) note(line)
    const counts = new FactCounts()
    const onSystem: Invocation<O>['onSystem'] = (system, shown) => {
      if (!definition.results) listen(system, counts)
      if (definition.until?.(model) === undefined) {
        system.afterRounds(MANY_ROUNDS, () => {
          note(
            `${name} is at ${printUnits(system.now)} units after ${MANY_ROUNDS} rounds. If its actors go on for ever, ` +
              'end the run: give the scenario an end (`until`), or the command --max-rounds N',
          )
        })
      }
      invocation.onSystem(system, shown)
    }
    const done = await ran(ready, { ...invocation, onSystem })
    if (jobs && jobsOut !== undefined) writeResult(jobsOut, jobs(done), '--jobs-out')
    const { values, tables = [], text = '', drawn, charts } = definition.results?.(done) ?? counts.results()
    const measured = done.metrics ? metricsTables(done.metrics) : []
    return {
      results: {
        ...values,
        ...mishapsOf(done),
        ...(dropped && { dropped: Object.fromEntries(dropped) }),
        ...(odd && { odd: Object.fromEntries(odd) }),
        ...(measured.length > 0 && { metrics: measured.map(plainOf) }),
      },
      checks: checksIn(done),
      messages: done.messages,
      tables: [...tables, ...measured],
      text: [text, ...mishapLines(done)].filter((line) => line !== '').join('\n'),
      ...(drawn !== undefined && { drawn }),
      exhibits: {
        charts,
        lead: missedSentences(done, done.faults.length),
        withoutFaults: done.missed.length < done.faults.length ? await tilesWithoutFaults(ready, invocation) : [],
      },
    }
  }

  /** The tiles of the same run without its faults, for a page that says what they cost. */
  async function tilesWithoutFaults(
    { model, options, faults, how }: Ready<O, M>,
    { onSystem, note }: Invocation<O>,
  ): Promise<readonly Tile[]> {
    const page = pageOf(model)
    const isOther = options.time === 'real' || (how.schedule !== undefined && isDeviations(how.schedule))
    if (!page.tiles || options.report === undefined || faults.length === 0 || isOther) return []
    note('the same run without its faults, for the page')
    let calm: System | undefined
    await run(model, { ...how, runtime: 'inline', trace: false, record: false }, [], {
      onSystem: (system) => {
        calm = system
        onSystem(system)
        listen(system, page)
      },
    })
    return page.tiles(calm?.now ?? 0)
  }

  const scenario: DefinedScenario<M, W> = {
    name,
    summary,
    ...(usage !== undefined && { usage }),
    flags,
    onlyFlag: tasks && onlyKey,
    modules: definition.modules ?? [],
    page: () => pageOf(),
    modelOf: (texts) => modelOf(readOptions<O>(flags, texts)).model,
    specify,
    run,
    specification: (texts, actors) => {
      requireManyRuns(texts)
      const { model, how, faults } = readied(readOptions<O>(flags, texts))
      return specify(model, how, faults, actors)
    },
    small: (texts) => {
      const isInput = (key: string): boolean =>
        Object.entries(flags).some(([own, { file }]) => own === key && file === 'input')
      if ([...texts.keys()].some(isInput)) return texts
      const others = [...small].filter(([key]) => !texts.has(key))
      // mostly only one contradicts the given ones; otherwise they are added one by one
      const fewer = others.map((left) => others.filter((one) => one !== left))
      const all = [others, ...fewer].map((some): Given => new Map([...some, ...texts]))
      return all.find(isAccepted) ?? others.reduce<Given>(withIfAccepted, texts)
    },
    prepared: (texts) => {
      if (!definition.patience || texts.has('patience')) return texts
      return new Map([...texts, ['patience', [printUnits(definition.patience(readOptions<O>(flags, texts)))]]])
    },
    hasFaultPlans: definition.faultPlans !== undefined,
    faultPlans,
    main: (invocation: Invocation<O>) => {
      const { demonstration } = definition
      if (!invocation.isDemonstration || !demonstration) return runOnce(invocation)
      const show: Parameters<typeof demonstration>[0]['show'] = async (part, options) => {
        const done = await ran(readied(options), invocation, part)
        return { name: part, run: done, checks: checksIn(done).map(named(part)) }
      }
      return demonstration({ ...invocation, run, show })
    },
  }
  scenarios.add(scenario)
  return scenario
}

/** After this many rounds a command says that its run goes on. */
const MANY_ROUNDS = 100_000

/** The list of numbers that an option is; undefined if it is none. */
function listIn(options: object, key: string): readonly number[] | undefined {
  const value: unknown = Reflect.get(options, key)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : undefined
}
