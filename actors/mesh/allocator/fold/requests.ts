/** What the allocator of FOLD is asked and told, whatever is under way. */
import type { Decision, Mail } from '../../../../lib/actor.ts'
import { isSame } from '../../attempt.ts'
import type { Arrive, Depart, Done, ProcessorDown, Silent } from '../../messages.ts'
import { areaOf } from '../../rectangle.ts'
import { vacating } from '../round.ts'
import { areaIn, losing } from '../terms.ts'
import type { FoldBook } from './book.ts'
import { asking, withdrawn } from './queue.ts'

/** Who is there as another than he was let in as has had another incarnation since. */
export function onArrive(book: FoldBook, { from, job, attempt, minimum }: Mail<Arrive>): Decision<FoldBook> {
  const member = book.members.get(from)
  if (member && isSame(member, { job, attempt })) return [{}]
  const area = areaIn(book)
  if (area === null || minimum > areaOf(area)) return vacating(book, from, true)
  const [changes] = asking(book, { is: 'arrival', of: from, attempt: { job, attempt } })
  return [{ ...changes, isInDoubt: book.isInDoubt || member !== undefined }]
}

export function onDepart(book: FoldBook, { from, job, attempt }: Mail<Depart>): Decision<FoldBook> {
  const member = book.members.get(from)
  if (member && !isSame(member, { job, attempt })) return [{ isInDoubt: true }]
  if (member) return asking(book, { is: 'departure', of: from })
  const [changes, ...effects] = vacating(book, from, false)
  return [{ ...changes, requests: withdrawn(book, from) }, ...effects]
}

export const onDue = (book: FoldBook): Decision<FoldBook> => asking(book, { is: 'rotation' })

export const onSilent = ({ members, isInDoubt }: FoldBook, { leader }: Silent): Decision<FoldBook> => [
  { isInDoubt: isInDoubt || members.has(leader) },
]

export function onDown(book: FoldBook, mail: Mail<ProcessorDown>): Decision<FoldBook> {
  const [place, ...effects] = losing(book, mail)
  return [place ? { down: [...book.down, place], isInDoubt: true } : {}, ...effects]
}

/** It was taken for dead, and lives: what it has is others'. */
export const onStranger = (book: FoldBook, { from, holds }: Mail<Done>): Decision<FoldBook> =>
  holds.cells.length === 0 || book.members.has(from) ? [{}] : vacating(book, from, true)
