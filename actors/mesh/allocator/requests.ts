/** What the allocator of FOLD has been asked for and has not begun, in the order in which it was asked. */
import type { Address } from '../../../lib/actor.ts'
import type { Mesh } from '../mesh.ts'
import { type Admission, roomOf, swapped } from './admission.ts'

export type Request =
  | { readonly is: 'arrival'; readonly of: Address }
  | { readonly is: 'departure'; readonly of: Address }
  | { readonly is: 'rotation' }

export type Asked = Pick<Admission, 'limit'> & {
  readonly mesh: Mesh
  readonly requests: readonly Request[]
  /** Who has been there longest comes first; without those whose departure has begun. */
  readonly running: readonly Address[]
}

export const hasRoom = (asked: Asked): boolean => asked.running.length < roomOf(asked)

/** Arrivals wait for room, and nothing waits for them. */
export const nextOf = (asked: Asked): Request | undefined =>
  asked.requests.find(({ is }) => is !== 'arrival' || hasRoom(asked))

/** Somebody waits, and there is no room. */
export const isCrowded = (asked: Asked): boolean => !hasRoom(asked) && asked.requests.some(({ is }) => is === 'arrival')

export const isQueued = ({ requests }: Asked, job: Address): boolean =>
  requests.some((one) => one.is === 'arrival' && one.of === job)

/** To rotate once is enough. Who was never let in is gone at once. */
export function asking(asked: Asked, request: Request): readonly [Pick<Asked, 'requests'>] {
  const { requests } = asked
  if (request.is === 'rotation' && requests.some(({ is }) => is === 'rotation')) return [{ requests }]
  if (request.is === 'departure' && isQueued(asked, request.of))
    return [{ requests: requests.filter((one) => one.is !== 'arrival' || one.of !== request.of) }]
  return [{ requests: [...requests, request] }]
}

/** Those that are not about to depart. */
export function staying({ requests, running }: Asked): readonly Address[] {
  const leaving = new Set(requests.flatMap((one) => (one.is === 'departure' ? [one.of] : [])))
  return running.filter((job) => !leaving.has(job))
}

/** Without a request that begins. */
export function begun({ requests, running }: Asked, request: Request): Pick<Asked, 'requests' | 'running'> {
  const left = requests.filter((one) => one !== request)
  if (request.is === 'rotation') return { requests: left, running }
  const others = running.filter((job) => job !== request.of)
  return { requests: left, running: request.is === 'arrival' ? [...others, request.of] : others }
}

/** Who waits comes for who has been there longest, of those that stay; who was there waits behind all others. */
export function swap(
  asked: Asked,
): readonly [by: ReadonlyMap<Address, Address>, changes: Pick<Asked, 'requests' | 'running'>] {
  const { requests, running } = asked
  const by = new Map(
    swapped(
      staying(asked),
      requests.flatMap((one) => (one.is === 'arrival' ? [one.of] : [])),
    ),
  )
  const newcomers = new Set(by.values())
  const left = requests.filter((one) => one.is !== 'arrival' || !newcomers.has(one.of))
  return [
    by,
    {
      running: [...running.filter((job) => !by.has(job)), ...newcomers],
      requests: [...left, ...[...by.keys()].map((of) => ({ is: 'arrival' as const, of }))],
    },
  ]
}
