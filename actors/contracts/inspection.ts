/**
 * Inspection: a site finds out which of its processors are alive. Tasks on dead ones lose what they had run and wait again
 * (section 6). Without patience no processor is probed.
 */
import { type Address, awaitInspection, inspected, type Turn } from '../../lib/actor.ts'
import { fromProcessor, probe, toProcessor } from '../processor/employer.ts'
import { type Attempt, isSame, type Progress } from '../processor/messages.ts'
import { attemptOf } from './messages.ts'
import { addressOf, type Context, type Contract, dispatchLater, enter, isBusy, observe, retry } from './site-state.ts'

type It = Turn<Context>

/** Probes all processors that should be at work, and the lost ones, which may be back. */
export function ask(it: It): void {
  const { running, held } = it.context.book
  probe(it, [
    ...[...running.values()].map(({ context }) => [context.on, attemptOf(context)] as const),
    ...[...held.values()].map(({ context }) => [context.on, heldBy(context)] as const),
  ])
}

/** Probes the processor of a preempted task. Its answer shows that the processor kept what the task had run. */
export function askBack(it: It, held: Contract): void {
  const { task, attempt } = heldBy(held)
  toProcessor(it, held.on, { type: 'probe', task, attempt })
}

/** The attempt of a preempted task that its processor has not confirmed as stopped. */
const heldBy = ({ task, attempt }: Contract): Attempt => ({ task, attempt: attempt - 1 })

/**
 * Sets the timer of the next inspection while a task runs, or cannot run before a processor answers. In the second case the
 * processors are probed ever more rarely.
 */
export function watch(it: It): void {
  const { terms, book, asking } = it.context
  const isAtWork = book.running.size > 0
  const isHeldUp = book.held.size > 0 || (isBusy(book) && book.down.length > 0)
  if (!isAtWork && !isHeldUp) return
  const [next, ...again] = retry('inspect', isAtWork ? terms.patience : asking, { type: 'inspect' })
  if (awaitInspection(it, ...again)) it.context.asking = isAtWork ? terms.patience : next
}

/** Declares the processors lost that have not answered since the last inspection. */
export function inspect(it: It): void {
  const [detector, suspects] = inspected(it.context.detector)
  it.context.detector = detector
  for (const place of suspects) {
    enter(it, { type: 'lost', processor: place })
    it.do(observe({ type: 'suspected', processor: addressOf(it.context, place) }))
    failAt(it, place)
  }
  ask(it)
}

/** Fails the task that a processor ran, and the preempted tasks that it has not confirmed as stopped. */
export function failAt(it: It, place: number): void {
  const { running, held } = it.context.book
  for (const { context } of running.values()) if (context.on === place) fail(it, attemptOf(context), place)
  for (const { context } of held.values()) if (context.on === place) fail(it, heldBy(context), place)
}

function fail(it: It, { task, attempt }: Attempt, place: number): void {
  enter(it, { type: 'failed', task })
  it.do(observe({ type: 'failed', task, attempt, processor: addressOf(it.context, place) }))
  dispatchLater(it)
}

/** Handles an event that shows that one of the site's processors is alive. */
export function heard(it: It, from: Address, happens: (place: number) => void): void {
  fromProcessor(
    it,
    from,
    (place) => {
      enter(it, { type: 'found', processor: place })
      it.do(observe({ type: 'trusted', processor: from }))
      dispatchLater(it)
    },
    (place) => {
      it.context.asking = it.context.terms.patience
      happens(place)
    },
  )
}

/** The running task of an attempt at a processor; null if another attempt runs there. */
export function runningAt({ book }: Context, place: number, attempt: Attempt): Contract | null {
  const running = book.running.get(attempt.task)?.context
  return running?.on === place && isSame(attemptOf(running), attempt) ? running : null
}

/** Handles the answer to a probe. A processor that neither runs the task nor has done it has forgotten it or never got it. */
export function progress(it: It, place: number, answer: Progress): void {
  const { task, running } = answer
  if (running) return
  const held = it.context.book.held.get(task)?.context
  if (held?.on === place && isSame(heldBy(held), answer)) {
    enter(it, { type: 'returned', task })
    it.do(observe({ type: 'returned', task }))
    dispatchLater(it)
  }
  const lost = runningAt(it.context, place, answer)
  if (!lost) return
  fail(it, attemptOf(lost), place)
  // the processor may still run a task whose abort was lost
  toProcessor(it, place, { type: 'reset' })
}

/** Fails all preempted tasks in a later incarnation of the site: their processors may have restarted unnoticed. */
export function distrust(it: It): void {
  for (const { context } of it.context.book.held.values()) fail(it, heldBy(context), context.on)
}
