/**
 * The eager contractor bids for every request at once, with the start and completion that it predicts. Its awarded
 * tasks are reservations. When it cannot keep promises, it tells one client at a time, since the decision of that
 * client can change the start of the next reservation.
 */
import { now, type Time, tell } from '../../../lib/actor.ts'
import type { Request } from '../agenda.ts'
import { contractor } from '../contractor.ts'
import { awaitAnswer, begin, bid, type Context, hold, type It, predict, soonest, wakeAfter } from '../moves.ts'
import { firstLate, PATIENCE, quotedStart } from './rules.ts'

/** The predicted end of the current execution; now if that has passed or the machine is idle. */
const available = (context: Context): Time => {
  const { executing } = context
  return executing ? Math.max(now(), executing.since + predict(context, executing)) : now()
}

function consider(it: It, request: Request): void {
  const { context } = it
  const { executing, held } = context
  if (executing?.task === request.task) return bid(it, request, available(context) - predict(context, executing))
  const start = quotedStart(available(context), held, request, (task) => predict(context, task))
  bid(it, request, Math.max(start, soonest(context)))
}

/** The promised start of a reservation whose client does not answer: its promise no longer holds. */
const NEVER: Time = Number.MAX_SAFE_INTEGER

/** Tells the client of the first promise that cannot be kept, unless an answer to another bump is open. */
function bump(it: It): void {
  const { context } = it
  const { held, question, terms } = context
  if (question) return
  const late = firstLate(available(context), held, terms.tolerance, (task) => predict(context, task))
  if (!late) return
  it.do(tell(late.client, { type: 'bump', task: late.task, attempt: late.attempt, kept: true }))
  // five delays give the client time to request bids, to wait for them, and to answer
  awaitAnswer(it, late, 5)
}

/** Sets the timer for the next check of an overdue machine that has promises to keep. */
function watch(it: It): void {
  const { executing, held } = it.context
  if (!executing || held.every(({ promise }) => promise === NEVER)) return
  const overdue = now() - (executing.since + predict(it.context, executing))
  wakeAfter(it, overdue < 0 ? PATIENCE - overdue : PATIENCE - (overdue % PATIENCE))
}

function check(it: It): void {
  bump(it)
  watch(it)
}

export default contractor({
  consider,
  accept: hold,
  proceed: (it) => {
    begin(it)
    check(it)
  },
  onWake: check,
  // the client does not answer: the task stays reserved, and is no longer bumped
  onLapse: (it, { task }) => {
    it.context.held = it.context.held.map((award) => (award.task === task ? { ...award, promise: NEVER } : award))
  },
})
