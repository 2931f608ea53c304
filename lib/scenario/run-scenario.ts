/** One run of a system under a plan of faults; the result has its end, its messages and its deaths. */
import { type Address, parentOf } from '../core/address.ts'
import type { Message } from '../core/data.ts'
import { BourseError, type ErrorCode } from '../core/error.ts'
import { counted } from '../core/format.ts'
import type { Time } from '../core/time.ts'
import { EndlessStep } from '../runtime/inline.ts'
import type { Metrics } from '../system/metrics.ts'
import { type RunEnd, System, type SystemInit } from '../system/system.ts'
import { Hearing } from './breaking-facts.ts'
import type { ShownAs } from './command.ts'
import { planFaults, requireConditions } from './fault-injector.ts'
import type { Fault } from './faults.ts'
import { crashText, type Oracle } from './oracle.ts'
import { outcomeOf, type RunOutcome } from './outcome.ts'

/** Callbacks during a run. */
export interface Hooks {
  /** Called with the system as soon as there is one, so that an interrupt can stop it and a page can show it. */
  readonly onSystem?: ((system: System, shown?: ShownAs) => void) | undefined
  /** Called when a task (or job) is over, with the number of tasks that are. */
  readonly onDone?: ((done: number) => void) | undefined
  /** Called with each line of news; see `Definition`. */
  readonly onNews?: ((text: string) => void) | undefined
  /** Another folder of modules to take the actors from. */
  readonly actors?: URL | undefined
}

export interface RunRequest<W> extends Hooks {
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  /** The end of the run (default: when nothing is left to do). */
  readonly until?: Time | undefined
  /** The instant after which no fault happens; see `Definition`. */
  readonly calm?: Time | undefined
  /** Whether a fact says that a task (or job) is over. */
  readonly isDone?: ((fact: Message, who: Address) => boolean) | undefined
  /** Whether the caller stopped the system on purpose, so that the run until then has a result. */
  readonly isStopped?: (() => boolean) | undefined
  /** Spawns all actors, adds further listeners, and returns what judges the run. */
  readonly open: (system: System) => Promise<W>
  /** Makes an oracle that has heard nothing. With it the trace tells the facts that broke promises of safety. */
  readonly judge?: ((system: System) => Oracle) | undefined
}

/**
 * How a run ended; `memory`: its mail, or the shapes of its messages, filled the memory (option `memoryMB`); `step`: a step of an actor
 * took longer than it may (option `watchdogMs`).
 */
export type ScenarioEnd =
  | RunEnd
  | (Omit<RunEnd, 'ended' | 'limit'> & { readonly ended: 'memory' | 'step'; readonly limit: string })

export interface RunResult extends RunOutcome {
  readonly end: ScenarioEnd
  /** The number of messages between machines, as papers count them. */
  readonly messages: number
  /** The number of messages of each type in option `count`. */
  readonly messagesByType: ReadonlyMap<string, number>
  readonly deadLetters: ReadonlyMap<string, number>
  /** The number of steps whose event no transition took. */
  readonly unhandled: number
  /** The number of messages to an address or group that no actor has had. */
  readonly misaddressed: number
  /** Actors that crashed, with the causes. */
  readonly crashes: readonly string[]
  /** Faults that happened while they could still change the run. */
  readonly struck: readonly Fault[]
  /** All other faults: they never happened, or the run was over by then, or their actors were. */
  readonly missed: readonly Fault[]
  readonly steps: number
  readonly rounds: number
  /** How many events a schedule would have held back beyond its bounds. */
  readonly cutHolds: number
  readonly traceHash: string
  /** The numbers of the actors, with option `metrics`. */
  readonly metrics?: Metrics | undefined
}

/** The result of a run with its oracle. */
export type Judged<W> = RunResult & { readonly oracle: W }

/**
 * Opens, runs and stops a system.
 *
 * @throws UsageError for a fault that waits for a state that no machine of its actors has
 * @throws BourseError BOURSE_STOPPED if the system is stopped before its run ends, for instance by an interrupt
 */
export async function runScenario<W>(request: RunRequest<W>): Promise<Judged<W>> {
  const { options, faults, until, calm, isDone, isStopped, open, judge, onSystem, onDone } = request
  const system = new System(options)
  onSystem?.(system)
  const crashes: string[] = []
  system.onDeath(({ address, cause }) => {
    // the crash of a child is the business of its parent, which is told of it
    const isExpected = cause.name === 'Killed' || parentOf(address) !== undefined
    if (!isExpected) crashes.push(crashText(address, cause.name, cause.message))
  })
  let done = 0
  if (onDone) system.onFact((fact, { who }) => isDone?.(fact, who) && onDone(++done))
  const { trace, record } = system.options
  const hearing = judge && (trace !== false || record) ? new Hearing(system) : undefined
  try {
    const oracle = await open(system)
    hearing?.begun(system)
    await requireConditions(system, faults)
    const outstanding = planFaults(system, faults, calm)
    const end = await system.run(until === undefined ? {} : { until }).catch((error) => endWithin(system, error))
    // half a run has no result: nothing may judge it, print it or write it
    if (end.ended === 'stopped' && !isStopped?.()) {
      throw new BourseError('BOURSE_STOPPED', 'the system was stopped before its run ended')
    }
    const { messages, messagesByType, deadLetters, unhandled, misaddressed, steps, rounds, cutHolds } = system
    const isIdle = end.ended === 'idle'
    const isSettled = isIdle || (end.ended === 'until' && calm !== undefined)
    const ending = { ...outcomeOf(system), isIdle, isSettled }
    if (hearing && judge) for (const line of hearing.broken(oracle, () => judge(system), ending)) system.note(line)
    const metrics = system.options.metrics ? system.metrics() : undefined
    await system.stop()
    const { traceHash } = system
    const missed = outstanding()
    const struck = faults.filter((fault) => !missed.includes(fault))
    const counts = {
      messages,
      messagesByType,
      deadLetters,
      unhandled,
      misaddressed,
      steps,
      rounds,
      cutHolds,
      traceHash,
      metrics,
    }
    return { ...ending, ...counts, end, crashes, struck, missed, oracle }
  } finally {
    await system.stop()
  }
}

/** The errors of a run that has filled its memory. */
const FULL: ReadonlySet<ErrorCode> = new Set(['BOURSE_DEFINITIONS_FULL', 'BOURSE_MAIL_MEMORY_FULL'])

/** The end of a run that has filled its memory, or has a step that does not end. @throws any other error */
function endWithin(system: System, error: unknown): ScenarioEnd {
  if (error instanceof EndlessStep) return { ended: 'step', now: system.now, limit: error.message, waiting: [] }
  if (!(error instanceof BourseError && FULL.has(error.code))) throw error
  const limit = error.code === 'BOURSE_MAIL_MEMORY_FULL' ? `${error.message}; ${mostMail(system)}` : error.message
  return { ended: 'memory', now: system.now, limit, waiting: [] }
}

/** Says for which actor the most messages wait, in its mailbox or deferred. */
function mostMail(system: System): string {
  const waiting = system.counts().map(({ address, mailbox, deferred }) => ({ address, mail: mailbox + deferred }))
  const most = waiting.reduce((one, other) => (other.mail > one.mail ? other : one))
  return `most mail waits for ${most.address}: ${counted(most.mail, 'message')}`
}
