/**
 * How the allocator of FOLD carries out requests: a step is a set of orders, and the next one begins when all are
 * answered.
 */
import {
  type Address,
  type Decision,
  type Delivery,
  type Effect,
  isComplete,
  self,
  type Turn,
  tell,
  turn,
} from '../../../../lib/actor.ts'
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
import type { Answer, Attempt, Order, Size, SizeIs } from '../../messages.ts'
import type { Rectangle } from '../../rectangle.ts'
import { giveOrders, giveUp, isAsPlanned, membersOf, reportsOf, vacate } from '../round.ts'
import { allCame, areaIn, awaitSwap, swappedFact, withWaiting } from '../terms.ts'
import {
  arrivalsIn,
  asking,
  begun,
  type FoldBook,
  isCrowded,
  leave,
  nextOf,
  observe,
  type Request,
  type RingFact,
  staying,
  swap,
} from './book.ts'

type It = Turn<FoldBook>

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

export const plan = turn((it: It) => {
  const request = nextOf(it.context)
  if (request) Object.assign(it.context, begun(it.context, request), { steps: stepsFor(it.context, request) })
})

/** The jobs that get an order of this type in these steps. */
const jobsOrdered = (type: Planned['type'], steps: readonly Step[]): readonly Address[] =>
  steps.flatMap(({ orders }) => orders.flatMap((one) => (one.type === type ? [one.job] : [])))

/** Gives the orders of the next step. A job that is told to start is a member from then on. */
export const order = turn((it: It) => {
  const { steps, coming, fold } = it.context
  const [step] = steps
  if (!step) return
  const starts = new Set(jobsOrdered('start', [step]))
  const newcomers = [...coming].filter(([job]) => starts.has(job))
  const members = new Map([...it.context.members, ...newcomers])
  it.context.members = members
  allCame(it, newcomers)
  giveOrders(
    it,
    step.orders.map((one) => [one.job, one] as const),
    (planned, change) => messageOf(planned, change, self(), members),
  )
  it.do(...sizesOfFree(fold, step, it.context.change))
})

/** Answers a size for free cells, as the job that had them would. */
export const onSize = ({ fold, round }: FoldBook, { change, size }: SizeIs, { from }: Delivery): Decision<FoldBook> =>
  change === round.number ? [{}, ...cellForPrev(fold, from, size, change)] : [{}]

/**
 * Ends a step if the reports match the plan. Jobs that have vacated are gone, unless a later step starts them. The leader of a departed
 * job may have been restarted, and lead the same attempt again: then it waits, and arrives again.
 */
export const conclude = turn((it: It) => {
  const { round, members } = it.context
  const [step, ...steps] = it.context.steps
  if (!step) return
  if (!isAsPlanned(round.answers, members, toEach(step.fold))) {
    it.context.isInDoubt = true
    return
  }
  it.context.fold = step.fold
  it.context.steps = steps
  if (steps.length === 0) {
    it.context.coming = new Map()
    it.context.leaver = null
  }
  const vacated = new Set(jobsOrdered('vacate', [step]))
  const toStart = new Set(jobsOrdered('start', steps))
  const waiting = [...membersOf(members, round.answers)].filter(([job]) => vacated.has(job))
  const stays = new Set(waiting.flatMap(([job]) => (toStart.has(job) ? [job] : [])))
  leave(
    it,
    [...vacated].filter((job) => !stays.has(job)),
  )
  const again = waiting.filter(([job]) => !stays.has(job))
  for (const [of, attempt] of again) it.context.requests = asking(it.context, { is: 'arrival', of, attempt })
})

// --- planned orders as messages ---------------------------------------------------------------------------------------

