/** What the allocator tells jobs between exchanges, and what holds when they have done it. */
import type { Address } from '../../../lib/actor.ts'
import type { Rectangle } from '../rectangle.ts'
import { type Fold, type Owner, type Ring, rectanglesOf } from './fold.ts'
import { ringOf } from './ring.ts'

/** Who is before and behind a job: itself, if it is alone. */
export type Links = { readonly prev: Owner; readonly next: Owner }

export type Order =
  /** To a newcomer: put your threads there. */
  | ({ readonly type: 'start' } & Linked)
  /** These are your cells, and your neighbours: no thread moves. */
  | ({ readonly type: 'link' } & Linked)
  /** Fold onto your first cell, and give the second to the newcomer: it is the next one. */
  | { readonly type: 'split'; readonly job: Address; readonly newcomer: Address }
  /** Exchange once. */
  | { readonly type: 'tick'; readonly job: Address }
  /** Nothing is yours any more. */
  | { readonly type: 'vacate'; readonly job: Address; readonly isFailed: boolean }
  /** Give your last cell to the next job, and take the one before your first from the job before. */
  | { readonly type: 'shift'; readonly job: Address }

type Linked = Links & { readonly job: Address; readonly cells: readonly Rectangle[] }

/** Orders that may be under way together, and what they lead to. The next step begins when all are done. */
export type Step = { readonly orders: readonly Order[]; readonly fold: Fold }

export function linksOf({ rings }: Fold): ReadonlyMap<Owner, Links> {
  const links = new Map<Owner, Links>()
  for (const { stretches } of rings) {
    for (const [i, { owner }] of stretches.entries()) {
      const next = stretches[(i + 1) % stretches.length]
      links.set(owner, { prev: stretches.at(i - 1)?.owner ?? null, next: next?.owner ?? null })
    }
  }
  return links
}

/** To every job: its cells and its neighbours. */
export function toEach(fold: Fold): readonly (Order & { readonly type: 'link' })[] {
  const cycle = ringOf(fold.area, fold.level)
  const links = linksOf(fold)
  return fold.rings.flatMap(({ stretches }) =>
    stretches.flatMap((stretch) => {
      const { owner: job } = stretch
      const beside = links.get(job)
      return job === null || !beside
        ? []
        : [{ type: 'link' as const, job, cells: rectanglesOf(cycle, stretch), ...beside }]
    }),
  )
}

/** To those who were not there before. */
export const started = (fold: Fold, newcomers: ReadonlySet<Address>): readonly Order[] =>
  toEach(fold)
    .filter(({ job }) => newcomers.has(job))
    .map((order) => ({ ...order, type: 'start' }))

/** To the jobs that were there before and have another neighbour now. */
export function relinked(before: Fold, after: Fold): readonly Order[] {
  const old = linksOf(before)
  return toEach(after).filter(({ job, prev, next }) => {
    const had = old.get(job)
    return had !== undefined && (had.prev !== prev || had.next !== next)
  })
}

/** To all jobs of some rings. */
export const toAll = (type: 'tick' | 'shift', rings: readonly Ring[]): readonly Order[] =>
  rings.flatMap(({ stretches }) => stretches.flatMap(({ owner: job }) => (job === null ? [] : [{ type, job }])))
