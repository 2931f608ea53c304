/**
 * The eager contractor bids for everything at once, with the start and completion that it foresees, and keeps what it
 * is awarded as reservations. When it cannot keep a promise it tells the client, one after the other: what the first
 * of them does may mend or worsen the case of the next.
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

/** When the machine will be available, if what it executes takes as long as estimated, or ends now if that is over. */
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

/** How often a machine that is overdue looks whether it can keep its promises. */
const PATIENCE = units(1)

/** Nothing is promised any more. */
const NEVER: Time = Number.MAX_SAFE_INTEGER

/** Tells the client of the first promise that cannot be kept, unless one is being talked about. */
const bump: Move = (context) => {
  const { held, question, terms } = context
  if (question) return [{}]
  const late = firstLate(available(context), held, terms.tolerance, (task) => predict(context, task))
  if (!late) return [{}]
  // the client asks for bids, waits for them, and answers
  const [changes, ...effects] = awaitAnswer(late, 5)(context)
  return [changes, answer(late.client, { type: 'bump', ...stamp(late), kept: true }), ...effects]
}

/** An overdue machine with promises to keep checks them at regular intervals. */
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
  // its client does not answer: the task keeps its place, but no more news of it is sent
  onLapse:
    ({ task }) =>
    ({ held }) => [{ held: held.map((award) => (award.task === task ? { ...award, promise: NEVER } : award)) }],
})
