/** What runs the actors of a system, as its options say. */
import type { CellOptions } from '../cell.ts'
import type { Board } from '../memory/board.ts'
import type { Codec } from '../memory/codec.ts'
import { HostsRuntime } from '../nats/run/coordinator.ts'
import type { CrewOptions } from '../runtime/crew.ts'
import { InlineRuntime } from '../runtime/inline.ts'
import { LockStepRuntime } from '../runtime/lock-step.ts'
import { RealTimeRuntime } from '../runtime/real-time.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Rounds } from '../time/rounds.ts'
import type { Recorder } from '../trace/recorder.ts'
import type { SystemOptions } from './options.ts'

export interface RuntimeWith {
  readonly options: SystemOptions
  readonly board: Board
  readonly codec: Codec
  readonly rounds: Rounds
  /** Where the trace is kept, if it is. */
  readonly recorder: Recorder | undefined
  /** Hears of who died unasked. */
  readonly onDeath: CrewOptions['onDeath']
}

export function runtimeOf({ options, board, codec, rounds, recorder, onDeath }: RuntimeWith): Runtime {
  const { runtime, hosts, seed, time, scale, order, schedule, scheduler, network, reliable, count, watchdogMs } =
    options
  const trace = options.trace !== false || recorder !== undefined
  const cells: CellOptions = { seed, time, order, schedule, network, reliable, count, trace }
  if (runtime === 'inline') {
    const inOneThread = { ...(scheduler && { scheduler }), ...(recorder && { journal: recorder }) }
    return new InlineRuntime(board, rounds, codec, { ...cells, ...inOneThread })
  }
  const threads = { watchdogMs, onDeath }
  if (hosts) return new HostsRuntime({ board, codec, cells, threads, scale, hosts })
  if (time === 'virtual') return new LockStepRuntime(board, rounds, cells, threads)
  return new RealTimeRuntime(board, cells, threads, scale)
}
