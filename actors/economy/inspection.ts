/** Which processors are alive, and what became of jobs on those that are not. Without patience nobody is asked. */
import { timer } from '../../lib/actor.ts'
import type { Attempt, Progress } from '../processor/messages.ts'
import { end, fail, refuseTooLarge } from './admission.ts'
import type { Turn } from './desk.ts'
import { attemptOf } from './messages.ts'

const NOTHING: Attempt = { task: -1, attempt: 0 }

/** Asks all that should be at work, and those that did not answer before: they may be back. */
export function ask(turn: Turn): void {
  const { book } = turn
  const quiet: number[] = []
  for (const { on, of } of book.running.values()) {
    for (const place of on) turn.toProcessor(place, { type: 'probe', ...attemptOf(of) })
    quiet.push(...on)
  }
  for (const place of book.down) turn.toProcessor(place, { type: 'probe', ...NOTHING })
  turn.quiet = quiet
}

/** While anything runs, somebody may die under it. */
export function watch(turn: Turn): void {
  const { patience } = turn.terms
  if (patience === null || turn.isWatched || turn.book.running.size === 0) return
  turn.isWatched = true
  turn.do(timer('inspect', patience, { type: 'inspect' }))
}

/**
 * Who has not answered since the last time is taken for dead; a job that has been begun again before is given up only after
 * as many probes in a row as it has had attempts. So where mail is lost a long job is done in the end, too.
 */
export function inspect(turn: Turn): void {
  turn.isWatched = false
  const attempts = new Map(
    [...turn.book.running.values()].flatMap(({ on, of }) => on.map((place) => [place, of.attempt])),
  )
  const missed = new Map<number, number>()
  for (const place of turn.quiet) {
    const count = 1 + (turn.missed.get(place) ?? 0)
    if (count < (attempts.get(place) ?? 0)) missed.set(place, count)
    else lose(turn, place)
  }
  turn.missed = missed
  refuseTooLarge(turn)
  ask(turn)
  watch(turn)
}

function lose(turn: Turn, processor: number): void {
  turn.enter({ type: 'lost', processor })
  turn.note({ type: 'lost', processor })
  for (const [job, { on }] of turn.book.running) if (on.includes(processor)) fail(turn, job)
}

/** Whoever says anything is alive. */
export function heard(turn: Turn, processor: number): void {
  turn.quiet = turn.quiet.filter((place) => place !== processor)
  if (!turn.book.down.includes(processor)) return
  turn.enter({ type: 'found', processor })
  turn.toProcessor(processor, { type: 'reset' })
  turn.note({ type: 'found', processor })
  turn.call()
}

/** The answer to a probe: one that neither runs the job nor has done it has forgotten it. */
export function progress(turn: Turn, processor: number, { running, done, ...attempt }: Progress): void {
  if (done) finished(turn, processor, attempt)
  else if (!running && isLeft(turn, processor, attempt)) {
    fail(turn, attempt.task)
    // it may be at something that it was told to stop, and did not hear that
    turn.toProcessor(processor, { type: 'reset' })
  }
}

/** It is back, with nothing to do. */
export function back(turn: Turn, processor: number): void {
  for (const [job, left] of turn.left) if (left.includes(processor)) fail(turn, job)
}

const isLeft = ({ book, left }: Turn, processor: number, { task, attempt }: Attempt): boolean =>
  book.running.get(task)?.of.attempt === attempt && (left.get(task)?.includes(processor) ?? false)

/** One processor is done; the job is when all are. */
export function finished(turn: Turn, processor: number, attempt: Attempt): void {
  if (!isLeft(turn, processor, attempt)) return
  const job = attempt.task
  const left = turn.left.get(job)?.filter((place) => place !== processor) ?? []
  turn.left = new Map(turn.left).set(job, left)
  if (left.length === 0) end(turn, job, 'finished')
}
