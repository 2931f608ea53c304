/** What a contractor remembers of tasks, and how it forgets them. No messages here, no time. */
import type { Address, Time } from '../../lib/actor.ts'
import type { Attempt, Work } from '../processor/messages.ts'

export type Ranked = {
  /** Smaller goes first. */
  readonly priority: number
  /** When it came to its client: of equal priorities the elder goes first. */
  readonly arrival: Time
  /** A bid for it has lapsed: it goes behind all tasks without a lapsed bid. */
  readonly lapsed?: true
}

/** Sorted by priority and age; full equals stay in their order of arrival. */
export function enqueue<T extends Ranked>(queue: readonly T[], entry: T): readonly T[] {
  const place = queue.findIndex((other) => isBefore(entry, other))
  return place < 0 ? [...queue, entry] : queue.toSpliced(place, 0, entry)
}

export function isBefore(one: Ranked, other: Ranked): boolean {
  if (one.lapsed !== other.lapsed) return other.lapsed === true
  return one.priority === other.priority ? one.arrival < other.arrival : one.priority < other.priority
}

/** A request for bids: what is known of a task beforehand. */
export type Request = Attempt &
  Ranked & {
    readonly client: Address
    readonly estimate: Time
    /** What the machine must have to execute it. */
    readonly files: readonly string[]
  }

/** A task that was awarded. */
export type Award = Request & {
  readonly work: Work
  /** When its client was promised that it would begin. */
  readonly promise: Time
  /** What its client spends on it. */
  readonly points: number
  /** When it was awarded, as heard here; of an attempt that was awarded here more than once, the last time. */
  readonly heard: Time
}

export type Execution = Award & {
  readonly since: Time
  /** Cancelled, but its machine is not freed by that. */
  readonly isUnwanted: boolean
}

/** Something was said to a client, and until it answers, or does not, there are things that wait. */
export type Question = Attempt & { readonly client: Address }

export type Agenda = {
  readonly executing: Execution | null
  /** Awarded and not begun, by priority. */
  readonly held: readonly Award[]
  /** Requests to come back to (DSP), by priority. */
  readonly queue: readonly Request[]
  /** At most one: a bid (DSP), a bump (eager). */
  readonly question: Question | null
}

export const EMPTY: Agenda = { executing: null, held: [], queue: [], question: null }

/** The newest attempt of the task that this agenda knows; 0 if none. */
export const attemptOf = ({ executing, held, queue, question }: Agenda, task: number): number =>
  Math.max(attemptIn(held, task), attemptIn(queue, task), ofTask(executing, task), ofTask(question, task))

function attemptIn(attempts: readonly Attempt[], task: number): number {
  for (const attempt of attempts) if (attempt.task === task) return attempt.attempt
  return 0
}

const ofTask = (attempt: Attempt | null, task: number): number => (attempt?.task === task ? attempt.attempt : 0)

/** The award of this very attempt, executing or held. */
export const awardOf = ({ executing, held }: Agenda, { task, attempt }: Attempt): Award | undefined =>
  [executing, ...held].find((award) => award?.task === task && award.attempt === attempt) ?? undefined

/** Without the task, whatever was known of it. */
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
