/** Whenever it does not know who has what the allocator of FOLD asks all, and plans from what they say (section 8). */
import { type Address, type Decision, observe, tell } from '../../../../lib/actor.ts'
import type { Fold } from '../../fold/fold.ts'
import { recovery } from '../../fold/recovery.ts'
import { isIn } from '../../mapping.ts'
import { wholeOf } from '../../mesh.ts'
import type { Rectangle } from '../../rectangle.ts'
import { allWent } from '../log.ts'
import { givenUp, membersOf, reportsOf } from '../reports.ts'
import { ordered, silentIn } from '../round.ts'
import { areaIn } from '../terms.ts'
import type { FoldBook, FoldFact } from './book.ts'
import { leftBy, type Request } from './queue.ts'

/** Who is on the mesh says what it has. */
export function ask(book: FoldBook): Decision<FoldBook> {
  const [changes, ...effects] = ordered(book, (change) =>
    [...book.members.keys()].map((job) => [job, { type: 'report', change }]),
  )
  return [{ ...changes, isInDoubt: false }, ...effects, observe({ type: 'asked' } satisfies FoldFact)]
}

/** Who is silent is dead; who leads another job is gone; the others go on from where they are, if they can. */
export function recover(book: FoldBook): Decision<FoldBook> {
  const { mesh, down, round, coming, leaver } = book
  const answering = membersOf(book.members, round.answers)
  const reports = reportsOf(answering, round.answers)
  const area = areaIn(book)
  const isLost = (cell: Rectangle) => down.some((place) => isIn(cell, place))
  const failed = reports.filter(({ cells }) => area === null || cells.some(isLost)).map(({ job }) => job)
  const steps = recovery(area ?? wholeOf(mesh), reports, new Set(failed))
  const put = new Set([...(steps.at(-1)?.fold.rings ?? []).flatMap(ownersIn), ...failed])
  const gone = [...book.members.keys()].filter((job) => !put.has(job))
  const left = leftBy(book, gone)
  const asked: readonly Request[] = [
    ...(leaver !== null && put.has(leaver) ? [{ is: 'departure' as const, of: leaver }] : []),
    ...[...answering, ...coming].flatMap(([of, attempt]): Request[] =>
      put.has(of) || (book.members.has(of) && !answering.has(of)) ? [] : [{ is: 'arrival', of, attempt }],
    ),
    ...left.requests,
  ]
  const refused = area === null ? asked.flatMap((one) => (one.is === 'arrival' ? [one.of] : [])) : []
  const requests = asked.filter((one) => one.is !== 'arrival' || !refused.includes(one.of))
  const isAnew = steps.some(({ orders }) => orders.some(({ type }) => type === 'start'))
  return [
    { members: left.members, requests, steps, coming: new Map(), leaver: null },
    ...allWent(book, gone),
    ...givenUp(silentIn(round), book.change + 1),
    ...refused.map((job) => tell(job, { type: 'vacate', change: book.change + 1, isFailed: true })),
    observe({ type: 'planned', isAnew } satisfies FoldFact),
  ]
}

const ownersIn = ({ stretches }: Fold['rings'][number]): readonly Address[] =>
  stretches.flatMap(({ owner }) => owner ?? [])
