/**
 * A contractor's agenda: the tasks that it executes, holds or may bid for. No messages and no clock here.
 *
 * It is a table, and awards have no statecharts: an award is executing or held by its place here, which depends on all the
 * others, and the contractor's own chart says whether one is executing.
 */
import type { Ref, Time } from '../../lib/actor.ts'
import type { Attempt, Work } from '../processor/messages.ts'
import type { ToClient } from './messages.ts'

export type Ranked = {
  /** The priority of the task; smaller numbers go first. */
  readonly priority: number
  /** When the task arrived at its client. Of equal priorities, the earlier arrival goes first. */
  readonly arrival: Time
  /** Whether a bid for it has lapsed: it then goes behind all tasks without a lapsed bid. */
  readonly lapsed?: true
}

/** Inserts an entry by priority and then by arrival, behind the entries that are equal in both. */
export function enqueue<T extends Ranked>(queue: readonly T[], entry: T): readonly T[] {
  const place = queue.findIndex((other) => isBefore(entry, other))
  return place < 0 ? [...queue, entry] : queue.toSpliced(place, 0, entry)
}

export function isBefore(one: Ranked, other: Ranked): boolean {
  if (one.lapsed !== other.lapsed) return other.lapsed === true
  return one.priority === other.priority ? one.arrival < other.arrival : one.priority < other.priority
}

/** A request for bids, with all that a contractor knows of a task before the award. */
export type Request = Attempt &
  Ranked & {
    readonly client: Ref<ToClient>
    readonly estimate: Time
    /** The files that the machine must have to execute it. */
    readonly files: readonly string[]
  }

/** A task that was awarded. */
export type Award = Request & {
  readonly work: Work
  /** The start that its client was promised. */
  readonly promise: Time
  /** The points that its client spends on it. */
  readonly points: number
  /** When the award arrived here; if the attempt was awarded here more than once, the last time. */
  readonly heard: Time
}

export type Execution = Award & {
  readonly since: Time
  /** Whether it was cancelled but runs on, because the terms say that cancelling does not abort. */
  readonly isUnwanted: boolean
}

/** A message that awaits its client's answer: an open bid (DSP) or a bump (eager). */
export type Question = Attempt & { readonly client: Ref<ToClient> }

export type Agenda = {
  readonly executing: Execution | null
  /** The awarded tasks that have not started, by priority. */
  readonly held: readonly Award[]
  /** The requests to bid for later (DSP), by priority. */
  readonly queue: readonly Request[]
  /** The one open question; null if there is none. */
  readonly question: Question | null
}

export const EMPTY: Agenda = { executing: null, held: [], queue: [], question: null }

/** The newest attempt of a task in the agenda; 0 if the task is not in it. */
export const attemptOf = ({ executing, held, queue, question }: Agenda, task: number): number =>
  Math.max(attemptIn(held, task), attemptIn(queue, task), ofTask(executing, task), ofTask(question, task))

function attemptIn(attempts: readonly Attempt[], task: number): number {
  for (const attempt of attempts) if (attempt.task === task) return attempt.attempt
  return 0
}

const ofTask = (attempt: Attempt | null, task: number): number => (attempt?.task === task ? attempt.attempt : 0)

/** The award of exactly this attempt, executing or held. */
export const awardOf = ({ executing, held }: Agenda, { task, attempt }: Attempt): Award | undefined =>
  [executing, ...held].find((award) => award?.task === task && award.attempt === attempt) ?? undefined

/** The agenda without a task. */
export function without({ executing, held, queue, question }: Agenda, task: number): Agenda {
  return {
    executing: executing?.task === task ? null : executing,
    held: omit(held, task),
    queue: omit(queue, task),
    question: question?.task === task ? null : question,
  }
}

export const omit = <T extends Attempt>(attempts: readonly T[], task: number): readonly T[] =>
  attempts.some((attempt) => attempt.task === task) ? attempts.filter((attempt) => attempt.task !== task) : attempts
