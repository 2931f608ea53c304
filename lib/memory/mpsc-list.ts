/**
 * The list of linked records of a slot: a lock-free stack with many producers and one consumer (MPSC), after Treiber
 * (1986). The consumer takes the whole list with one atomic exchange, so the ABA problem cannot occur.
 */

import type { Board } from './layout.ts'
import { CHAIN, NEXT } from './record.ts'

/**
 * Pushes a record; any number of threads may do so at the same time. A record that is pushed after this one was seen is
 * taken after it. True if the list was empty.
 */
export function push(board: Board, slot: number, at: number): boolean {
  const { i32, head } = board
  for (let top = Atomics.load(i32, head + slot); ; ) {
    i32[2 * at + NEXT] = top
    const found = Atomics.compareExchange(i32, head + slot, top, at)
    if (found === top) return top === 0
    top = found
  }
}

/** Takes all records, the first one pushed first. */
export function takeAll(board: Board, slot: number): number[] {
  const { i32, head } = board
  const taken: number[] = []
  for (let at = Atomics.exchange(i32, head + slot, 0); at !== 0; at = i32[2 * at + NEXT] ?? 0) taken.push(at)
  return taken.reverse()
}

/** Says whether a record is in the list of a slot. Only the consumer of that list may ask. */
export function isListed({ i32, head }: Board, slot: number, at: number): boolean {
  for (let linked = Atomics.load(i32, head + slot); linked !== 0; linked = i32[2 * linked + NEXT] ?? 0) {
    if (linked === at) return true
  }
  return false
}

/** The record that the same step sent after this one; 0 if it is the last. */
export const nextOfStep = (board: Board, at: number): number => board.i32[2 * at + CHAIN] ?? 0
