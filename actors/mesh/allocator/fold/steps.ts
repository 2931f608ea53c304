/**
 * How the allocator of FOLD carries out requests: a step is a set of orders, and the next one begins when all are
 * answered.
 */
import { type Address, type Decision, type Effect, type Mail, observe, self, tell } from '../../../../lib/actor.ts'
import { ringOf } from '../../fold/cells.ts'
import { arrival, departure, replaced, ticked } from '../../fold/changes.ts'
import { divided, undivided } from '../../fold/division.ts'
import {
  type Fold,
  hasFree,
  jobsOf,
  linksOf,
  type Order as Planned,
  partitionsOf,
  rectanglesOf,
  type Step,
  stretchesOf,
  toEach,
} from '../../fold/fold.ts'
import { recovery } from '../../fold/recovery.ts'
import { isIn } from '../../mapping.ts'
import { wholeOf } from '../../mesh.ts'
import type { Attempt, Order, Size, SizeIs } from '../../messages.ts'
import type { Rectangle } from '../../rectangle.ts'
import { givenUp, isAsPlanned, membersOf, ordered, reportsOf, silentIn } from '../round.ts'
import { allCame, allWent, areaIn, awaitSwap } from '../terms.ts'
import {
  begun,
  type FoldBook,
  type FoldFact,
  isCrowded,
  leftBy,
  nextOf,
  type Request,
  type RingFact,
  staying,
  swap,
} from './book.ts'

/** All steps of a request, preceded by those that must be done before it. */
function stepsFor({ fold, divides }: FoldBook, request: Request): readonly Step[] {
  if (request.is === 'rotation') {
    if (jobsOf(fold).length === 0) return []
    const cut = divides ? divided(fold) : null
    return cut ? [cut, ticked(cut.fold)] : [ticked(fold)]
  }
  const joining = undivided(fold)
  const joined = joining.at(-1)?.fold ?? fold
  return [...joining, ...(request.is === 'arrival' ? arrival(joined, request.of) : departure(joined, request.of))]
}

export function plan(book: FoldBook): Decision<FoldBook> {
  const request = nextOf(book)
  return request ? [{ ...begun(book, request), steps: stepsFor(book, request) }] : [{}]
}

/** Gives the orders of the next step. A job that is told to start is a member from then on. */
export function order(book: FoldBook): Decision<FoldBook> {
  const { steps, coming, fold } = book
  const [step] = steps
  if (!step) return [{}]
  const starts = new Set(step.orders.flatMap(({ type, job }) => (type === 'start' ? [job] : [])))
  const newcomers = [...coming].filter(([job]) => starts.has(job))
  const members = new Map([...book.members, ...newcomers])
  const [changes, ...tells] = ordered(book, (change) =>
    step.orders.map((one) => [one.job, messageOf(one, change, self(), members)] as const),
  )
  return [{ ...changes, members }, ...allCame(book, newcomers), ...tells, ...sizesOfFree(fold, step, changes.change)]
}

/** Answers a size for free cells, as the job that had them would. */
export const onSize = ({ fold, round }: FoldBook, { from, change, size }: Mail<SizeIs>): Decision<FoldBook> =>
  change === round.change ? [{}, ...cellForPrev(fold, from, size, change)] : [{}]

/** Ends a step if the reports match the plan. Jobs that have vacated and lead nothing any more are gone. */
export function conclude(book: FoldBook): Decision<FoldBook> {
  const { round, members } = book
  const [step, ...steps] = book.steps
  if (!step) return [{}]
  if (!isAsPlanned(round.answers, members, toEach(step.fold))) return [{ isInDoubt: true }]
  const gone = step.orders.flatMap(({ type, job }) =>
    type === 'vacate' && round.answers.get(job)?.of === null ? [job] : [],
  )
  const left = steps.length > 0 ? {} : { coming: new Map(), leaver: null }
  return [{ fold: step.fold, steps, ...left, ...leftBy(book, gone) }, ...allWent(book, gone)]
}

