/**
 * The threads of runtime `pool`: a fixed number, each with many actors. All actors of a machine are on one thread. It depends on
 * the name of the machine alone which thread that is.
 */

import type { CellOptions } from '../cell/actor-cell.ts'
import { type Address, machineOf } from '../core/address.ts'
import { isObject } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { keyed } from '../core/random.ts'
import { errorOf } from '../core/thrown.ts'
import type { Board } from '../memory/layout.ts'
import { bundle, programOf } from './bundle.ts'
import type { PoolAnswer, PoolOrder } from './pool-worker.ts'
import type { Cause, SpawnSpec } from './runtime.ts'
import { causeOf, type Thread, Threads, type ThreadsOptions } from './threads.ts'

const WORKER = new URL('./pool-worker.ts', import.meta.url)
const MODULE = new URL('./pool-module.ts', import.meta.url)

interface PoolThread {
  readonly thread: Thread
  /** The names of the engines of the programs that it has loaded. */
  readonly engines: Map<string, string>
  /** The orders that are not answered yet, by number. */
  readonly asked: Map<number, Asked>
}

interface Asked {
  /** Whether the thread is loading the module of an actor for this order. */
  isLoading: boolean
  /** Called at once, since the end of the thread may be told directly after the answer. */
  readonly resolve: (engine: string | null) => void
  readonly reject: (error: Error) => void
}

export class PoolThreads extends Threads {
  readonly #count: number
  readonly #pool = new Map<number, PoolThread>()
  #orders = 0

  /** `count` is the number of threads; each starts with its first actor. */
  constructor(board: Board, cells: CellOptions, options: ThreadsOptions, count: number) {
    super(board, cells, options)
    this.#count = count
  }

  async start(who: SpawnSpec): Promise<string> {
    const [script, program] = await Promise.all([bundle(WORKER, WORKER), bundle(who.module, MODULE).then(programOf)])
    if (this.isStopping) throw new BourseError('BOURSE_STOPPED', 'the system has stopped')
    const { slot, incarnation, address } = who
    const number = placeOf(address, this.#count)
    const pooled = this.#pool.get(number) ?? this.#open(number, script)
    this.board.set(this.board.thread + slot, number)
    // A first incarnation of a known module cannot fail. A later one frees the drafts of the earlier, before others write.
    const isSure = incarnation === 0 ? pooled.engines.get(program) : undefined
    if (isSure !== undefined) {
      this.#order(pooled, number, { type: 'seat', program, who, n: null })
      pooled.thread.seats.set(slot, incarnation)
      return isSure
    }
    const isShared = pooled.thread.seats.size > 0
    try {
      const engine = String(await this.#load(pooled, number, program, who))
      pooled.engines.set(program, engine)
      return engine
    } catch (error) {
      // In real time another actor may have ended the thread meanwhile. The next thread shows whether this one does.
      const isEnded = this.#pool.get(number) !== pooled
      if (isShared && isEnded) return this.start(who)
      throw error
    }
  }

  #open(number: number, script: string): PoolThread {
    const asked = new Map<number, Asked>()
    const thread = this.open(number, {
      script,
      name: `pool thread ${number}`,
      data: { thread: number },
      onMessage: (message) => {
        if (isAnswer(message)) settle(asked, message)
      },
      onEnd: (why) => {
        if (this.#pool.get(number) === pooled) this.#pool.delete(number)
        for (const { reject } of asked.values()) reject(errorOf(why))
      },
    })
    const pooled: PoolThread = { thread, engines: new Map(), asked }
    this.#pool.set(number, pooled)
    return pooled
  }

  /** Orders an actor of a program that the thread may have to load; resolves with the name of its engine. */
  #load(pooled: PoolThread, number: number, program: string, who: SpawnSpec): Promise<string | null> {
    const { seats } = pooled.thread
    const hasLoaded = this.expectLoading(pooled.thread, who.address)
    const seated = () => void seats.set(who.slot, who.incarnation)
    return this.#ask(pooled, number, (n) => ({ type: 'seat', program, who, n }), seated).finally(hasLoaded)
  }

  /** Gives an order and waits for the answer. `onDone` is called when the order is carried out. */
  #ask(
    pooled: PoolThread,
    number: number,
    order: (n: number) => PoolOrder,
    onDone: () => void,
  ): Promise<string | null> {
    const n = this.#orders++
    const answered = new Promise<string | null>((resolve, reject) => {
      const done = (engine: string | null): void => {
        onDone()
        resolve(engine)
      }
      pooled.asked.set(n, { isLoading: false, resolve: done, reject })
    })
    this.#order(pooled, number, order(n))
    return answered
  }

  #order({ thread }: PoolThread, number: number, order: PoolOrder): void {
    thread.worker.postMessage(order)
    this.board.ring(number)
  }

  override isLoading(number: number): boolean {
    const asked = [...(this.#pool.get(number)?.asked.values() ?? [])]
    return super.isLoading(number) || asked.some(({ isLoading }) => isLoading)
  }

  /** Ends an actor. Its thread goes on. In real time the actor may be inside a step, so the thread is waited for. */
  async kill(slot: number): Promise<void> {
    const number = this.board.threadOf(slot)
    const pooled = this.#pool.get(number)
    if (!pooled?.thread.seats.has(slot)) return
    const unseated = () => void pooled.thread.seats.delete(slot)
    if (this.cells.time === 'virtual') {
      this.#order(pooled, number, { type: 'unseat', slot, n: null })
      return unseated()
    }
    // if the thread ends instead, the actor has ended, too
    await this.#ask(pooled, number, (n) => ({ type: 'unseat', slot, n }), unseated).catch(() => {})
  }

  protected override causeFor(why: Cause): Cause {
    return { ...why, message: `${why.message}; it shared its thread with other actors (runtime pool)` }
  }
}

/** The number of the thread of an actor, from 1. */
const placeOf = (address: Address, count: number): number =>
  1 + Math.floor(count * keyed(0, 'pool thread', machineOf(address)))

const isAnswer = (message: unknown): message is PoolAnswer => isObject(message) && typeof message['n'] === 'number'

function settle(asked: Map<number, Asked>, answer: PoolAnswer): void {
  const order = asked.get(answer.n)
  if (!order) return
  if ('isLoading' in answer) {
    order.isLoading = true
    return
  }
  asked.delete(answer.n)
  if ('engine' in answer) order.resolve(answer.engine)
  else order.reject(errorOf(causeOf(answer.thrown)))
}
