/** Dispatch at a site: the tasks with the best ranks start on idle processors, then tasks may preempt others (section 3). */
import { now, type Turn } from '../../lib/actor.ts'
import { toProcessor } from '../processor/employer.ts'
import { askBack } from './inspection.ts'
import { firstOf } from './queue.ts'
import { fieldOf, lowestOf } from './quote.ts'
import { bestOf, type Candidate, ranks } from './ranks.ts'
import {
  addressOf,
  type Context,
  type Contract,
  enter,
  idlePlaces,
  observe,
  occupantsOf,
  siteOf,
} from './site-state.ts'

type It = Turn<Context>

/** Starts the best tasks on idle processors; ranks are computed again before each start. Then preempts running tasks. */
export function dispatch(it: It): void {
  const { heuristic } = it.context.terms
  for (const place of idlePlaces(it.context)) {
    const field = fieldOf(siteOf(it.context))
    const best = firstOf(it.context.book.waiting, field, ranks(heuristic, field, now()))
    if (best) start(it, best, place)
  }
  for (let next = challengeAt(it.context); next; next = challengeAt(it.context)) {
    preempt(it, next.lowest)
    start(it, next.challenger, next.lowest.on)
  }
  it.context.fresh = null
  if (it.context.terms.preempt !== 0) it.do(observe({ type: 'dispatched' }))
}

interface Challenge {
  readonly challenger: Candidate
  readonly lowest: Contract
}

/** The next preemption: a waiting task, and the running task of lower rank that it displaces; null if there is none. */
function challengeAt(context: Context): Challenge | null {
  const { preempt, heuristic } = context.terms
  const site = siteOf(context)
  const { challengers } = site
  if (!challengers) return null
  const field = fieldOf(site)
  const rank = ranks(heuristic, field, now())
  const challenger = preempt === 2 ? firstOf(site.waiting, field, rank) : bestOf(rank, challengers())
  const lowest = lowestOf(occupantsOf(context), rank)
  return challenger && lowest && rank(challenger) > rank(lowest) ? { challenger, lowest } : null
}

function start(it: It, { task }: Candidate, place: number): void {
  enter(it, { type: 'started', task, on: place, at: now() })
  const of = it.context.book.running.get(task)?.context
  if (!of) return
  it.do(observe({ type: 'began', task, processor: addressOf(it.context, place) }))
  toProcessor(it, place, { type: 'run', task, attempt: of.attempt, work: of.remaining, setup: 0 })
}

/** Preempts a running task. */
function preempt(it: It, { task, on }: Challenge['lowest']): void {
  halt(it, task)
  enter(it, { type: 'preempted', task, at: now() })
  it.do(observe({ type: 'preempted', task, processor: addressOf(it.context, on) }))
  const held = it.context.book.held.get(task)?.context
  if (it.context.terms.patience === null) enter(it, { type: 'returned', task })
  else if (held) askBack(it, held)
}

/** Stops a task if it runs. */
export function halt(it: It, task: number): void {
  const running = it.context.book.running.get(task)?.context
  if (running) toProcessor(it, running.on, { type: 'abort', task, attempt: running.attempt })
}
