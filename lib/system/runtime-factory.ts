/** Makes the runtime that the options of a system ask for. */
import type { CellOptions } from '../cell/actor-cell.ts'
import type { Rounds } from '../clock/lockstep.ts'
import { HostsRuntime } from '../distributed/coordinator/coordinator.ts'
import type { Codec } from '../memory/codec.ts'
import type { Board } from '../memory/layout.ts'
import { InlineRuntime } from '../runtime/inline.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { LockStepRuntime } from '../runtime/threads-lockstep.ts'
import { RealTimeRuntime } from '../runtime/threads-realtime.ts'
import type { WorkerPoolOptions } from '../runtime/worker-pool.ts'
import type { Recorder } from '../trace/recorder.ts'
import type { SystemOptions } from './options.ts'

export interface RuntimeDeps {
  readonly options: SystemOptions
  readonly board: Board
  readonly codec: Codec
  readonly rounds: Rounds
  /** Keeps the trace in memory, with option `record`. */
  readonly recorder: Recorder | undefined
  /** Called when a thread ends unasked. */
  readonly onDeath: WorkerPoolOptions['onDeath']
}

export function runtimeOf({ options, board, codec, rounds, recorder, onDeath }: RuntimeDeps): Runtime {
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
  const trace = options.trace !== false || recorder !== undefined
  const cells: CellOptions = { seed, time, order, schedule, network, reliable, count, asks, deferred, trace, strict }
  if (runtime === 'inline') {
    const inOneThread: CellOptions = { ...cells, impure, scheduler: scheduler ?? undefined, localLog: recorder }
    return new InlineRuntime(board, rounds, codec, inOneThread)
  }
  const threads = { watchdogMs, onDeath }
  if (hosts) return new HostsRuntime({ board, codec, cells, threads, scale, hosts })
  if (time === 'virtual') return new LockStepRuntime(board, rounds, { ...cells, impure }, threads)
  return new RealTimeRuntime(board, cells, threads, scale)
}