/** The message for a planned order; `self` is the allocator, which stands for free cells. */
function messageOf(planned: Planned, change: number, self: Address, members: ReadonlyMap<Address, Attempt>): Order {
  switch (planned.type) {
    case 'start': {
      const { job: leader, cells, prev, next } = planned
      const { job, attempt } = members.get(leader) ?? { job: 0, attempt: 0 }
      return { type: 'start', change, cells, prev: prev ?? self, next: next ?? self, job, attempt }
    }
    case 'link': {
      const { cells, prev, next } = planned
      return { type: 'link', change, cells, prev: prev ?? self, next: next ?? self }
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
export const ask = turn((it: It) => {
  it.context.isInDoubt = false
  giveOrders(it, it.context.members, (_, change) => ({ type: 'report', change }))
  it.do(observe({ type: 'asked' }))
})

/**
 * Plans from the answers: silent jobs are dead, leaders of other jobs are gone, and the rest continue in place if
 * possible.
 */
export const recover = turn((it: It) => {
  const { mesh, down, round, coming, leaver, members, change } = it.context
  const answering = membersOf(members, round.answers)
  const reports = reportsOf(answering, round.answers)
  const area = areaIn(it.context)
  const isLost = (cell: Rectangle) => down.some((place) => isIn(cell, place))
  const failed = reports.filter(({ cells }) => area === null || cells.some(isLost)).map(({ job }) => job)
  const steps = recovery(area ?? wholeOf(mesh), reports, new Set(failed))
  const put = new Set([...(steps.at(-1)?.fold.rings ?? []).flatMap(ownersIn), ...failed])
  leave(
    it,
    [...members.keys()].filter((job) => !put.has(job)),
  )
  const asked: readonly Request[] = [
    ...(leaver !== null && put.has(leaver) ? [{ is: 'departure' as const, of: leaver }] : []),
    ...[...answering, ...coming].flatMap(([of, attempt]): Request[] =>
      put.has(of) || (members.has(of) && !answering.has(of)) ? [] : [{ is: 'arrival', of, attempt }],
    ),
    ...it.context.requests,
  ]
  // a leader that has a place arrives no more: the attempt that came later was an old one
  const arriving = asked.flatMap((one) => (one.is === 'arrival' && !put.has(one.of) ? [one.of] : []))
  const refused = area === null ? arriving : []
  it.context.requests = asked.filter((one) => one.is !== 'arrival' || (area !== null && arriving.includes(one.of)))
  it.context.steps = steps
  it.context.coming = new Map()
  it.context.leaver = null
  giveUp(it, round.missing)
  it.do(...refused.map((job) => tell(job, { type: 'vacate', change: change + 1, isFailed: true })))
  const isAnew = steps.some(({ orders }) => orders.some(({ type }) => type === 'start'))
  it.do(observe({ type: 'planned', isAnew }))
})

const ownersIn = ({ stretches }: Fold['rings'][number]): readonly Address[] =>
  stretches.flatMap(({ owner }) => owner ?? [])

// --- swaps: all jobs stop, and waiting jobs replace those that have run longest ---------------------------------------

export const isToSwap = (book: FoldBook): boolean => book.isSwapDue && isCrowded(book)

export const freeze = turn((it: It) => {
  it.context.isSwapDue = false
  giveOrders(it, staying(it.context), (_, change) => ({ type: 'freeze', change }))
})

/** Tells jobs to stop. They are members until they say that they have no cells any more. */
export const swapOut = turn((it: It) => {
  const [by, swapped] = swap(it.context)
  Object.assign(it.context, swapped, { leaver: null, steps: [replaced(it.context.fold, by)] })
  if (by.size > 0) it.do(observe(swappedFact(by)))
  giveOrders(it, by, (_, change) => ({ type: 'stop', change }))
})

const isOut = ({ holds }: Answer): boolean => holds.cells.length === 0
export const areAllOut = ({ round }: FoldBook): boolean => isComplete(round) && [...round.answers.values()].every(isOut)

/** Removes the jobs that have stopped from the members. They wait behind all others, unless they have departed. */
export const release = turn((it: It) => {
  const { members, round } = it.context
  const out = new Map([...round.answers].filter(([, answer]) => isOut(answer)))
  const stays = staying(it.context)
  const stopped = membersOf(members, out)
  leave(it, [...out.keys()])
  for (const [of, attempt] of stopped) {
    if (stays.has(of)) it.context.requests = asking(it.context, { is: 'arrival', of, attempt })
    else vacate(it, of, false)
  }
})

// --- rest -------------------------------------------------------------------------------------------------------------

/** Reports rest to listeners, the operator and the clock. */
export const rest = turn((it: It) => {
  const { fold, operator, clock, requests, members } = it.context
  if (nextOf(it.context) || isToSwap(it.context) || it.context.isInDoubt) return
  awaitSwap(it, requests.length)
  const ring: RingFact = { type: 'ring', area: fold.area, level: fold.level, rings: ringsOf(fold) }
  it.do(observe(withWaiting(ring, arrivalsIn(it.context))))
  if (operator) it.do(tell(operator, { type: 'rested' }))
  if (clock) it.do(tell(clock, { type: 'running', jobs: members.size }))
})

function ringsOf(fold: Fold): RingFact['rings'] {
  const partitions = new Map(partitionsOf(fold).map(({ owner, size, rectangle }) => [owner, { size, rectangle }]))
  return fold.rings.map(({ stretches }) =>
    stretches.flatMap(({ owner }) => {
      const own = partitions.get(owner)
      return own && owner ? [{ job: owner, size: own.size, partition: own.rectangle }] : []
    }),
  )
}
