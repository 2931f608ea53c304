/** What the allocator of EQUI is asked and told, whatever is under way. */
import type { Address, Decision, Mail } from '../../../../lib/actor.ts'
import { isSame } from '../../attempt.ts'
import { isIn } from '../../mapping.ts'
import type { Answer, Arrive, Depart, ProcessorDown, Silent } from '../../messages.ts'
import { areaOf } from '../../rectangle.ts'
import { allWent } from '../log.ts'
import * as round from '../round.ts'
import { areaIn, losing } from '../terms.ts'
import { type EquiBook, hasRoom, without } from './book.ts'

const knownIn = ({ running, waiting }: EquiBook, job: Address) => running.get(job) ?? waiting.get(job)

/** Who is there as another than he was let in as has had another incarnation since: that one does not answer any more. */
export function onArrive(book: EquiBook, { from, job, attempt, minimum }: Mail<Arrive>): Decision<EquiBook> {
  const { running, waiting, isStale } = book
  const known = knownIn(book, from)
  if (known && isSame(known, { job, attempt })) return [{}]
  const area = areaIn(book)
  if (!area || minimum > areaOf(area)) return round.vacating(book, from, true)
  return [
    {
      running: without(running, from),
      waiting: new Map(waiting).set(from, { job, attempt }),
      isStale: isStale || running.has(from) || hasRoom(book),
    },
  ]
}

export function onDepart(book: EquiBook, { from, job, attempt }: Mail<Depart>): Decision<EquiBook> {
  const { running, waiting } = book
  const known = knownIn(book, from)
  if (known && !isSame(known, { job, attempt })) return [{}]
  const [changes, ...effects] = round.vacating(book, from, false)
  if (!known) return [changes, ...effects]
  return [
    {
      ...changes,
      running: without(running, from),
      waiting: without(waiting, from),
      isStale: true,
      round: round.without(book.round, from),
    },
    ...allWent(book, [from]),
    ...effects,
  ]
}

/** Whoever has a part of it has lost threads. */
export function onDown(book: EquiBook, mail: Mail<ProcessorDown>): Decision<EquiBook> {
  const { down, partitions, running, failed } = book
  const [place, ...effects] = losing(book, mail)
  if (!place) return [{}, ...effects]
  const losers = partitions.flatMap(({ job, partition }) => (running.has(job) && isIn(partition, place) ? [job] : []))
  return [{ down: [...down, place], failed: new Set([...failed, ...losers]), isStale: true }, ...effects]
}

/** It was taken for dead, and lives: what it has is others'. */
export const onStranger = (book: EquiBook, { from, of }: Mail<Answer>): Decision<EquiBook> =>
  of === null || knownIn(book, from) ? [{}] : round.vacating(book, from, true)

export const onSilent = ({ running, isStale }: EquiBook, { leader }: Silent): Decision<EquiBook> => [
  { isStale: isStale || running.has(leader) },
]
