/** A slot's list of linked records: any number push, one takes all. */

import { CHAIN, NEXT } from './envelope.ts'
import type { Board } from './layout.ts'

/**
 * Links a record, whoever else does so at the same time. What is pushed after it was seen is taken after it. True if it
 * is the first since all were taken.
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

/** Takes everything, first linked first. The exchange is one word, so nobody loses mail to it. */
export function takeAll(board: Board, slot: number): number[] {
  const { i32, head } = board
  const taken: number[] = []
  for (let at = Atomics.exchange(i32, head + slot, 0); at !== 0; at = i32[2 * at + NEXT] ?? 0) taken.push(at)
  return taken.reverse()
}

/** Is a record in the list of a slot, seen by the one who takes from it? */
export function isListed({ i32, head }: Board, slot: number, at: number): boolean {
  for (let linked = Atomics.load(i32, head + slot); linked !== 0; linked = i32[2 * linked + NEXT] ?? 0) {
    if (linked === at) return true
  }
  return false
}

/** The record that the same step sent after this one; 0 if it is the last. */
export const nextOfStep = (board: Board, at: number): number => board.i32[2 * at + CHAIN] ?? 0
