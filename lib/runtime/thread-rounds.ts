/** The loop of a thread in virtual time: it waits for a round, runs those of its actors that act in it, and commits each. */
import type { Rounds } from '../clock/lockstep.ts'
import { SYSTEM } from '../core/address.ts'
import type { Board } from '../memory/layout.ts'

/** An actor of a thread. */
export interface Seat {
  runRound(phase: number, now: number, subround: number): void
}

/** What a thread needs to run its actors. */
export interface ThreadDeps {
  readonly board: Board
  readonly rounds: Rounds
  /** The number of the thread. */
  readonly thread: number
  /** Its actors by slot. */
  readonly seats: ReadonlyMap<number, Seat>
  /** Takes the orders of the main thread, which may change the `seats`. */
  readonly takeOrders?: () => void
}

/** Runs the actors of the calling thread until the system stops. */
export function workInRounds(deps: ThreadDeps): void {
  const { board, thread, takeOrders } = deps
  const { i32, lead, stop } = board
  const bell = board.bell(thread)
  while (true) {
    // The doorbell first, then the truth: a ring between the two is seen, a doubled one does no harm.
    const rung = Atomics.load(i32, bell)
    if (Atomics.load(i32, stop) === 1) return
    const round = Atomics.load(i32, lead)
    takeOrders?.() // after the round was read: the orders were given before it was committed
    if (round < 0 || !act(deps, round)) Atomics.wait(i32, bell, rung)
  }
}

/** Runs the actors that are active in a round; false if none is. */
function act({ board, rounds, seats }: ThreadDeps, round: number): boolean {
  let acted = false
  // True for each slot that is found active below: until it has finished, the words of its round stay.
  const { phase, now, subround } = rounds.at(round)
  const run = (slot: number, seat: Seat): void => {
    // The next round may have begun: until an active slot has finished, its round goes on.
    if (!rounds.isActive(slot, round)) return
    seat.runRound(phase, now, subround)
    acted = true
    if (rounds.finish(slot, round)) rounds.ringActives(round + 1, slot)
    if (board.int(board.repair) === 1) board.ring(SYSTEM)
  }
  const actives = rounds.activeCount(round)
  if (seats.size <= actives) for (const [slot, seat] of seats) run(slot, seat)
  else {
    for (let i = 0; i < actives; i++) {
      const slot = rounds.active(round, i)
      const seat = seats.get(slot)
      if (seat) run(slot, seat)
    }
  }
  return acted
}
