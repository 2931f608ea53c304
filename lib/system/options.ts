/** How a system is run, and the limits of everything in it. */

import { type NetworkOptions, PERFECT_NETWORK } from '../actor/network.ts'
import { completeReliable, type ReliableOptions } from '../actor/reliable-options.ts'
import { HOLD_BOUNDS, type HoldBounds, isDeviations, type Scheduler } from '../actor/schedule.ts'
import {
  isCount,
  isPositive,
  type NamesOf,
  requireChoice,
  requireCount,
  requireKnown,
  requireSpan,
  requireThat,
  requireTime,
} from '../core/check-options.ts'
import { isObject, type Plain, requirePlain } from '../core/data.ts'
import { OutOfRange } from '../core/error.ts'
import { isTime } from '../core/time.ts'
import type { HostsOptions } from '../distributed/coordinator/coordinator.ts'
import { ENGINES, type EngineName } from '../engine/engine.ts'
import { COUNTS } from '../memory/layout.ts'
import type { Order, Schedule } from '../memory/mailbox.ts'
import { type Line, TRACE_VERSION } from '../trace/lines.ts'
import type { LogOptions } from './record-log.ts'

/** The options of a system, completed by their defaults. */
export interface SystemOptions {
  /** An integer >= 0. */
  readonly seed: number
  /** `threads`: each actor has a thread of its own; `pool`: a few threads have many actors each; `inline`: one thread has all. */
  readonly runtime: 'threads' | 'pool' | 'inline'
  /** Runtime pool: the number of threads; null: as many as the processor runs at a time. Other runtimes ignore it. */
  readonly poolThreads: number | null
  readonly time: 'virtual' | 'real'
  /** Real time: the actors are on these hosts; null: in this process. */
  readonly hosts: HostsOptions | null
  /** The engine that runs the machines. It changes the duration of a run, but no result. */
  readonly engine: EngineName
  /** Real time: milliseconds per unit, > 0. */
  readonly scale: number
  readonly order: Order
  readonly schedule: Schedule
  /** Inline only: a live scheduler, which takes the place of `schedule`. */
  readonly scheduler: Scheduler | null
  readonly network: NetworkOptions
  /** Reliable delivery: mail between machines is acknowledged and retransmitted. Null: lost mail stays lost. */
  readonly reliable: ReliableOptions | null
  /** A file to write the trace to, or `true` to have it only hashed. */
  readonly trace: string | boolean
  /** Keeps the trace in memory, for `System.recorded`: much cheaper than writing it. */
  readonly record: boolean
  /** The most bytes of a trace; a longer one ends with a line that says so. */
  readonly traceBytes: number
  /** The most messages that may wait for one actor; more become dead letters. */
  readonly mailbox: number
  /** The most asks of one actor that may be open; one more fails the step that asks. */
  readonly asks: number
  /** The most messages that one actor may defer; one more fails the step that defers it. */
  readonly deferred: number
  /** The most actors. Room for each takes half a kilobyte from the start on, so the default is 1,023 of at most 131,071. */
  readonly actors: number
  /** Memory for undelivered and unread mail, in MB. */
  readonly memoryMB: number
  /** Virtual time: the most rounds of one run, without system rounds. */
  readonly rounds: number
  /** Virtual time: the most rounds at one instant. A run that has more does not move on in time, and ends. */
  readonly subrounds: number
  /**
   * A step may take this many milliseconds: on threads, and inline in a run of a search, or with option `watched`. On threads in virtual
   * time it is ended after 1 to 1.5 times as long.
   */
  readonly watchdogMs: number
  /** Inline: whether a step that takes longer than `watchdogMs` is ended. To watch takes a thread, and a third of a short run. */
  readonly watched: boolean
  /** Real time: the most computations at the same time. */
  readonly computations: number
  /** The heap of each computation, in MB. Buffers outside of the heap are not limited. */
  readonly computationMB: number
  /** The most data that a computation may return, in MB. */
  readonly resultMB: number
  /** The types of messages between machines to count (see `System.messagesByType`), 16 at most. */
  readonly count: readonly string[]
  /** Prints on stderr which engine runs each module, and why. */
  readonly explain: boolean
  /**
   * Virtual time: lets steps use the clocks, timers and random numbers of the process, so that a run may not repeat. Without
   * it, `Date.now`, `new Date()`, `performance.now`, `setTimeout`, `Math.random`, `crypto.randomUUID` and their like throw
   * inside a step. Inline, these functions are replaced in this process until the last system has stopped; outside of
   * steps they do what they always do.
   */
  readonly impure: boolean
  /**
   * Ends the run with an error where a handler or guard changes its context or event in place, or adds a field to its
   * context. In virtual time, mail to an address that no actor has had, or of a type that no state handles, ends it too.
   */
  readonly strict: boolean
  /** Measures what actors do (see `System.metrics`). It changes no run. */
  readonly metrics: boolean
  /**
   * A log in files of what actors persist. A run with a log that earlier runs have left begins with their records, at the instant
   * of the last of them. Null: what actors persist is in memory alone.
   */
  readonly log: LogOptions | null
  /** Other data that a reader of the trace needs to repeat the run. */
  readonly about: Plain
}

