/** What a client writes down, so that a later incarnation of it neither forgets a task nor has one done twice. */
import { type Effect, persist, type Time } from '../../lib/actor.ts'
import type { Attempt } from './messages.ts'
import { EMPTY_PURSE, type Purse } from './purse.ts'

export type Remembered =
  /** Written by every incarnation, so that the next one knows that it is not the first. */
  | { readonly type: 'began' }
  /** It has its result, or will never have one. */
  | { readonly type: 'done'; readonly task: number }
  /** Announced again; that a task was announced once goes without saying. */
  | (Attempt & { readonly type: 'announced' })
  /** Awarded though it may not be begun twice: whoever forgets the award must not repeat it. */
  | { readonly type: 'entrusted'; readonly task: number }
  | { readonly type: 'spent'; readonly task: number; readonly points: number }
  | { readonly type: 'earned'; readonly points: number }

export const remember = (record: Remembered): Effect => persist(record)

type Arriving = { readonly id: number; readonly arrival: Time }

/** What was announced before this incarnation. */
export interface Announced {
  /** When this incarnation began. */
  readonly before: Time
  /** By task that was announced again: its newest attempt. */
  readonly attempts: ReadonlyMap<number, number>
}

/**
 * The attempt under which a task is announced first in this incarnation. Contractors may still know what was announced
 * before it, so that has to be announced as something newer.
 */
export const firstAttempt = (announced: Announced | null, { id, arrival }: Arriving): number =>
  announced && arrival <= announced.before ? (announced.attempts.get(id) ?? 1) + 1 : 1

/** What an incarnation begins with. */
export interface Memory<Job extends Arriving> {
  /** The tasks that are not over, by arrival. */
  readonly tasks: readonly Job[]
  /** Unfinished tasks that an earlier incarnation awarded and that may not be begun twice: they have no result. */
  readonly entrusted: readonly Job[]
  /** The announcements of earlier incarnations; null in a first incarnation. */
  readonly announced: Announced | null
  readonly purse: Purse
}

/** Puts together what earlier incarnations wrote down, at the start of this one. */
export function recall<Job extends Arriving>(
  tasks: readonly Job[],
  records: readonly Remembered[],
  now: Time,
): Memory<Job> {
  if (records.length === 0) return { tasks, entrusted: [], announced: null, purse: EMPTY_PURSE }
  const done = new Set<number>()
  const entrusted = new Set<number>()
  const attempts = new Map<number, number>()
  const spent = new Map<number, number>()
  let earned = 0
  for (const record of records) {
    switch (record.type) {
      case 'began':
        break
      case 'done':
        done.add(record.task)
        break
      case 'entrusted':
        entrusted.add(record.task)
        break
      case 'announced':
        attempts.set(record.task, record.attempt)
        break
      case 'spent':
        spent.set(record.task, record.points)
        break
      case 'earned':
        earned += record.points
    }
  }
  const open = tasks.filter(({ id }) => !done.has(id))
  // a task that is announced again is paid for again
  for (const { id } of open) if (!entrusted.has(id)) spent.delete(id)
  return {
    tasks: open.filter(({ id }) => !entrusted.has(id)),
    entrusted: open.filter(({ id }) => entrusted.has(id)),
    announced: { before: now, attempts },
    purse: { earned, spent: [...spent.values()].reduce((sum, points) => sum + points, 0) },
  }
}
