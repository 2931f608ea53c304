/** Who of those under contract runs at a site: the best rank first, and whoever may take another's place (section 3). */
import { askBack } from './inspection.ts'
import { attemptOf } from './messages.ts'
import { competitorsOf, lowestOf } from './quote.ts'
import { bestOf, type Rank, ranks } from './ranks.ts'
import type { Contract } from './site-book.ts'
import type { Turn } from './site-turn.ts'

/** Of everybody in question at this instant. */
const rankOf = (it: Turn): Rank => ranks(it.terms.heuristic, competitorsOf(it.site), it.now)

/** Who may begin; what was preempted cannot before its processor has given back what it had run. */
const ready = ({ book }: Turn): readonly Contract[] => book.waiting.filter(({ held }) => held === null)

/** The idle processors take the best, ranked anew each time; then some of those that run may have to give way. */
export function dispatch(it: Turn): void {
  for (const place of it.idle) {
    const best = bestOf(rankOf(it), ready(it))
    if (best) start(it, best.task, place)
  }
  for (let next = challenge(it); next; next = challenge(it)) start(it, next.challenger, preempt(it, next.lowest))
  it.fresh = []
}

/** Who may take whose place, if anybody. */
function challenge(it: Turn): { readonly challenger: number; readonly lowest: number } | null {
  const { preempt: mode } = it.terms
  if (mode === 0) return null
  const rank = rankOf(it)
  const challengers = mode === 2 ? ready(it) : ready(it).filter(({ task }) => it.fresh.includes(task))
  const challenger = bestOf(rank, challengers)
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

/** Returns its processor. */
function preempt(it: Turn, task: number): number {
  const place = halt(it, task)
  it.enter({ type: 'preempted', task, at: it.now })
  it.note({ type: 'preempted', task, processor: it.processor(place) })
  if (it.terms.patience === null) it.enter({ type: 'returned', task })
  else for (const contract of it.book.waiting) if (contract.task === task) askBack(it, contract)
  return place
}

/** Its processor, which stops it, if it runs; or -1. */
export function halt(it: Turn, task: number): number {
  const running = it.book.running.get(task)
  if (!running) return -1
  it.toProcessor(running.on, { type: 'abort', ...attemptOf(running.of) })
  return running.on
}
