/** Makes the runtime that the options of a system ask for. */
import { availableParallelism } from 'node:os'
import { isDeviations } from '../actor/schedule.ts'
import type { CellOptions } from '../cell/actor-cell.ts'
import type { Rounds } from '../clock/lockstep.ts'
import { HostsRuntime } from '../distributed/coordinator/coordinator.ts'
import type { Mail } from '../memory/mail.ts'
import { ActorThreads } from '../runtime/actor-threads.ts'
import { InlineRuntime } from '../runtime/inline.ts'
import { PoolThreads } from '../runtime/pool-threads.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ThreadsOptions } from '../runtime/threads.ts'
import { LockStepRuntime } from '../runtime/threads-lockstep.ts'
import { RealTimeRuntime } from '../runtime/threads-realtime.ts'
import type { SystemOptions } from './options.ts'

export interface RuntimeDeps {
  readonly options: SystemOptions
  /** The number of runs on the same log before this one. */
  readonly run: number
  readonly mail: Mail
  readonly rounds: Rounds
  /** The memory of the measures, with option `metrics`. */
  readonly metrics: ArrayBufferLike | undefined
  /** Called when a thread ends unasked. */
  readonly onDeath: ThreadsOptions['onDeath']
}

export function runtimeOf({ options, run, mail, rounds, metrics, onDeath }: RuntimeDeps): Runtime {
  const {
    runtime,
    hosts,
    seed,
    time,
    scale,
    order,
    schedule,
    scheduler,
    network,
    reliable,
    count,
    asks,
    deferred,
    watchdogMs,
    watched,
    impure,
    strict,
  } = options
  const trace = options.trace !== false || options.record
  const cells: CellOptions = {
    seed,
    run,
    time,
    order,
    schedule,
    network,
    reliable,
    count,
    asks,
    deferred,
    trace,
    strict,
  }
  if (runtime === 'inline') {
    // a search, or the repetition of a run that it has found
    const isWatched = scheduler ? scheduler.isWatched !== false : watched || isDeviations(schedule)
    const own = { impure, scheduler: scheduler ?? undefined, watchdogMs: isWatched ? watchdogMs : null }
    return new InlineRuntime(mail, rounds, { ...cells, ...own }, metrics)
  }
  const { board } = mail
  const threads = { watchdogMs, onDeath, metrics }
  if (hosts) return new HostsRuntime({ board, cells, threads, scale, hosts })
  const local = { ...cells, impure }
  const most = Math.min(options.poolThreads ?? availableParallelism(), options.actors)
  const threadsOf = (own: ThreadsOptions) =>
    runtime === 'pool' ? new PoolThreads(board, local, own, most) : new ActorThreads(board, local, own)
  return time === 'real'
    ? new RealTimeRuntime(board, threads, scale, threadsOf)
    : new LockStepRuntime(board, rounds, threads, threadsOf)
}
