/** What the allocator of FOLD knows. */
import type { Address, Decision, Mail } from '../../../../lib/actor.ts'
import { roomIn } from '../../fold/cells.ts'
import { emptyFold, type Fold, jobsOf, type Step } from '../../fold/fold.ts'
import { type Mesh, wholeOf } from '../../mesh.ts'
import {
  type Arrive,
  type Attempt,
  type Depart,
  type Done,
  isSame,
  type ProcessorDown,
  type Silent,
  type Size,
  type ToAllocator,
} from '../../messages.ts'
import { areaOf, type Rectangle } from '../../rectangle.ts'
import { firstChange, type GaveUp, type Impatient, NO_ROUND, type Ordering, vacating } from '../round.ts'
import {
  type Admission,
  areaIn,
  losing,
  type Machine,
  type Members,
  NO_TURN,
  read,
  roomOf,
  type SwapDue,
  swapped,
  type Terms,
  type Turn,
} from '../terms.ts'

export type FoldInput = Terms & {
  /** Is a ring of an even number of jobs cut in two if it can be (section 5.4)? */
  readonly divides: boolean
  /** Hears how many jobs there are, when nothing is under way; null: it has no clock. */
  readonly clock: Address | null
}

/** `fold` is as the jobs have reported it. */
export interface FoldBook extends Omit<FoldInput, 'records'>, Machine, Asked, Turn, Ordering {
  /** What is ordered, and what comes after it. */
  readonly steps: readonly Step[]
  /** It is to be asked who has what. */
  readonly isInDoubt: boolean
}

/** For whoever folds a run: this is so, and nothing is under way. Rings, and the jobs of each, in their order. */
export type RingFact = {
  readonly type: 'ring'
  readonly area: Rectangle
  readonly level: number
  readonly rings: readonly (readonly { readonly job: Address; readonly size: Size; readonly partition: Rectangle }[])[]
}

export type FoldFact =
  | RingFact
  | GaveUp
  /** It asks all what they have. */
  | { readonly type: 'asked' }
  /** They go on from where they are, or are all put anew. */
  | { readonly type: 'planned'; readonly isAnew: boolean }

export type FoldEvent = Mail<ToAllocator> | Impatient | SwapDue | { type: 'loaded' }

/** Of a new incarnation. */
export function opened({ records = [], ...input }: FoldInput): FoldBook {
  const { members, down, lives } = read(records)
  return {
    ...input,
    ...NO_TURN,
    members,
    down,
    change: firstChange(lives),
    round: NO_ROUND,
    fold: emptyFold(wholeOf(input.mesh)),
    requests: [],
    coming: new Map(),
    leaver: null,
    steps: [],
    isInDoubt: false,
  }
}

// --- queue ---
/* What the allocator of FOLD has been asked for and has not begun, in the order in which it was asked; and who is on the mesh. */

export type Request =
  | { readonly is: 'arrival'; readonly of: Address; readonly attempt: Attempt }
  | { readonly is: 'departure'; readonly of: Address }
  | { readonly is: 'rotation' }

export type Asked = Pick<Admission, 'limit'> & {
  readonly mesh: Mesh
  readonly fold: Fold
  readonly requests: readonly Request[]
  /** Who is on the mesh. */
  readonly members: Members
  /** Who is about to be: let in with the next `start` they are told. */
  readonly coming: Members
  /** Whose departure has begun. */
  readonly leaver: Address | null
}

export const hasRoom = (asked: Asked): boolean =>
  asked.members.size < roomOf(asked) && jobsOf(asked.fold).length < roomIn(asked.fold.area)

/** Arrivals wait for room, and nothing waits for them. */
export const nextOf = (asked: Asked): Request | undefined =>
  asked.requests.find(({ is }) => is !== 'arrival' || hasRoom(asked))

/** Somebody waits, and there is no room. */
export const isCrowded = (asked: Asked): boolean => !hasRoom(asked) && asked.requests.some(({ is }) => is === 'arrival')

export const isQueued = ({ requests }: Asked, job: Address): boolean =>
  requests.some((one) => one.is === 'arrival' && one.of === job)

/** What is asked for again is asked for once. To rotate once is enough. Who was never let in is gone at once. */
export function asking(asked: Asked, request: Request): readonly [Pick<Asked, 'requests'>] {
  const { requests, coming, leaver } = asked
  const isKnown = requests.some((one) => areSame(one, request))
  if (
    isKnown ||
    (request.is === 'arrival' ? coming.has(request.of) : request.is === 'departure' && leaver === request.of)
  )
    return [{ requests }]
  return [{ requests: [...requests, request] }]
}

const areSame = (one: Request, other: Request): boolean =>
  one.is === other.is && (one.is === 'rotation' || other.is === 'rotation' || one.of === other.of)

/** Without those that are gone, and what they asked for. */
export const leftBy = (
  { members, requests }: Asked,
  gone: readonly Address[],
): Pick<Asked, 'members' | 'requests'> => ({
  members: new Map([...members].filter(([job]) => !gone.includes(job))),
  requests: requests.filter((one) => one.is !== 'departure' || !gone.includes(one.of)),
})

/** It waits no more. */
export const withdrawn = ({ requests }: Asked, job: Address): readonly Request[] =>
  requests.filter((one) => one.is !== 'arrival' || one.of !== job)

/** Those that are not about to depart. */
export function staying({ requests, members }: Asked): readonly Address[] {
  const leaving = new Set(requests.flatMap((one) => (one.is === 'departure' ? [one.of] : [])))
  return [...members.keys()].filter((job) => !leaving.has(job))
}

/** Without a request that begins. */
export function begun({ requests }: Asked, request: Request): Pick<Asked, 'requests' | 'coming' | 'leaver'> {
  return {
    requests: requests.filter((one) => one !== request),
    coming: new Map(request.is === 'arrival' ? [[request.of, request.attempt]] : []),
    leaver: request.is === 'departure' ? request.of : null,
  }
}

/** Who waits comes for who has been there longest, of those that stay; who was there waits behind all others. */
export function swap(
  asked: Asked,
): readonly [by: ReadonlyMap<Address, Address>, changes: Pick<Asked, 'requests' | 'coming' | 'members'>] {
  const { requests, members } = asked
  const waiting = new Map(requests.flatMap((one) => (one.is === 'arrival' ? [[one.of, one.attempt] as const] : [])))
  const by = new Map(swapped(staying(asked), [...waiting.keys()]))
  const newcomers = new Set(by.values())
  const out = [...members].filter(([job]) => by.has(job))
  return [
    by,
    {
      members: new Map([...members].filter(([job]) => !by.has(job))),
      coming: new Map([...waiting].filter(([job]) => newcomers.has(job))),
      requests: [
        ...requests.filter((one) => one.is !== 'arrival' || !newcomers.has(one.of)),
        ...out.map(([of, attempt]): Request => ({ is: 'arrival', of, attempt })),
      ],
    },
  ]
}

// --- requests ---
/* What the allocator of FOLD is asked and told, whatever is under way. */

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
