/**
 * Inspection: the scheduler finds out which processors are alive, and fails the jobs of dead ones. Without patience no
 * processor is probed.
 */
import { timer } from '../../lib/actor.ts'
import type { Attempt, Progress } from '../processor/messages.ts'
import { end, fail, refuseTooLarge } from './jobs.ts'
import { attemptOf } from './messages.ts'
import type { Turn } from './scheduler-state.ts'

const NOTHING: Attempt = { task: -1, attempt: 0 }

/** Probes all processors that should be at work, and the lost ones, which may be back. */
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

/** Sets the timer of the next inspection while any job runs. */
export function watch(turn: Turn): void {
  const { patience } = turn.terms
  if (patience === null || turn.isWatched || turn.book.running.size === 0) return
  turn.isWatched = true
  turn.do(timer('inspect', patience, { type: 'inspect' }))
}

/**
 * Declares processors lost that have not answered since the last inspection. For a job in attempt k, a processor is lost only
 * after k silent inspections in a row. So a long job is finished in the end even where mail is lost.
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

/** Notes that a processor is alive. A processor that was lost is reset. */
export function heard(turn: Turn, processor: number): void {
  turn.quiet = turn.quiet.filter((place) => place !== processor)
  if (!turn.book.down.includes(processor)) return
  turn.enter({ type: 'found', processor })
  turn.toProcessor(processor, { type: 'reset' })
  turn.note({ type: 'found', processor })
  turn.requestPass()
}

/** Handles the answer to a probe. A processor that neither runs the job nor has finished it has forgotten it. */
export function progress(turn: Turn, processor: number, { running, done, ...attempt }: Progress): void {
  if (done) finished(turn, processor, attempt)
  else if (!running && isLeft(turn, processor, attempt)) {
    fail(turn, attempt.task)
    // the processor may still run a task whose abort was lost
    turn.toProcessor(processor, { type: 'reset' })
  }
}

/** Fails the jobs of a processor that has restarted: it has forgotten its task. */
export function back(turn: Turn, processor: number): void {
  for (const [job, left] of turn.left) if (left.includes(processor)) fail(turn, job)
}

const isLeft = ({ book, left }: Turn, processor: number, { task, attempt }: Attempt): boolean =>
  book.running.get(task)?.of.attempt === attempt && (left.get(task)?.includes(processor) ?? false)

/** Notes that one processor is done. The job ends when all its processors are. */
export function finished(turn: Turn, processor: number, attempt: Attempt): void {
  if (!isLeft(turn, processor, attempt)) return
  const job = attempt.task
  const left = turn.left.get(job)?.filter((place) => place !== processor) ?? []
  turn.left = new Map(turn.left).set(job, left)
  if (left.length === 0) end(turn, job, 'finished')
}
