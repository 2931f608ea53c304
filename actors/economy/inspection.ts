/**
 * Inspection: the scheduler finds out which processors are alive, and fails the jobs of dead ones. Without patience no
 * processor is probed.
 */
import { awaitInspection, inspected } from '../../lib/actor.ts'
import { probe, toProcessor } from '../processor/employer.ts'
import type { Attempt, Progress } from '../processor/messages.ts'
import { end, fail, refuseTooLarge } from './jobs.ts'
import { attemptOf } from './messages.ts'
import { enter, observe, requestPass, type SchedulerState, type SchedulerTurn, timer } from './scheduler-state.ts'

/** Probes all processors that should be at work, and the lost ones. */
export const ask = (it: SchedulerTurn): void =>
  probe(
    it,
    [...it.context.book.running.values()].flatMap(({ on, of }) => on.map((place) => [place, attemptOf(of)] as const)),
  )

/** Sets the timer of the next inspection while any job runs. */
export function watch(it: SchedulerTurn): void {
  const { terms, book } = it.context
  if (terms.patience !== null && book.running.size > 0) {
    awaitInspection(it, timer('inspect', terms.patience, { type: 'inspect' }))
  }
}

/**
 * Declares processors lost that have not answered since the last inspection. For a job in attempt k, a processor is lost only
 * after k silent inspections in a row. So a long job is finished in the end even where mail is lost.
 */
export function inspect(it: SchedulerTurn): void {
  const { book, detector } = it.context
  const attempts = new Map([...book.running.values()].flatMap(({ on, of }) => on.map((place) => [place, of.attempt])))
  const [after, suspects] = inspected(detector, (place) => attempts.get(place) ?? 0)
  it.context.detector = after
  for (const place of suspects) lose(it, place)
  refuseTooLarge(it)
  ask(it)
}

function lose(it: SchedulerTurn, processor: number): void {
  enter(it, { type: 'lost', processor })
  it.do(observe({ type: 'lost', processor }))
  for (const [job, { on }] of it.context.book.running) if (on.includes(processor)) fail(it, job)
}

/** Takes a processor back that was lost. */
export function found(it: SchedulerTurn, processor: number): void {
  enter(it, { type: 'found', processor })
  it.do(observe({ type: 'found', processor }))
  requestPass(it)
}

/** Handles the answer to a probe. A processor that neither runs the job nor has finished it has forgotten it. */
export function progress(it: SchedulerTurn, processor: number, answer: Progress): void {
  if (answer.done) finished(it, processor, answer)
  else if (!answer.running && isLeft(it.context, processor, answer)) {
    fail(it, answer.task)
    // the processor may still run a task whose abort was lost
    toProcessor(it, processor, { type: 'reset' })
  }
}

/** Fails the jobs of a processor that has restarted: it has forgotten its task. */
export function back(it: SchedulerTurn, processor: number): void {
  for (const [job, left] of it.context.left) if (left.includes(processor)) fail(it, job)
}

const isLeft = ({ book, left }: SchedulerState, processor: number, { task, attempt }: Attempt): boolean =>
  book.running.get(task)?.of.attempt === attempt && (left.get(task)?.includes(processor) ?? false)

/** Notes that one processor is done. The job ends when all its processors are. */
export function finished(it: SchedulerTurn, processor: number, attempt: Attempt): void {
  if (!isLeft(it.context, processor, attempt)) return
  const job = attempt.task
  const left = it.context.left.get(job)?.filter((place) => place !== processor) ?? []
  it.context.left = new Map(it.context.left).set(job, left)
  if (left.length === 0) end(it, job, 'finished')
}
