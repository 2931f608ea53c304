/** The program of a computation's thread: calls one function of the bundled module, and reports its outcome. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Plain } from '../core/data.ts'
import { requirePlain } from '../core/data.ts'
import { BourseError, LimitPassed } from '../core/error.ts'
import { type Failure, failureOf } from '../core/thrown.ts'
import { blockOf } from '../memory/block.ts'
import { Codec } from '../memory/codec.ts'
import { SHAPES_WORDS } from '../memory/shapes.ts'

export interface ComputeSpec {
  /** The module as the actor named it. */
  readonly module: string
  readonly export: string
  readonly args: readonly Plain[]
  /** The most data that may be returned. */
  readonly resultMB: number
}

/** The last message of the thread; `ms` is the duration of the call. */
export type ComputeReply =
  | { readonly type: 'returned'; readonly result: Plain; readonly ms: number }
  | { readonly type: 'threw'; readonly error: Failure; readonly ms: number }

export async function work(exported: { readonly [name: string]: unknown }): Promise<void> {
  const spec: ComputeSpec = workerData
  const began = performance.now()
  const send = (reply: ComputeReply) => parentPort?.postMessage(reply)
  try {
    const called = exported[spec.export]
    if (typeof called !== 'function') {
      throw new BourseError('BOURSE_COMPUTATION', `${spec.module} exports no function '${spec.export}'`)
    }
    const result: Plain = (await called(...spec.args)) ?? null
    const ms = performance.now() - began
    requireMailable(result, spec.resultMB)
    send({ type: 'returned', result, ms })
  } catch (thrown) {
    // Errors are sent as plain data, since some cannot be cloned, and all lose their class.
    send({ type: 'threw', error: failureOf(thrown), ms: performance.now() - began })
  }
}

/**
 * Checks that a result can be sent to the actor.
 *
 * @throws NotPlainError that names the place inside the result, LimitPassed that names the limit
 */
function requireMailable(result: Plain, limitMB: number): void {
  const block = blockOf(new ArrayBuffer(SHAPES_WORDS * 8))
  block.i32[0] = 1
  requirePlain('result', result)
  const codec = new Codec(block, { pointer: 0, start: 1, end: SHAPES_WORDS })
  const megabytes = (codec.encode({ result }) * 8) / 1024 / 1024
  if (megabytes <= limitMB) return
  throw new LimitPassed(`the result takes ${megabytes.toFixed(1)} MB, more than ${limitMB} (option resultMB)`)
}
