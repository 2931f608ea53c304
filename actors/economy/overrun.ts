/** Jobs that need more time than declared: it is sold to them piece by piece while their users' savings last (section 2.2). */
import { toUnits } from '../../lib/actor.ts'
import { end } from './admission.ts'
import { watchEnd } from './choosing.ts'
import type { Turn } from './desk.ts'
import { smoothed } from './price.ts'

/** The time that is paid for is over. */
export function overdue(turn: Turn, job: number): void {
  const { terms, book } = turn
  const running = book.running.get(job)
  if (!running || !terms.overrun || isAsked(turn, job)) return
  const { lasts, alpha, grace } = terms.overrun
  if (turn.now < running.end + grace) return watchEnd(turn, job)
  if (terms.bank === null) return extend(turn, job)
  const best = book.ready.length > 0 ? turn.best : 0 // once nobody waits, nobody offers
  const { money, work } = book.sold
  const minutes = toUnits(lasts)
  const price = smoothed(best, work > 0 ? money / work : 0, alpha, minutes)
  const { processors, user } = running.of
  turn.instruct({ type: 'extend', job, user, cost: price * processors * minutes })
}

const isAsked = ({ book }: Turn, job: number): boolean =>
  book.unanswered.some(({ act }) => act.type === 'extend' && act.job === job)

/** It is paid for, or it is not. */
export function answered(turn: Turn, job: number, paid: number | null): void {
  const running = turn.book.running.get(job)
  if (!running) return
  if (paid !== null) return extend(turn, job)
  const { of, on } = running
  for (const place of on) turn.toProcessor(place, { type: 'abort', task: job, attempt: of.attempt })
  end(turn, job, 'overrun')
}

function extend(turn: Turn, job: number): void {
  const running = turn.book.running.get(job)
  if (!running || !turn.terms.overrun) return
  const end = running.end + turn.terms.overrun.lasts
  turn.enter({ type: 'extended', job, end })
  turn.note({ type: 'extended', job, end })
  turn.call() // a reservation that slips leaves more time before it
  watchEnd(turn, job)
}