// --- planned orders as messages ---------------------------------------------------------------------------------------

/** The message for a planned order; `self` is the allocator, which stands for free cells. */
function messageOf(planned: Planned, change: number, self: Address, members: ReadonlyMap<Address, Attempt>): Order {
  switch (planned.type) {
    case 'start':
    case 'link': {
      const { type, job: leader, cells, prev, next } = planned
      const linked = { change, cells, prev: prev ?? self, next: next ?? self }
      const { job, attempt } = members.get(leader) ?? { job: 0, attempt: 0 }
      return type === 'start' ? { type, ...linked, job, attempt } : { type, ...linked }
    }
    case 'split':
      return { type: 'split', change, newcomer: planned.newcomer }
    case 'vacate':
      return { type: 'vacate', change, isFailed: planned.isFailed }
    case 'tick':
    case 'shift':
      return { type: planned.type, change }
  }
}

// --- free cells: in the ring the allocator acts as a job that gives cells and never takes any (section 5.5) -----------

/** The messages of a tick for free cells: both neighbours are told the size `free`. */
function sizesOfFree(fold: Fold, { orders }: Step, change: number): readonly Effect[] {
  if (!hasFree(fold) || !orders.some(({ type }) => type === 'tick')) return []
  const { prev = null, next = null } = linksOf(fold).get(null) ?? {}
  const beside = new Set([prev, next].flatMap((owner) => owner ?? []))
  return [...beside].map((job) => tell(job, { type: 'size', change, size: 'free' }))
}

/** The message that gives the first free cell to the job before the free cells, if its size is `s`. */
function cellForPrev(fold: Fold, from: Address, size: Size, change: number): readonly Effect[] {
  const free = stretchesOf(fold).find(({ owner }) => owner === null)
  if (!free || size !== 's' || linksOf(fold).get(null)?.prev !== from) return []
  const [cell] = rectanglesOf(ringOf(fold.area, fold.level), free)
  return cell ? [tell(from, { type: 'cell', change, cell })] : []
}

// --- recovery: ask all jobs for their cells, and plan from the answers (section 8) ------------------------------------

/** Asks all members which cells they have. */
export function ask(book: FoldBook): Decision<FoldBook> {
  const [changes, ...effects] = ordered(book, (change) =>
    [...book.members.keys()].map((job) => [job, { type: 'report', change }]),
  )
  return [{ ...changes, isInDoubt: false }, ...effects, observe({ type: 'asked' } satisfies FoldFact)]
}

/**
 * Plans from the answers: silent jobs are dead, leaders of other jobs are gone, and the rest continue in place if
 * possible.
 */
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

// --- swaps: all jobs stop, and waiting jobs replace those that have run longest ---------------------------------------

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

// --- rest -------------------------------------------------------------------------------------------------------------

/** Reports rest to listeners, the operator and the clock. */
export function rest(book: FoldBook): Decision<FoldBook> {
  const { fold, operator, clock, requests, members } = book
  if (nextOf(book) || isToSwap(book) || book.isInDoubt) return [{}]
  const [changes, ...effects] = awaitSwap(book, requests.length)
  return [
    changes,
    ...effects,
    observe({ type: 'ring', area: fold.area, level: fold.level, rings: ringsOf(fold) } satisfies RingFact),
    ...(operator ? [tell(operator, { type: 'rested' })] : []),
    ...(clock ? [tell(clock, { type: 'running', jobs: members.size })] : []),
  ]
}

function ringsOf(fold: Fold): RingFact['rings'] {
  const partitions = new Map(partitionsOf(fold).map(({ owner, size, rectangle }) => [owner, { size, rectangle }]))
  return fold.rings.map(({ stretches }) =>
    stretches.flatMap(({ owner }) => {
      const own = partitions.get(owner)
      return own && owner ? [{ job: owner, size: own.size, partition: own.rectangle }] : []
    }),
  )
}
