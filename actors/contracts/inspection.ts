/**
 * Inspection: a site finds out which of its processors are alive. Tasks on dead ones lose what they had run and wait again
 * (section 6). Without patience no processor is probed.
 */
import { timer } from '../../lib/actor.ts'
import { type Attempt, isSame, type Progress } from '../processor/messages.ts'
import { attemptOf } from './messages.ts'
import { type Held, isBusy, type Running, type Turn } from './site-state.ts'
import { LONGEST_PAUSE } from './terms.ts'

const NOTHING: Attempt = { task: -1, attempt: 0 }

/** Probes all processors that should be at work, and the lost ones, which may be back. */
export function ask(it: Turn): void {
  const { running, held, down } = it.book
  for (const { on, of } of running.values()) it.toProcessor(on, { type: 'probe', ...attemptOf(of) })
  for (const place of down) it.toProcessor(place, { type: 'probe', ...NOTHING })
  for (const one of held.values()) askBack(it, one)
  it.quiet = [...new Set([...running.values(), ...held.values()].map(({ on }) => on))]
}

/** Probes the processor of a preempted task. Its answer shows that the processor kept what the task had run. */
export const askBack = (it: Turn, held: Held): void => it.toProcessor(held.on, { type: 'probe', ...heldBy(held) })

/** The attempt of a preempted task that its processor has not confirmed as stopped. */
const heldBy = ({ of: { task, attempt } }: Held): Attempt => attemptOf({ task, attempt: attempt - 1 })

/** Sets the timer of the next inspection while a task runs. While none can run, lost processors are probed ever more rarely. */
export function watch(it: Turn): void {
  const { patience } = it.terms
  const isAtWork = it.book.running.size > 0
  if (patience === null || it.isWatching || !(isAtWork || isHeldUp(it))) return
  it.isWatching = true
  it.do(timer('inspect', it.asking, { type: 'inspect' }))
  it.asking = isAtWork ? patience : 2 * it.asking
}

/** Whether a task cannot run before a processor answers: one that holds the task, or one that is lost. */
const isHeldUp = ({ book, asking }: Turn): boolean =>
  asking <= LONGEST_PAUSE && (book.held.size > 0 || (isBusy(book) && book.down.length > 0))

/** Declares the processors lost that have not answered since the last inspection. */
export function inspect(it: Turn): void {
  it.isWatching = false
  for (const place of it.quiet) lose(it, place)
  ask(it)
}

function lose(it: Turn, place: number): void {
  it.enter({ type: 'lost', processor: place })
  failAt(it, place)
}

/** Fails the task that a processor ran, and the preempted tasks that it has not confirmed as stopped. */
function failAt(it: Turn, place: number): void {
  for (const { on, of } of it.book.running.values()) if (on === place) fail(it, attemptOf(of), place)
  for (const held of it.book.held.values()) if (held.on === place) fail(it, heldBy(held), place)
}

function fail(it: Turn, { task, attempt }: Attempt, place: number): void {
  it.enter({ type: 'failed', task })
  it.note({ type: 'failed', task, attempt: attempt, processor: it.processor(place) })
  it.dispatchLater()
}

/** Notes that a processor is alive. One that was taken for dead is reset, because other processors may run its task by now. */
export function heard(it: Turn, place: number): void {
  it.quiet = it.quiet.filter((one) => one !== place)
  it.asking = it.terms.patience ?? 0
  if (!it.book.down.includes(place)) return
  it.enter({ type: 'found', processor: place })
  it.toProcessor(place, { type: 'reset' })
  it.dispatchLater()
}

/** The running task of an attempt at a processor; null if another attempt runs there. */
export function runningAt({ book }: Turn, place: number, attempt: Attempt): Running | null {
  const running = book.running.get(attempt.task)
  return running?.on === place && isSame(attemptOf(running.of), attempt) ? running : null
}

/** Handles the answer to a probe. A processor that neither runs the task nor has done it has forgotten it or never got it. */
export function progress(it: Turn, place: number, { running, ...attempt }: Attempt & Pick<Progress, 'running'>): void {
  if (running) return
  const held = it.book.held.get(attempt.task)
  if (held?.on === place && isSame(heldBy(held), attempt)) {
    it.enter({ type: 'returned', task: attempt.task })
    it.dispatchLater()
  }
  const lost = runningAt(it, place, attempt)
  if (!lost) return
  fail(it, attemptOf(lost.of), place)
  // the processor may still run a task whose abort was lost
  it.toProcessor(place, { type: 'reset' })
}

/** Fails the tasks of a processor that has restarted: it has forgotten them. */
export const back = failAt

/** Fails all preempted tasks in a later incarnation of the site: their processors may have restarted unnoticed. */
export function distrust(it: Turn): void {
  for (const held of it.book.held.values()) fail(it, heldBy(held), held.on)
}
