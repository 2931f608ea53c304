/** All stand still, and who waits takes the place of who has been there longest. */
import type { Decision } from '../../../../lib/actor.ts'
import { replaced } from '../../fold/replacement.ts'
import { allWent } from '../log.ts'
import { ordered } from '../round.ts'
import type { FoldBook } from './book.ts'
import { isCrowded, staying, swap } from './queue.ts'

export const isToSwap = (book: FoldBook): boolean => book.isSwapDue && isCrowded(book)

export function freeze(book: FoldBook): Decision<FoldBook> {
  const [changes, ...effects] = ordered(book, (change) => staying(book).map((job) => [job, { type: 'freeze', change }]))
  return [{ ...changes, isSwapDue: false }, ...effects]
}

export function swapOut(book: FoldBook): Decision<FoldBook> {
  const [by, swapped] = swap(book)
  const [changes, ...effects] = ordered(book, (change) => [...by.keys()].map((job) => [job, { type: 'stop', change }]))
  return [
    { ...swapped, ...changes, leaver: null, steps: [replaced(book.fold, by)] },
    ...allWent(book, by.keys()),
    ...effects,
  ]
}