/** The options that a caller gives. Each has a default (see `DEFAULTS`). */
export type SystemInit = Partial<Omit<SystemOptions, 'network' | 'reliable' | 'log'>> & {
  readonly network?: Partial<NetworkOptions>
  /** Fields that are absent follow from the network (see `completeReliable`). */
  readonly reliable?: boolean | Partial<ReliableOptions> | null
  /** The folder of the log, or an object with it. */
  readonly log?: string | (Partial<LogOptions> & Pick<LogOptions, 'folder'>) | null
}

export const DEFAULTS: SystemOptions = {
  seed: 1,
  runtime: 'threads',
  poolThreads: null,
  time: 'virtual',
  hosts: null,
  engine: 'compiled',
  scale: 1,
  order: 'fifo',
  schedule: 'fifo',
  scheduler: null,
  network: PERFECT_NETWORK,
  reliable: null,
  trace: false,
  record: false,
  traceBytes: 2_000_000_000,
  mailbox: 100_000,
  asks: 10_000,
  deferred: 10_000,
  actors: 1023,
  memoryMB: 512,
  rounds: 1_000_000_000,
  subrounds: 1_000_000,
  watchdogMs: 10_000,
  watched: false,
  computations: 256,
  computationMB: 512,
  resultMB: 16,
  count: [],
  explain: false,
  impure: false,
  strict: false,
  metrics: false,
  log: null,
  about: null,
}

/**
 * Completes the options of a system with the defaults, and checks them.
 *
 * @throws OutOfRange that says the option, what it must be, and its value
 */
