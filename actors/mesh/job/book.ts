/** What the leader of a job knows, and what it lets whoever watches know. */
import type { Address, Mail, Time } from '../../../lib/actor.ts'
import type { Answer, Attempt, Begin, Cells, Links, ToJob } from '../messages.ts'
import type { Detail, Model } from '../model.ts'
import type { Rectangle } from '../rectangle.ts'
import { type Crew, NO_CREW } from '../threads/crew.ts'
import type { Membership } from './membership.ts'
import type { MappingName, Work } from './pace.ts'

export type JobInput = {
  readonly allocator: Address
  readonly model: Model
  readonly mapping: MappingName
  readonly detail: Detail
  /** What it asks for and does not get it asks for again, every so often; null: once. */
  readonly patience: Time | null
}

export interface JobBook extends JobInput {
  /** Null: there is none. */
  readonly of: (Begin & { readonly user: Address }) | null
  /** What became of the one before. */
  readonly last: (Attempt & { readonly type: 'over' | 'failed' }) | null
  readonly progress: Work
  /** Where its threads are, or are on their way to. Null: it has none. */
  readonly partition: Rectangle | null
  /** Null: it is in no ring. */
  readonly ring: Membership | null
  /** The last order of the allocator that it has begun to obey. */
  readonly change: number
  /** What it said to that; null: it is at it. */
  readonly answer: Answer | null
  readonly isLeaving: boolean
  /** It has no threads any more. */
  readonly hasDeparted: boolean
  /** Its threads, where processors have them. */
  readonly crew: Crew
}

/** For whoever folds a run. */
export type JobFact =
  | ({ readonly type: 'began' } & Attempt)
  /** `partition` is its own, from now on, and it stands still until its threads are there; null: processors see to that. */
  | { readonly type: 'moved'; readonly partition: Rectangle; readonly took: Time | null }
  /** In a ring: its own cells from now on, one of them perhaps offered to a neighbour who may take it, and its neighbours. */
  | ({ readonly type: 'owns'; readonly offered: Rectangle | null; readonly cells: Cells } & Links)
  | { readonly type: 'resumed'; readonly pace: number }
  /** It has no processors any more: another has them for a while, or it was told to vacate them. */
  | { readonly type: 'stopped' }
  | { readonly type: 'vacated' }
  /** It computes no more: its work is done, or it was told to leave. */
  | ({ readonly type: 'ended'; readonly left: number } & Attempt)
  | ({ readonly type: 'failed' } & Attempt)

export type JobEvent = Mail<ToJob> | { type: 'moved' } | { type: 'completed' } | { type: 'again' }

/** What guards are asked. */
export type Asked = { readonly context: JobBook }

export const newBook = (input: JobInput): JobBook => ({
  ...input,
  of: null,
  last: null,
  partition: null,
  ring: null,
  change: 0,
  answer: null,
  isLeaving: false,
  hasDeparted: false,
  progress: { left: 0, pace: 0, since: 0 },
  crew: NO_CREW,
})
