/**
 * The steps of a change under EQUI: all jobs stop, move and continue. Waiting jobs may take the place of running ones.
 */
import { type Address, type Decision, draw, type Effect, observe, tell } from '../../../../lib/actor.ts'
import { dealt, equi } from '../../equi.ts'
import { exponentsOf } from '../../fold/cells.ts'
import { wholeOf } from '../../mesh.ts'
import type { Attempt, Order } from '../../messages.ts'
import type { Rectangle } from '../../rectangle.ts'
import { givenUp, membersOf, type Ordering, ordered, silentIn } from '../round.ts'
import { allCame, allWent, areaIn, awaitSwap, type Members, swapped } from '../terms.ts'
import { type EquiBook, type EquiFact, type Owned, roomIn, without } from './book.ts'

const ordering = (
  book: EquiBook,
  jobs: Members,
  orderOf: (job: Address, change: number, of: Attempt) => Order,
): readonly [Ordering, ...Effect[]] =>
  ordered(book, (change) => [...jobs].map(([job, of]) => [job, orderOf(job, change, of)]))

export const freeze = (book: EquiBook): Decision<EquiBook> =>
  ordering(book, book.running, (job, change) =>
    book.failed.has(job) ? { type: 'vacate', change, isFailed: true } : { type: 'freeze', change },
  )

/** The members that answered for the job they were admitted with. All others are gone. */
function present(book: EquiBook): readonly [Members, readonly Effect[]] {
  const { running, round, change } = book
  const here = membersOf(running, round.answers)
  const gone = [...running.keys()].filter((job) => round.orders.has(job) && !here.has(job))
  return [without(running, ...gone), [...allWent(book, gone), ...givenUp(silentIn(round), change + 1)]]
}

/** Divides the mesh among running and waiting jobs, except for those that have lost a processor. */
export function deal(book: EquiBook): Decision<EquiBook> {
  const { change, deal, failed, mesh } = book
  const area = areaIn(book)
  const [staying, went] = present(book)
  const lost = new Map([...staying].filter(([job]) => failed.has(job)))
  const all = [...without(staying, ...failed), ...book.waiting]
  const inside = new Map(all.slice(0, roomIn(book)))
  const outside = new Map(all.slice(roomIn(book)))
  const stopped = new Map([...outside].filter(([job]) => staying.has(job)))
  const partitions = area ? cut(area, dealt([...inside.keys()], deal, drawn('deal', change))) : []
  const put = new Map(partitions.map(({ job, partition }) => [job, partition]))
  const [changes, ...effects] = ordering(book, new Map([...inside, ...stopped, ...lost]), (job, change, of) => {
    const partition = put.get(job)
    if (partition) return { type: 'remap', change, partition, ...of }
    return lost.has(job) ? { type: 'vacate', change, isFailed: true } : { type: 'stop', change }
  })
  const refused = area ? [] : [...book.waiting.keys()]
  return [
    {
      ...changes,
      partitions,
      running: inside,
      waiting: area ? outside : new Map(),
      failed: new Set<Address>(),
      isStale: false,
    },
    ...went,
    ...refused.map((job) => tell(job, { type: 'vacate', change: changes.change, isFailed: true })),
    ...allCame(
      book,
      [...inside].filter(([job]) => !staying.has(job)),
    ),
    observe({ type: 'dealt', change, area: area ?? wholeOf(mesh), partitions } satisfies EquiFact),
    ...effects,
  ]
}

function cut(area: Rectangle, jobs: readonly Address[]): readonly Owned[] {
  const rectangles = jobs.length > 0 ? equi(exponentsOf(area), jobs.length) : []
  return jobs.flatMap((job, place): Owned[] => {
    const partition = rectangles[place]
    if (!partition) return []
    return [{ job, partition: { ...partition, row: area.row + partition.row, column: area.column + partition.column } }]
  })
}

/** A source of random numbers in [0, 1) for one change. */
const drawn = (purpose: string, change: number) => {
  let draws = 0
  return () => draw(purpose, `${change} ${draws++}`)
}

export function resume(book: EquiBook): Decision<EquiBook> {
  const [running, went] = present(book)
  const [changes, ...effects] = ordering(book, running, (_, change) => ({ type: 'resume', change }))
  return [{ ...changes, running, isStale: book.isStale || went.length > 0 }, ...went, ...effects]
}

export function settle(book: EquiBook): Decision<EquiBook> {
  const [running, went] = present(book)
  return [{ running, isStale: book.isStale || running.size < book.running.size }, ...went]
}

/** Swaps jobs: those that have run longest make room, and wait behind all others. */
export function swap(book: EquiBook): Decision<EquiBook> {
  const [running, went] = present(book)
  const out = new Set(swapped([...running.keys()], [...book.waiting.keys()]).map(([goes]) => goes))
  const going = new Map([...running].filter(([job]) => out.has(job)))
  const [changes, ...effects] = ordering(book, going, (_, change) => ({ type: 'stop', change }))
  const waiting = new Map([...book.waiting, ...going])
  return [{ ...changes, running: without(running, ...out), waiting, isSwapDue: false }, ...went, ...effects]
}

/** Reports rest, so that the operator may continue. */
export function rest(book: EquiBook): Decision<EquiBook> {
  const { isStale, operator, waiting } = book
  if (isStale) return [{}]
  const [changes, ...effects] = awaitSwap(book, waiting.size)
  return [
    changes,
    ...effects,
    observe({ type: 'rested' } satisfies EquiFact),
    ...(operator === null ? [] : [tell(operator, { type: 'rested' })]),
  ]
}
