/** The definition of a scenario: what a protocol says of itself, and from which every command takes what it needs. */
import type { Address } from '../core/address.ts'
import type { Message, Plain } from '../core/data.ts'
import type { ResultTable } from '../core/table.ts'
import type { Tally } from '../core/tally.ts'
import type { Time } from '../core/time.ts'
import type { System, SystemInit, SystemOptions } from '../system/system.ts'
import type { Check } from './checks.ts'
import type { CommandOutcome, DrawnChart, Invocation } from './command.ts'
import type { FaultPlans } from './fault-plans.ts'
import type { Fault } from './faults.ts'
import type { FlagTexts } from './flags.ts'
import type { Oracle, Violation } from './oracle.ts'
import type { PageReader } from './page.ts'
import type { RunFlagOptions } from './run-flags.ts'
import type { Hooks, Judged } from './run-scenario.ts'
import type { Sometime } from './specification.ts'

/**
 * Only `name`, `open` and `oracle` are required. `O` are the options that the flags yield, `M` is the model that is made
 * from them, and `W` is the oracle.
 */
export interface Definition<O extends RunFlagOptions, M, W extends Oracle> {
  /** The name in output and traces. For a built-in scenario it is the path of the program, such as `contracts/run`. */
  readonly name: string
  /** The purpose in a sentence or two, for `--help`. */
  readonly summary?: string
  /** The effect of running it without flags and with them, for `--help`. */
  readonly usage?: string
  /**
   * What describes the model in the head of a trace. Runs with the same description take the same schedules. Default: the
   * options of its own flags, or a digest of the model.
   */
  about?(model: M, options: O): { readonly [key: string]: Plain | undefined }
  /** The addresses of all actors, in spawn order. Default: those that `open` spawns. */
  addresses?(model: M): readonly Address[]
  /** The modules of actors that only other actors spawn, so that a replay and a host may load them. Default: none. */
  readonly modules?: readonly (URL | string)[]
  /**
   * Spawns all actors.
   *
   * @param actors another folder of modules to take the actors from; undefined: the project's
   */
  open(system: System, model: M, actors: URL | undefined): Promise<unknown>
  /** Makes the oracle of one run; `promises(...)` makes one from a list. */
  oracle(model: M, circumstances: Circumstances): W
  /** The end of a run. Default: when nothing is left to do. */
  until?(model: M): Time | undefined
  /**
   * The instant that begins the calm part of a run that goes on until `until`: from then on no planned fault happens, and a
   * search keeps the plain order of events. `eventually` promises are then asked at the end, although the run never comes to
   * rest. Default: none.
   */
  calm?(model: M): Time | undefined
  /**
   * The instant after which a search holds no event back, and before which its pauses, partitions, slow links and jumps of clocks
   * are over, so that promises about the end of a run that ends at `until` can be kept. Unlike `calm` it changes nothing else.
   * Default: the `calm`.
   */
  holdsUntil?(model: M, options: SystemInit): Time | undefined
  /**
   * The flags of a small instance, such as `{ clients: 2, latency: 1 }`. The laboratory explores it, since most bugs show in small
   * instances, and many of their schedules can be run. Flags that a command line gives have its values. A flag here that
   * contradicts them is left out, and all are if an input file is given. Default: the instance without flags.
   */
  readonly small?: { readonly [K in keyof O]?: FlagTexts[string] }
  /** The tasks, which can be left out one by one to make a failing run small. Default: none. */
  readonly tasks?: Tasks<M>
  /** Whether a fact says that a task is over, for the progress of a run. */
  isDone?(fact: Message, who: Address): boolean
  /** Facts that at least one run of a search should observe. */
  readonly sometimes?: readonly Sometime[] | ((model: M) => readonly Sometime[])
  /** The default `--patience` of runs with faults, for a scenario with that flag whose default is none. */
  patience?(options: O): Time
  /** Its random fault plans. Default: plans drawn from its actors and its flags. */
  readonly faultPlans?: FaultPlans<M, W>
  /** Notes before a run. Default: its name, seed and number of tasks. */
  notes?(model: M, options: O): readonly string[]
  /** A line about a run that goes on, asked at every fact of a run of the command in real time. */
  news?(oracle: W, model: M, at: Time): string | undefined
  /** Message types to count in a run of the command. */
  readonly count?: readonly string[]
  /** The results of a run of the command. Default: the number of facts of each type. */
  results?(run: CommandRun<O, M, W>): Results
  /** The CSV file of `--jobs-out`. Default: none, and the flag is refused. */
  jobs?(run: CommandRun<O, M, W>): string
  /** The checks of a run of the command. Default: no violation, no crash, and an end. */
  checks?(run: CommandRun<O, M, W>): readonly Check[]
  /**
   * What the page of a run shows, read from its facts. A page that is made from a trace has no model. Default: the deaths and
   * faults, and a bar for each fact.
   */
  page?(model?: M): PageReader
  /** What the command does without flags. Default: one run. */
  demonstration?(stage: Stage<O, M, W>): Promise<CommandOutcome>
}

/** The options and the faults of a run. */
export interface Circumstances {
  readonly options: SystemOptions
  readonly faults: readonly Fault[]
}

/** What a scenario makes of its flags. */
export interface Setup<M> {
  readonly model: M
  /** The records of a workload that were left out, by reason. */
  readonly dropped?: Tally
  /** The records of a workload that were taken although they are strange, by reason. */
  readonly odd?: Tally
}

/** The tasks of a model, which can be left out one by one. */
export interface Tasks<M> {
  /** The word for a task; default `task`. The flag is `--only-tasks`. */
  readonly name?: string
  /** The numbers of the tasks, in order. */
  of(model: M): readonly number[]
  /** The model with the tasks of these numbers alone, which keep their numbers. */
  only(model: M, numbers: readonly number[]): M
}

/** A run with its oracle and the violations that it found. */
export type ScenarioRun<W> = Judged<W> & { readonly broken: readonly Violation[] }

/** A run of a command. */
export type CommandRun<O, M, W> = ScenarioRun<W> & {
  readonly options: O
  readonly model: M
  readonly how: SystemInit
  /** The planned faults, and those that were injected by hand. */
  readonly faults: readonly Fault[]
}

/** The results of a run: values for `--json`, and tables, lines and charts for people. */
export interface Results {
  readonly values: CommandOutcome['results']
  readonly tables?: readonly ResultTable[]
  /** Further lines, printed after the tables. */
  readonly text?: string
  /** Drawings of characters, printed last. A page has pictures of its own. */
  readonly drawn?: string
  readonly charts?: readonly DrawnChart[]
}

/** What a demonstration works with. */
export interface Stage<O, M, W> extends Invocation<O> {
  /** Runs a model once; the caller registers its system with `onSystem`. */
  run(model: M, options: SystemInit, faults?: readonly Fault[], hooks?: Hooks): Promise<ScenarioRun<W>>
  /** Runs the scenario with other options, as one of several runs; the names of its checks begin with `name`. */
  show(name: string, options: O): Promise<Shown<O, M, W>>
}

/** A part of a demonstration: a run with its checks. */
export interface Shown<O, M, W> {
  readonly name: string
  readonly run: CommandRun<O, M, W>
  readonly checks: readonly Check[]
}
