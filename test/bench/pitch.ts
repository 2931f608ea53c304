/** The threads of the benches of messages: a hub and leaves, joined by the board and by direct ports. */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Board } from '../../lib/memory/layout.ts'
import { Crew } from './crew.ts'
import type { Cost } from './measure.ts'
import { TRANSPORT_SIZE, type TransportOrder, type TransportSeat } from './threads/transport.ts'
import { Words } from './words.ts'

export const HUB = 1

/** Gives each thread its order by its slot, opens the gate when all are ready, and waits for the end. */
export type Play = (orders: ReadonlyMap<number, TransportOrder>) => Promise<Cost>

/** Runs `use` with threads in slots HUB + 1, ... around one in slot HUB. */
export async function withPitch<T>(
  leaves: number,
  use: (play: Play, leaves: readonly number[]) => Promise<T>,
): Promise<T> {
  const { buffer } = Board.create(TRANSPORT_SIZE, true).i32
  if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('threads need a shared board')
  const shared = Words.buffer(64)
  const words = new Words(shared)
  const slots = Array.from({ length: leaves }, (_, i) => HUB + 1 + i)
  const hubPorts = new Map<number, MessagePort>()
  const seat = (slot: number, ports: Map<number, MessagePort>) => ({
    seat: { slot, buffer, size: TRANSPORT_SIZE, words: shared, ports },
    transfer: [...ports.values()],
  })
  const leafSeats = slots.map((slot) => {
    const { port1, port2 } = new MessageChannel()
    hubPorts.set(slot, port1)
    return seat(slot, new Map([[HUB, port2]]))
  })
  const crew = await Crew.open<TransportSeat, TransportOrder>('transport.ts', [seat(HUB, hubPorts), ...leafSeats])
  const play: Play = (orders) => {
    words.close()
    for (let word = 0; word < 64; word++) words.set(word, 0)
    return crew.play(
      [HUB, ...slots].map((slot) => orders.get(slot)),
      () => words.open(),
    )
  }
  try {
    return await use(play, slots)
  } finally {
    await crew.close()
  }
}
