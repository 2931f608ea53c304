/**
 * The records of a client. They tell a later incarnation which tasks are over and which were announced. They are read only at
 * a restart, so this is no event-sourced book: it would hold every task of a run without need.
 */
import type { Time } from '../../lib/actor.ts'
import { sum } from '../../lib/core/tally.ts'
import type { Attempt } from './messages.ts'
import { EMPTY_PURSE, type Purse } from './priority.ts'

export type Remembered =
  /** Written by every incarnation, so that the next one knows that it is not the first. */
  | { readonly type: 'began' }
  /** The task is over, with or without a result. */
  | { readonly type: 'done'; readonly task: number }
  /** The task was announced under an attempt after the first. First attempts have no record. */
  | (Attempt & { readonly type: 'announced' })
  /** A task that is not restartable was awarded: a later incarnation must not award it again. */
  | { readonly type: 'entrusted'; readonly task: number }
  | { readonly type: 'spent'; readonly task: number; readonly points: number }
  | { readonly type: 'earned'; readonly points: number }

type Arriving = { readonly id: number; readonly arrival: Time }

/** The announcements of earlier incarnations. */
export interface Announced {
  /** When this incarnation began. */
  readonly before: Time
  /** The newest attempt of each task that was announced more than once. */
  readonly attempts: ReadonlyMap<number, number>
}

/**
 * The attempt of a task's first announcement in this incarnation. Contractors may still know an attempt that an earlier
 * incarnation announced, so the number must be greater.
 */
export const firstAttempt = (announced: Announced | null, { id, arrival }: Arriving): number =>
  announced && arrival <= announced.before ? (announced.attempts.get(id) ?? 1) + 1 : 1

/** The part of a client's state that comes from the records. */
export interface Memory<Job extends Arriving> {
  /** The tasks that are not over, by arrival. */
  readonly tasks: readonly Job[]
  /** Unfinished tasks that an earlier incarnation awarded and that are not restartable: they end without a result. */
  readonly entrusted: readonly Job[]
  /** The announcements of earlier incarnations; null in a first incarnation. */
  readonly announced: Announced | null
  readonly purse: Purse
}

/** Restores a client's memory from the records of earlier incarnations. */
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
    purse: { earned, spent: sum(spent.values()) },
  }
}
