/**
 * Which of a site's processors are alive, and what became of tasks on those that are not: what they had run is lost, and they
 * wait again (section 6). Without patience nobody is asked.
 */
import { timer } from '../../lib/actor.ts'
import { type Attempt, isSame, type Progress } from '../processor/messages.ts'
import { attemptOf } from './messages.ts'
import { type Held, isBusy, type Running } from './site-book.ts'
import type { Turn } from './site-turn.ts'
import { LONGEST_PAUSE } from './terms.ts'

const NOTHING: Attempt = { task: -1, attempt: 0 }

/** Asks all that should be at work, and those that did not answer before: they may be back. */
export function ask(it: Turn): void {
  const { running, held, down } = it.book
  for (const { on, of } of running.values()) it.toProcessor(on, { type: 'probe', ...attemptOf(of) })
  for (const place of down) it.toProcessor(place, { type: 'probe', ...NOTHING })
  for (const one of held.values()) askBack(it, one)
  it.quiet = [...new Set([...running.values(), ...held.values()].map(({ on }) => on))]
}

/** What was preempted is known to be whole when its processor answers after that. */
export const askBack = (it: Turn, held: Held): void => it.toProcessor(held.on, { type: 'probe', ...heldBy(held) })

/** The attempt that a processor has not given back. */
const heldBy = ({ of: { task, attempt } }: Held): Attempt => attemptOf({ task, attempt: attempt - 1 })

/** While anything runs somebody may die under it; while nothing can, somebody may answer again, and is asked ever more rarely. */
export function watch(it: Turn): void {
  const { patience } = it.terms
  const isAtWork = it.book.running.size > 0
  if (patience === null || it.isWatching || !(isAtWork || isHeldUp(it))) return
  it.isWatching = true
  it.do(timer('inspect', it.asking, { type: 'inspect' }))
  it.asking = isAtWork ? patience : 2 * it.asking
}

/** Does anything wait for a processor that has not answered? */
const isHeldUp = ({ book, asking }: Turn): boolean =>
  asking <= LONGEST_PAUSE && (book.held.size > 0 || (isBusy(book) && book.down.length > 0))

/** Who has not answered since the last time is taken for dead. */
export function inspect(it: Turn): void {
  it.isWatching = false
  for (const place of it.quiet) lose(it, place)
  ask(it)
}

function lose(it: Turn, place: number): void {
  it.enter({ type: 'lost', processor: place })
  failAt(it, place)
}

/** What it was at, and what it had not given back. */
function failAt(it: Turn, place: number): void {
  for (const { on, of } of it.book.running.values()) if (on === place) fail(it, attemptOf(of), place)
  for (const held of it.book.held.values()) if (held.on === place) fail(it, heldBy(held), place)
}

function fail(it: Turn, { task, attempt }: Attempt, place: number): void {
  it.enter({ type: 'failed', task })
  it.note({ type: 'failed', task, attempt: attempt, processor: it.processor(place) })
  it.dispatchLater()
}

/** Whoever says anything is alive; who was taken for dead may be at what others do meanwhile. */
export function heard(it: Turn, place: number): void {
  it.quiet = it.quiet.filter((one) => one !== place)
  it.asking = it.terms.patience ?? 0
  if (!it.book.down.includes(place)) return
  it.enter({ type: 'found', processor: place })
  it.toProcessor(place, { type: 'reset' })
  it.dispatchLater()
}

/** The task of which this is an attempt, if it is the one that runs there. */
export function runningAt({ book }: Turn, place: number, attempt: Attempt): Running | null {
  const running = book.running.get(attempt.task)
  return running?.on === place && isSame(attemptOf(running.of), attempt) ? running : null
}

/** The answer to a probe: one that neither runs the task nor has done it has forgotten it, or never heard of it. */
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
  // it may be at something that it was told to stop, and did not hear that
  it.toProcessor(place, { type: 'reset' })
}

/** It is back, with nothing to do. */
export const back = failAt

/** In a later incarnation of the site: whether processors that were to give something back have restarted meanwhile nobody knows. */
export function distrust(it: Turn): void {
  for (const held of it.book.held.values()) fail(it, heldBy(held), held.on)
}