export function complete(given: SystemInit): SystemOptions {
  requireKnown<SystemInit>('System', given, DEFAULTS)
  if (given.network) requireKnown<Partial<NetworkOptions>>('option network', given.network, PERFECT_NETWORK)
  if (isObject(given.reliable)) requireKnown<Partial<ReliableOptions>>('option reliable', given.reliable, RELIABLE)
  const plain = { ...DEFAULTS, ...given, network: { ...PERFECT_NETWORK, ...given.network } }
  const real = plain.time === 'real' ? plain : null
  const options = {
    ...plain,
    reliable: completeReliable(plain.reliable, plain.network, real),
    log: completeLog(given.log),
  }
  const { network, schedule, reliable, runtime } = options
  requireCount('option seed', options.seed)
  for (const [name, choices] of CHOICES) requireChoice(`option ${name}`, options[name], choices)
  const isSchedule = schedule === 'fifo' || isDeviations(schedule) || isCount(schedule)
  requireThat('option schedule', schedule, isSchedule, 'fifo, an integer >= 0 or deviations')
  const { longest, calm } = boundsOf(options)
  requireSpan('option schedule: the longest hold', longest)
  if (calm !== null) requireTime('option schedule: the calm', calm)
  const late = isDeviations(schedule) ? (schedule.late ?? []) : []
  for (const { by } of late) requireSpan('option schedule: the lateness of a copy', by)
  if (late.length > 0 && options.order === 'causal')
    throw new OutOfRange('option schedule: late copies need order fifo, not causal')
  requireThat('option scale', options.scale, isPositive(options.scale), 'milliseconds > 0')
  for (const name of ['latency', 'jitter'] as const) requireTime(`option network.${name}`, network[name])
  for (const name of ['loss', 'duplicate'] as const) {
    requireThat(`option network.${name}`, network[name], isProbability(network[name]), 'a probability, from 0 to 1')
  }
  requireThat('option reliable', given.reliable, isReliable(given.reliable), 'true, false, null or an object')
  if (reliable) {
    const { timeout, cap } = reliable
    requireSpan('option reliable.timeout', timeout)
    requireThat('option reliable.cap', cap, isTime(cap) && cap >= timeout, 'a time, not less than the timeout')
    for (const name of ['attempts', 'window'] as const) requireCount(`option reliable.${name}`, reliable[name], 1)
    if (options.order === 'causal') {
      throw new OutOfRange('option reliable needs order fifo, not causal, since what is sent again may come late')
    }
  }
  for (const name of ['mailbox', 'asks', 'deferred', 'traceBytes', 'rounds', 'subrounds', 'computations'] as const) {
    requireCount(`option ${name}`, options[name])
  }
  const { actors, memoryMB, watchdogMs, count } = options
  requireThat(
    'option actors',
    actors,
    isCount(actors) && actors >= 1 && actors <= ACTORS_MAX,
    `an integer from 1 to ${ACTORS_MAX}`,
  )
  requireThat(
    'option memoryMB',
    memoryMB,
    isPositive(memoryMB) && memoryMB <= MEMORY_MAX,
    `megabytes > 0 and <= ${MEMORY_MAX}`,
  )
  for (const name of ['computationMB', 'resultMB'] as const) {
    requireThat(`option ${name}`, options[name], isPositive(options[name]), 'megabytes > 0')
  }
  requireThat(
    'option watchdogMs',
    watchdogMs,
    isPositive(watchdogMs) && watchdogMs <= WATCHDOG_MAX,
    `milliseconds > 0 and <= ${WATCHDOG_MAX}`,
  )
  requireThat('option count', count, isCountable(count), `${COUNTS} different types at most`)
  for (const name of ['record', 'explain', 'impure', 'strict', 'metrics', 'watched'] as const) {
    requireThat(`option ${name}`, options[name], typeof options[name] === 'boolean', 'true or false')
  }
  requirePlain('option about', options.about)
  const { trace } = options
  requireThat('option trace', trace, typeof trace === 'boolean' || typeof trace === 'string', 'a file, true or false')
  if (runtime === 'inline' && options.time === 'real') {
    throw new OutOfRange('option runtime must be threads or pool for time real: inline has virtual time only')
  }
  const { poolThreads } = options
  const isPoolSize = poolThreads === null || (isCount(poolThreads) && poolThreads >= 1 && poolThreads <= POOL_MAX)
  requireThat('option poolThreads', poolThreads, isPoolSize, `null or an integer from 1 to ${POOL_MAX}`)
  if (options.hosts && options.time === 'virtual') {
    throw new OutOfRange(`option hosts needs time real, ${HOSTS_NEED_REAL_TIME}`)
  }
  if (options.hosts && runtime !== 'threads') {
    throw new OutOfRange(`option hosts needs runtime threads, ${HOSTS_HAVE_THREADS}`)
  }
  if (options.hosts && options.order === 'causal') {
    throw new OutOfRange(`option hosts needs order fifo, ${HOSTS_ARE_FIFO}`)
  }
  if (options.hosts && options.metrics) {
    throw new OutOfRange(`option metrics needs actors in this process, ${HOSTS_MEASURE_THEMSELVES}`)
  }
  const { scheduler, hosts } = options
  if (scheduler && runtime !== 'inline') throw new OutOfRange(`option scheduler needs runtime inline, not ${runtime}`)
  requireThat('option scheduler', scheduler, !scheduler || typeof scheduler.next === 'function', 'a Scheduler')
  requireThat('option hosts', hosts, hosts === null || isObject(hosts), 'null or an object of HostsOptions')
  return options
}

