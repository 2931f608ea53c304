/**
 * The eager contractor bids for every request at once, with the start and completion that it predicts. Its awarded
 * tasks are reservations. When it cannot keep promises, it tells one client at a time, since the decision of that
 * client can change the start of the next reservation.
 */
import { now, type Time, units } from '../../../lib/actor.ts'
import type { Request } from '../agenda.ts'
import { contractor } from '../contractor.ts'
import {
  answer,
  awaitAnswer,
  begin,
  bid,
  type Context,
  hold,
  inTurn,
  type Move,
  predict,
  soonest,
  stamp,
  wakeAfter,
} from '../moves.ts'
import { firstLate, quotedStart } from './rules.ts'

/** The predicted end of the current execution; now if that has passed or the machine is idle. */
const available = (context: Context): Time => {
  const { executing } = context
  return executing ? Math.max(now(), executing.since + predict(context, executing)) : now()
}

const consider =
  (request: Request): Move =>
  (context) => {
    const { executing, held } = context
    if (executing?.task === request.task) {
      return bid(request, available(context) - predict(context, executing))(context)
    }
    const start = quotedStart(available(context), held, request, (task) => predict(context, task))
    return bid(request, Math.max(start, soonest(context)))(context)
  }

/** The interval between checks of an overdue machine whether it can keep its promises. */
const PATIENCE = units(1)

/** The promised start of a reservation whose client does not answer: its promise no longer holds. */
const NEVER: Time = Number.MAX_SAFE_INTEGER

/** Tells the client of the first promise that cannot be kept, unless an answer to another bump is open. */
const bump: Move = (context) => {
  const { held, question, terms } = context
  if (question) return [{}]
  const late = firstLate(available(context), held, terms.tolerance, (task) => predict(context, task))
  if (!late) return [{}]
  // five delays give the client time to request bids, to wait for them, and to answer
  const [changes, ...effects] = awaitAnswer(late, 5)(context)
  return [changes, answer(late.client, { type: 'bump', ...stamp(late), kept: true }), ...effects]
}

/** Sets the timer for the next check of an overdue machine that has promises to keep. */
const watch: Move = (context) => {
  const { executing, held } = context
  if (!executing || held.every(({ promise }) => promise === NEVER)) return [{}]
  const overdue = now() - (executing.since + predict(context, executing))
  return [{}, wakeAfter(overdue < 0 ? PATIENCE - overdue : PATIENCE - (overdue % PATIENCE))]
}

const proceed: Move = (context) => inTurn(context, begin, bump, watch)

export default contractor({
  consider,
  accept: hold,
  proceed,
  onWake: (context) => inTurn(context, bump, watch),
  // the client does not answer: the task stays reserved, and is no longer bumped
  onLapse:
    ({ task }) =>
    ({ held }) => [{ held: held.map((award) => (award.task === task ? { ...award, promise: NEVER } : award)) }],
})
