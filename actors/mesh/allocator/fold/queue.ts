/** What the allocator of FOLD has been asked for and has not begun, in the order in which it was asked; and who is on the mesh. */
import type { Address } from '../../../../lib/actor.ts'
import { roomIn } from '../../fold/cells.ts'
import { type Fold, jobsOf } from '../../fold/fold.ts'
import type { Mesh } from '../../mesh.ts'
import type { Attempt } from '../../messages.ts'
import { type Admission, roomOf, swapped } from '../admission.ts'
import type { Members } from '../terms.ts'

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
