/**
 * The state of the allocator of FOLD, its queue of requests, and how it handles requests at any time.
 *
 * A request has no child chart: it waits in the queue until the allocator is at rest, and then becomes the steps that the
 * allocator's own statechart goes through.
 */
import { type Address, actor, type Decision, type Delivery, type Ref, type Turn, turn } from '../../../../lib/actor.ts'
import { roomIn } from '../../fold/cells.ts'
import { emptyFold, type Fold, jobsOf, type Step } from '../../fold/fold.ts'
import { type Mesh, wholeOf } from '../../mesh.ts'
import {
  type Arrive,
  type Attempt,
  type Depart,
  type Done,
  isSame,
  type Noted,
  type ProcessorDown,
  type Silent,
  type Size,
  type ToAllocator,
  type ToClock,
  type ToJob,
} from '../../messages.ts'
import { areaOf, type Rectangle } from '../../rectangle.ts'
import { type GaveUp, type Impatient, type Ordered, type Ordering, vacate } from '../round.ts'
import {
  type Admission,
  allWent,
  areaIn,
  type Down,
  type Machine,
  type Members,
  noteDown,
  recovered,
  roomOf,
  type SwapDue,
  type SwapFact,
  type SwapState,
  swapped,
  type Terms,
  type WithWaiting,
  without,
} from '../terms.ts'

export type FoldInput = Terms & {
  /** Whether a ring of an even number of jobs is cut in two where possible (section 5.4). */
  readonly divides: boolean
  /** The clock, which is told the number of jobs at rest; null without a clock. */
  readonly clock: Ref<ToClock> | null
}

/** The state of the allocator; `fold` is what the jobs have reported. */
export interface FoldBook extends Omit<FoldInput, 'records'>, Machine, Asked, SwapState, Ordering {
  /** The step under way, and the planned ones after it. */
  readonly steps: readonly Step[]
  /** Whether all jobs have to be asked which cells they have. */
  readonly isInDoubt: boolean
}

/** A fact at rest, for listeners: the rings, and the jobs of each in their order. */
export type RingFact = WithWaiting & {
  readonly type: 'ring'
  readonly area: Rectangle
  readonly level: number
  readonly rings: readonly (readonly { readonly job: Address; readonly size: Size; readonly partition: Rectangle }[])[]
}

export type FoldFact =
  | RingFact
  | SwapFact
  | Down
  | Ordered
  | GaveUp
  /** The allocator asks all jobs which cells they have. */
  | { readonly type: 'asked' }
  /** After such questions: jobs continue from where they are, or all are placed from scratch. */
  | { readonly type: 'planned'; readonly isAnew: boolean }

export type FoldEvent = ToAllocator | Impatient | SwapDue | { type: 'loaded' }

export const { createMachine, handlers, observe, onEntry } = actor<{
  input: FoldInput
  context: FoldBook
  event: FoldEvent
  reply: ToJob | Noted
  fact: FoldFact
}>()

type It = Turn<FoldBook>

/** The state of a new incarnation, from the log of the earlier ones. */
export function opened({ records, ...input }: FoldInput): FoldBook {
  const { members, state } = recovered(records)
  return {
    ...input,
    ...state,
    members,
    fold: emptyFold(wholeOf(input.mesh)),
    requests: [],
    coming: new Map(),
    leaver: null,
    steps: [],
    isInDoubt: false,
  }
}

// --- requests that have not begun, in their order, and members --------------------------------------------------------

export type Request =
  | { readonly is: 'arrival'; readonly of: Address; readonly attempt: Attempt }
  | { readonly is: 'departure'; readonly of: Address }
  | { readonly is: 'rotation' }

export type Asked = Pick<Admission, 'limit'> & {
  readonly mesh: Mesh
  readonly fold: Fold
  readonly requests: readonly Request[]
  /** The jobs on the mesh. */
  readonly members: Members
  /** Jobs about to enter: their next `start` order admits them. */
  readonly coming: Members
  /** The job whose departure has begun. */
  readonly leaver: Address | null
}

export const hasRoom = (asked: Asked): boolean =>
  asked.members.size < roomOf(asked) && jobsOf(asked.fold).length < roomIn(asked.fold.area)

/** The next request to carry out. Arrivals wait for room; other requests overtake them. */
export const nextOf = (asked: Asked): Request | undefined =>
  asked.requests.find(({ is }) => is !== 'arrival' || hasRoom(asked))

/** Whether a job waits and there is no room. */
export const isCrowded = (asked: Asked): boolean => !hasRoom(asked) && asked.requests.some(({ is }) => is === 'arrival')

