/** A crew of threads for benchmarks: each plays its part of a piece on demand, and the same threads can play many pieces. */
import { type Transferable, Worker } from 'node:worker_threads'
import { bundle } from '../../lib/runtime/bundle.ts'
import { type Cost, costOf } from './measure.ts'

/** The number of threads that start at the same time; more would only delay each other. */
const STARTING_MAX = 4

export interface Part<Seat> {
  readonly seat: Seat
  readonly transfer?: readonly Transferable[]
}

export class Crew<Order> {
  readonly workers: readonly Worker[]
  readonly #failed: Promise<never>

  private constructor(workers: readonly Worker[]) {
    this.workers = workers
    this.#failed = new Promise((_, reject) => {
      for (const worker of workers) worker.once('error', reject)
    })
    this.#failed.catch(() => {})
  }

  /** Starts a thread for each part, which runs the default export of `module` on its seat (see thread.ts). */
  static async open<Seat, Order>(module: string, parts: readonly Part<Seat>[]): Promise<Crew<Order>> {
    const script = await bundle(new URL(`threads/${module}`, import.meta.url), new URL('thread.ts', import.meta.url))
    const workers: Worker[] = []
    for (let i = 0; i < parts.length; i += STARTING_MAX) {
      const some = parts
        .slice(i, i + STARTING_MAX)
        .map(
          ({ seat, transfer = [] }) =>
            new Worker(script, { workerData: seat, transferList: [...transfer], execArgv: [] }),
        )
      workers.push(...some)
      await Promise.all(some.map((worker) => said(worker, 'up')))
    }
    return new Crew(workers)
  }

  /** Lets all threads take their parts, and then runs `conduct`. Returns the cost up to the end of the last part. */
  async play(orders: readonly (Order | undefined)[], conduct: () => void | Promise<void>): Promise<Cost> {
    const players = this.workers.flatMap((worker, i) => {
      const order = orders[i]
      return order === undefined ? [] : [{ worker, order }]
    })
    const ready = Promise.all(players.map(({ worker }) => said(worker, 'ready')))
    const done = Promise.all(players.map(({ worker }) => said(worker, 'done')))
    for (const { worker, order } of players) worker.postMessage({ play: order })
    await Promise.race([ready, this.#failed])
    return costOf(async () => {
      await Promise.race([conduct(), this.#failed])
      await Promise.race([done, this.#failed])
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }
}

const said = (worker: Worker, what: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const listen = (word: unknown) => {
      if (word !== what) return
      worker.off('message', listen)
      worker.off('error', reject)
      resolve()
    }
    worker.on('message', listen)
    worker.once('error', reject)
  })
