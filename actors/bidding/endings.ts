/** How a task ends for its client: with a result, or without one. After that nothing is done for it, by anybody. */
import { type Decision, type Effect, type Mail, now } from '../../lib/actor.ts'
import { type Context, EVERYBODY, type Live, note, send, stamp, stopAsking } from './conversation.ts'
import { learn } from './estimates.ts'
import { remember } from './memory.ts'
import type { Attempt, ClientFact, Result } from './messages.ts'

type Ended = Extract<ClientFact, { type: 'ended' }>

const forget = ({ task, attempt }: Attempt): Effect[] => [
  remember({ type: 'done', task }),
  send(EVERYBODY, { type: 'cancelAll', task, attempt }),
]

function close(context: Context, task: Live): Decision<Context> {
  const { [task.job.id]: _, ...live } = context.live
  return [{ live }, ...forget(stamp(task)), ...stopAsking(context, task.job)]
}

/** An earlier incarnation awarded it, and it may not be begun twice. */
export const giveUpEntrusted = (attempt: Attempt): Effect[] => [
  ...forget(attempt),
  note({ type: 'ended', ...attempt, reason: 'not restartable', contractor: null }),
]

/** Nothing will come of it. */
export function endWithout(
  context: Context,
  task: Live,
  why: Pick<Ended, 'reason' | 'contractor' | 'error'>,
): Decision<Context> {
  return [...close(context, task), note({ type: 'ended', ...stamp(task), ...why })]
}

/** Its execution has ended by itself. */
export function finish(context: Context, task: Live, result: Mail<Result>): Decision<Context> {
  const { outcome, work = 0, from: contractor } = result
  if (outcome && 'error' in outcome) {
    return endWithout(context, task, { reason: 'threw', contractor, error: outcome.error })
  }
  const [changes, ...effects] = close(context, task)
  const { arrival, work: asked, estimate } = task.job
  const done = { type: 'done', ...stamp(task), contractor, arrival, flow: now() - arrival } as const
  if (typeof asked === 'number' || !outcome) return [changes, ...effects, note(done)]
  const measured = learn(context.measured, asked, work)
  return [{ ...changes, measured }, ...effects, note({ ...done, result: outcome.result, estimate, work })]
}
