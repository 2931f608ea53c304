/** What a client writes down, so that a later life of it neither forgets a task nor has one done twice. */
import { type Effect, persist, type Time } from '../../lib/actor.ts'
import type { Attempt } from './messages.ts'

export type Remembered =
  /** Of every life, so that the next one knows that it is not the first. */
  | { readonly type: 'began' }
  | { readonly type: 'done'; readonly task: number }
  /** Announced again; that a task was announced once goes without saying. */
  | (Attempt & { readonly type: 'announced' })

export const remember = (record: Remembered): Effect => persist(record)

type Arriving = { readonly id: number; readonly arrival: Time }

/** What a life begins with. */
export interface Memory<Job extends Arriving> {
  /** Those not done, in the order of arrival. */
  readonly tasks: readonly Job[]
  /** The incarnation under which a task of that arrival is announced first in this life. */
  firstIncarnation(job: Arriving): number
}

/**
 * Puts together what earlier lives wrote down. Contractors may still know what was announced before `now`, the start
 * of this life, so that has to be announced as something newer.
 */
export function recall<Job extends Arriving>(
  tasks: readonly Job[],
  records: readonly Remembered[],
  now: Time,
): Memory<Job> {
  if (records.length === 0) return { tasks, firstIncarnation: () => 1 }
  const done = new Set<number>()
  const incarnations = new Map<number, number>()
  for (const record of records) {
    if (record.type === 'done') done.add(record.task)
    else if (record.type === 'announced') incarnations.set(record.task, record.incarnation)
  }
  return {
    tasks: tasks.filter(({ id }) => !done.has(id)),
    firstIncarnation: ({ id, arrival }) => (arrival <= now ? (incarnations.get(id) ?? 1) + 1 : 1),
  }
}
