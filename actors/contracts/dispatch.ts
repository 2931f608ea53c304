/** Dispatch at a site: the tasks with the best ranks start on idle processors, then tasks may preempt others (section 3). */
import { askBack } from './inspection.ts'
import { attemptOf } from './messages.ts'
import { firstOf } from './queue.ts'
import { fieldOf, lowestOf } from './quote.ts'
import { bestOf, ranks } from './ranks.ts'
import type { Turn } from './site-state.ts'

/** Starts the best tasks on idle processors; ranks are computed again before each start. Then preempts running tasks. */
export function dispatch(it: Turn): void {
  for (const place of it.idle) {
    const field = fieldOf(it.site)
    const best = firstOf(it.book.waiting, field, ranks(it.terms.heuristic, field, it.now))
    if (best) start(it, best.task, place)
  }
  for (let next = challenge(it); next; next = challenge(it)) start(it, next.challenger, preempt(it, next.lowest))
  it.fresh = null
}

/** The next preemption: a waiting task, and the running task of lower rank that it displaces; null if there is none. */
function challenge(it: Turn): { readonly challenger: number; readonly lowest: number } | null {
  const { preempt: mode, heuristic } = it.terms
  if (mode === 0) return null
  const { site } = it
  const field = fieldOf(site)
  const rank = ranks(heuristic, field, it.now)
  const challenger = mode === 2 ? firstOf(site.waiting, field, rank) : bestOf(rank, site.challengers?.() ?? [])
  const lowest = lowestOf(it.occupants, rank)
  return challenger && lowest && rank(challenger) > rank(lowest)
    ? { challenger: challenger.task, lowest: lowest.task }
    : null
}

function start(it: Turn, task: number, place: number): void {
  it.enter({ type: 'started', task, on: place, at: it.now })
  const of = it.book.running.get(task)?.of
  if (!of) return
  it.note({ type: 'began', task, processor: it.processor(place) })
  it.toProcessor(place, { type: 'run', ...attemptOf(of), work: of.remaining, setup: 0 })
}

/** Preempts a running task and returns its processor. */
function preempt(it: Turn, task: number): number {
  const place = halt(it, task)
  it.enter({ type: 'preempted', task, at: it.now })
  it.note({ type: 'preempted', task, processor: it.processor(place) })
  if (it.terms.patience === null) it.enter({ type: 'returned', task })
  else {
    const held = it.book.held.get(task)
    if (held) askBack(it, held)
  }
  return place
}

/** Stops a task if it runs. Returns its processor, or -1. */
export function halt(it: Turn, task: number): number {
  const running = it.book.running.get(task)
  if (!running) return -1
  it.toProcessor(running.on, { type: 'abort', ...attemptOf(running.of) })
  return running.on
}
