/** Makes the runtime that the options of a system ask for. */
import type { CellOptions } from '../cell/actor-cell.ts'
import type { Rounds } from '../clock/lockstep.ts'
import { HostsRuntime } from '../distributed/coordinator/coordinator.ts'
import type { Mail } from '../memory/mail.ts'
import { InlineRuntime } from '../runtime/inline.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { LockStepRuntime } from '../runtime/threads-lockstep.ts'
import { RealTimeRuntime } from '../runtime/threads-realtime.ts'
import type { WorkerPoolOptions } from '../runtime/worker-pool.ts'
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
  readonly onDeath: WorkerPoolOptions['onDeath']
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
    return new InlineRuntime(mail, rounds, { ...cells, impure, scheduler: scheduler ?? undefined }, metrics)
  }
  const { board } = mail
  const threads = { watchdogMs, onDeath, metrics }
  if (hosts) return new HostsRuntime({ board, cells, threads, scale, hosts })
  if (time === 'virtual') return new LockStepRuntime(board, rounds, { ...cells, impure }, threads)
  return new RealTimeRuntime(board, cells, threads, scale)
}
