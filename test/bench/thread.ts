/** The program of a thread of a crew (see crew.ts), with a bench's module as its part. */
import { parentPort, workerData } from 'node:worker_threads'

/** Plays a part in one piece, and calls `ready` when it waits for the others. */
export type Player<Order> = (order: Order, ready: () => void) => void | Promise<void>

/** Serves a thread of a crew: makes its player, and plays each piece that is ordered. */
export function work<Seat, Order>(exported: { readonly default: (seat: Seat) => Player<Order> }): void {
  const port = parentPort
  if (!port) throw new Error('a crew plays on threads')
  const player = exported.default(workerData)
  port.on('message', async (order: { readonly play?: Order }) => {
    if (order.play === undefined) return
    await player(order.play, () => port.postMessage('ready'))
    port.postMessage('done')
  })
  port.postMessage('up')
}
