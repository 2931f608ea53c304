/** What a contractor remembers of tasks, and how it forgets them. No messages here, no time. */
import type { Address, Time } from '../../lib/actor.ts'
import type { Attempt } from '../processor/messages.ts'
import { enqueue, type Ranked } from './dsp.ts'

/** A request for bids that waits until the contractor comes to it. */
export type Request = Attempt & Ranked & { readonly client: Address; readonly estimate: Time }

/** A task that was awarded. */
export type Award = Attempt & Ranked & { readonly client: Address; readonly work: Time }

/** A bid whose answer the contractor waits for. */
export type OpenBid = Attempt & { readonly client: Address }

export type Agenda = {
  readonly executing: Award | null
  /** Awarded while another was executing; non-empty only then. */
  readonly held: readonly Award[]
  /** Not awarded, or awarded elsewhere and perhaps worth a late bid. */
  readonly queue: readonly Request[]
  /** At most one: the bid for the head of the queue, or with `commit` any bid. */
  readonly openBid: OpenBid | null
}

/** The newest incarnation of the task that this agenda knows; 0 if none. */
export function incarnationOf({ executing, held, queue, openBid }: Agenda, task: number): number {
  const of = (attempt: Attempt | null | undefined) => (attempt?.task === task ? attempt.incarnation : 0)
  const among = (attempts: readonly Attempt[]) => of(attempts.find((attempt) => attempt.task === task))
  return Math.max(of(executing), among(held), among(queue), of(openBid))
}

/** The award of this very attempt, executing or held. */
export const awardOf = ({ executing, held }: Agenda, { task, incarnation }: Attempt): Award | undefined =>
  [executing, ...held].find((award) => award?.task === task && award.incarnation === incarnation) ?? undefined

/** Without the task, whatever was known of it. */
export function without({ executing, held, queue, openBid }: Agenda, task: number): Agenda {
  return {
    executing: executing?.task === task ? null : executing,
    held: omit(held, task),
    queue: omit(queue, task),
    openBid: openBid?.task === task ? null : openBid,
  }
}

const omit = <T extends Attempt>(attempts: readonly T[], task: number): readonly T[] =>
  attempts.some((attempt) => attempt.task === task) ? attempts.filter((attempt) => attempt.task !== task) : attempts

/** After a bid went unanswered: the first time its request goes to the back, the second time it is dropped. */
export function afterLapse(queue: readonly Request[], task: number): readonly Request[] {
  const request = queue.find((entry) => entry.task === task)
  if (!request) return queue
  const others = omit(queue, task)
  return request.lapsed ? others : enqueue(others, { ...request, lapsed: true })
}