export const isQueued = ({ requests }: Asked, job: Address): boolean =>
  requests.some((one) => one.is === 'arrival' && one.of === job)

/** The queue with a request, unless the same one is queued or under way. */
export function asking({ requests, coming, leaver }: Asked, request: Request): readonly Request[] {
  const isUnderWay =
    (request.is === 'arrival' && coming.has(request.of)) || (request.is === 'departure' && leaver === request.of)
  return isUnderWay || requests.some((one) => areSame(one, request)) ? requests : [...requests, request]
}

const areSame = (one: Request, other: Request): boolean =>
  one.is === other.is && (one.is === 'rotation' || other.is === 'rotation' || one.of === other.of)

/** Removes jobs that are gone from the members, and their departures from the queue. */
export function leave(it: It, gone: readonly Address[]): void {
  const { members, requests } = it.context
  it.context.members = without(members, ...gone)
  it.context.requests = requests.filter((one) => one.is !== 'departure' || !gone.includes(one.of))
  allWent(it, gone)
}

/** The requests without the arrival of a job. */
export const withdrawn = ({ requests }: Asked, job: Address): readonly Request[] =>
  requests.filter((one) => one.is !== 'arrival' || one.of !== job)

/** Members that have not asked to depart. */
export const staying = ({ requests, members }: Asked): Members =>
  without(members, ...requests.flatMap((one) => (one.is === 'departure' ? [one.of] : [])))

/** The queue after a request has begun. */
export function begun({ requests }: Asked, request: Request): Pick<Asked, 'requests' | 'coming' | 'leaver'> {
  return {
    requests: requests.filter((one) => one !== request),
    coming: new Map(request.is === 'arrival' ? [[request.of, request.attempt]] : []),
    leaver: request.is === 'departure' ? request.of : null,
  }
}

/** The jobs that wait for room, in their order. */
export const arrivalsIn = ({ requests }: Asked): Members =>
  new Map(requests.flatMap((one) => (one.is === 'arrival' ? [[one.of, one.attempt] as const] : [])))

/** Waiting jobs replace the staying members that have run longest. */
export function swap(
  asked: Asked,
): readonly [by: ReadonlyMap<Address, Address>, changes: Pick<Asked, 'requests' | 'coming'>] {
  const { requests } = asked
  const waiting = arrivalsIn(asked)
  const by = new Map(swapped([...staying(asked).keys()], [...waiting.keys()]))
  const newcomers = new Set(by.values())
  return [
    by,
    {
      coming: new Map([...waiting].filter(([job]) => newcomers.has(job))),
      requests: requests.filter((one) => one.is !== 'arrival' || !newcomers.has(one.of)),
    },
  ]
}

// --- requests and reports, handled in every state ---------------------------------------------------------------------

/** Admits a job. A leader that arrives with another attempt than the one admitted has been restarted. */
export const onArrive = turn((it: It, { job, attempt, minimum }: Arrive, { from }: Delivery) => {
  const { context } = it
  const member = context.members.get(from)
  if (member && isSame(member, { job, attempt })) return
  const area = areaIn(context)
  if (area === null || minimum > areaOf(area)) return vacate(it, from, true)
  context.requests = asking(context, { is: 'arrival', of: from, attempt: { job, attempt } })
  context.isInDoubt ||= member !== undefined
})

export const onDepart = turn((it: It, departing: Depart, { from }: Delivery) => {
  const { context } = it
  const member = context.members.get(from)
  if (!member) {
    context.requests = withdrawn(context, from)
    vacate(it, from, false)
  } else if (isSame(member, departing)) context.requests = asking(context, { is: 'departure', of: from })
  else context.isInDoubt = true
})

export const onDue = (book: FoldBook): Decision<FoldBook> => [{ requests: asking(book, { is: 'rotation' }) }]

export const onSilent = ({ members, isInDoubt }: FoldBook, { leader }: Silent): Decision<FoldBook> => [
  { isInDoubt: isInDoubt || members.has(leader) },
]

export const onDown = turn((it: It, place: ProcessorDown, delivery: Delivery<Ref<Noted>>) => {
  if (noteDown(it, place, delivery)) it.context.isInDoubt = true
})

/** Answers a leader that was taken for dead: its cells belong to others now, so it has to vacate them. */
export const onStranger = turn((it: It, { holds }: Done, { from }: Delivery) => {
  if (holds.cells.length > 0 && !it.context.members.has(from)) vacate(it, from, true)
})