function completeLog(given: SystemInit['log']): LogOptions | null {
  if (given === undefined || given === null) return null
  const log = { ...LOG, ...(typeof given === 'string' ? { folder: given } : given) }
  requireKnown<Partial<LogOptions>>('option log', log, LOG)
  requireThat('option log', log.folder, typeof log.folder === 'string' && log.folder !== '', 'a folder')
  requireThat('option log.fsync', log.fsync, typeof log.fsync === 'boolean', 'true or false')
  requireCount('option log.bytes', log.bytes)
  return log
}

const LOG: LogOptions = { folder: '', fsync: false, bytes: 1_000_000_000 }

const RELIABLE: NamesOf<ReliableOptions> = { timeout: true, cap: true, attempts: true, window: true }

const CHOICES = [
  ['runtime', ['threads', 'pool', 'inline']],
  ['time', ['virtual', 'real']],
  ['order', ['fifo', 'causal']],
  ['engine', ENGINES],
] as const

export const HOSTS_NEED_REAL_TIME = 'since in virtual time every round would wait for every host'
export const HOSTS_HAVE_THREADS = 'since a host gives each actor a thread of its own'
export const HOSTS_MEASURE_THEMSELVES = 'since the measures of hosts are not brought together'
export const HOSTS_ARE_FIFO = 'since between hosts only the order of each pair of actors is kept'

/** The most actors: a slot is a leaf of trees whose sizes are powers of two. */
export const ACTORS_MAX = 131071
/** The most threads of a pool. */
export const POOL_MAX = 256
/** The most mail memory, in MB: addresses in it have 32 bits. */
export const MEMORY_MAX = 4096

/** The longest timer of Node, in milliseconds. */
const WATCHDOG_MAX = 0x7fff_ffff

const isCountable = (types: unknown): boolean =>
  Array.isArray(types) && types.length <= COUNTS && new Set(types).size === types.length && types.every(isText)

const isText = (value: unknown): boolean => typeof value === 'string'

const isProbability = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1

const isReliable = (value: unknown): boolean =>
  value === undefined || typeof value === 'boolean' || typeof value === 'object'

/** The bounds of the holds of a run. */
export function boundsOf({ schedule, scheduler }: Pick<SystemOptions, 'schedule' | 'scheduler'>): HoldBounds {
  const { bounds } = scheduler ?? (isDeviations(schedule) ? schedule : {})
  return bounds ?? HOLD_BOUNDS
}

/**
 * The first line of a trace: every option that can influence the run, but not the runtime or the engine, which must not. `ends`
 * says that a complete trace has the last line `end`. `run` is the number of runs on the same log before this one.
 */
export function headOf(options: SystemOptions, run = 0): Line {
  const { seed, time, scale, order, schedule, network, reliable, mailbox, asks, deferred, impure, about } = options
  const head = { t: 'trace', version: TRACE_VERSION, seed, time, order, schedule, network, mailbox, about }
  return {
    ...head,
    ...(time === 'real' && { scale }),
    ...(reliable && { reliable }),
    ...(impure && { impure }),
    ...(asks !== DEFAULTS.asks && { asks }),
    ...(deferred !== DEFAULTS.deferred && { deferred }),
    ...(run > 0 && { run }),
    ends: true,
  }
}
