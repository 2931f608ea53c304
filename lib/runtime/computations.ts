/**
 * The computations of all actors, each in a thread of its own. They belong to the main thread, because an actor's thread
 * never turns its event loop and may be ended at any instant. They are threads and not processes, because no thread outlives
 * the process.
 */
import { Worker } from 'node:worker_threads'
import type { Call, ComputationOutcome } from '../actor/effect.ts'
import type { ComputationOrder } from '../actor/pending-computations.ts'
import { isObject } from '../core/data.ts'
import { BourseError, LimitPassed } from '../core/error.ts'
import { failureOf } from '../core/thrown.ts'
import { bundle, locate } from './bundle.ts'
import type { ComputeReply, ComputeSpec } from './compute.ts'

const PROGRAM = new URL('./compute.ts', import.meta.url)

/** One incarnation of one actor. */
export interface Owner {
  readonly slot: number
  readonly incarnation: number
  readonly address: string
}

/** The end of a computation that was not cancelled. */
export interface Ended {
  readonly id: string
  /** The number of the computation, which the order to begin it has as well. */
  readonly n: number
  readonly outcome: ComputationOutcome
  /** The duration of the call, in milliseconds. */
  readonly ms: number
}

export interface ComputationLimits {
  /** The most computations at the same time. */
  readonly computations: number
  readonly computationMB: number
  readonly resultMB: number
}

export class Computations {
  readonly #limits: ComputationLimits
  readonly #mayCall: (call: Call) => boolean
  readonly #onEnd: (owner: Owner, ended: Ended) => void
  /** Functions that end the computations under way, by slot and id. */
  readonly #ends = new Map<number, Map<string, AbortController>>()
  /** The computations whose threads are not gone yet; each promise resolves when its thread is. */
  readonly #all = new Set<Promise<void>>()
  #stopped = false

  /** `mayCall` says whether an actor may have a function called. */
  constructor(
    limits: ComputationLimits,
    mayCall: (call: Call) => boolean,
    onEnd: (owner: Owner, ended: Ended) => void,
  ) {
    this.#limits = limits
    this.#mayCall = mayCall
    this.#onEnd = onEnd
  }

  /** Says whether a computation is under way whose end an actor will hear of. */
  get active(): boolean {
    return this.#ends.size > 0
  }

  carryOut(owner: Owner, order: ComputationOrder): void {
    if (this.#stopped) return // a listener has stopped the system before the rest of its turn
    if ('end' in order) return this.#end(owner.slot, order.end)
    this.#end(owner.slot, order.begin)
    const { begin: id, n, call } = order
    const end = new AbortController()
    const own = this.#ends.get(owner.slot) ?? new Map<string, AbortController>()
    this.#ends.set(owner.slot, own.set(id, end))
    const computation = this.#run(call, `${owner.address} ${id}`, end.signal).then((ended) => {
      this.#all.delete(computation)
      if (end.signal.aborted) return
      this.#forget(owner.slot, id)
      this.#onEnd(owner, { id, n, ...ended })
    })
    this.#all.add(computation)
  }

  /** Ends the computations of an owner that is gone. */
  endAll(slot: number): void {
    for (const id of [...(this.#ends.get(slot)?.keys() ?? [])]) this.#end(slot, id)
  }

  /** Resolves when no thread is left. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const slot of [...this.#ends.keys()]) this.endAll(slot)
    await Promise.all(this.#all)
  }

  #end(slot: number, id: string): void {
    this.#ends.get(slot)?.get(id)?.abort()
    this.#forget(slot, id)
  }

  #forget(slot: number, id: string): void {
    const own = this.#ends.get(slot)
    own?.delete(id)
    if (own?.size === 0) this.#ends.delete(slot)
  }

  /** Calls the function in a fresh thread; resolves when the thread is gone. */
  async #run(call: Call, name: string, signal: AbortSignal): Promise<Run> {
    const { computations, computationMB, resultMB } = this.#limits
    if ([...this.#ends.values()].reduce((sum, { size }) => sum + size, 0) > computations) {
      return failed(new LimitPassed(`more than ${computations} computations at once (option computations)`))
    }
    if (!this.#mayCall(call)) {
      return failed(
        new BourseError(
          'BOURSE_COMPUTATION',
          `actors on hosts may call registered computations only: ${call.module}#${call.export} is none`,
        ),
      )
    }
    try {
      const script = await bundle(call.module, PROGRAM)
      // A cancelled computation gives up its place when its thread is gone.
      while (this.#all.size > computations && !signal.aborted) await Promise.race(this.#all)
      signal.throwIfAborted()
      const spec: ComputeSpec = { ...call, resultMB }
      return await callApart(script, spec, name, computationMB, signal)
    } catch (error) {
      return failed(error)
    }
  }
}

type Run = Omit<Ended, 'id' | 'n'>

function callApart(script: string, spec: ComputeSpec, name: string, heapMB: number, signal: AbortSignal): Promise<Run> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMB }
  const worker = new Worker(script, { name, workerData: spec, execArgv: [], stdout: true, resourceLimits })
  const began = performance.now()
  let run: Run | undefined
  signal.addEventListener('abort', () => void worker.terminate())
  // The stdout of a scenario has only its results.
  worker.stdout.on('data', (text) => process.stderr.write(text))
  worker.on('message', (reply: unknown) => {
    if (!isReply(reply)) return // the function's own
    run = runOf(reply)
    void worker.terminate() // whatever the function has left open
  })
  worker.on('error', (error: unknown) => {
    run ??= failed(isOutOfMemory(error) ? outOfMemory(heapMB) : error, performance.now() - began)
  })
  return new Promise((resolve) => {
    worker.once('exit', (code) => {
      const text = `its thread ended before the function returned (exit code ${code})`
      const ended = new BourseError('BOURSE_COMPUTATION', text)
      resolve(run ?? failed(ended, performance.now() - began))
    })
  })
}

const isReply = (reply: unknown): reply is ComputeReply =>
  isObject(reply) && (reply['type'] === 'returned' || reply['type'] === 'threw')

function runOf(reply: ComputeReply): Run {
  if (reply.type === 'threw') return failed(reply.error, reply.ms)
  return { outcome: { result: reply.result }, ms: reply.ms }
}

function failed(thrown: unknown, ms = 0): Run {
  const failure = failureOf(thrown)
  return { outcome: { error: { ...failure, stack: locate(failure.stack) } }, ms }
}

const isOutOfMemory = (error: unknown): boolean => isObject(error) && error['code'] === 'ERR_WORKER_OUT_OF_MEMORY'

const outOfMemory = (heapMB: number): Error =>
  new LimitPassed(`the computation takes more than ${heapMB} MB (option computationMB)`)
