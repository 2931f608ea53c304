/**
 * When it is time for a rotation: asks the allocator for one, again and again, as long as there are jobs (sections 2 and 5.3).
 * It goes by what the allocator says after each, so that it rests when the machine does, or when nobody answers.
 */
import { type Address, actor, cancel, type Mail, now, type Time, tell, timer } from '../../lib/actor.ts'
import type { ToClock } from './messages.ts'

export type ClockInput = {
  readonly allocator: Address
  /** > 0 */
  readonly interval: Time
  /** Times the number of jobs? */
  readonly isPerJob: boolean
}

interface Context extends ClockInput {
  /** When it asked last, or when there were jobs again. */
  readonly since: Time
  readonly jobs: number
}

type Event = Mail<ToClock> | { type: 'tick' }

const { createMachine, rule } = actor<{ input: ClockInput; context: Context; event: Event }>()

const onRunning = rule('running', ({ interval, isPerJob, since: before, jobs: had }, { jobs }) => {
  if (jobs === 0) return [{ jobs }, cancel('tick')]
  const since = had === 0 ? now() : before
  const due = since + (isPerJob ? interval * jobs : interval)
  return [{ jobs, since }, timer('tick', Math.max(0, due - now()), { type: 'tick' })]
})

export default createMachine({
  context: ({ input }) => ({ ...input, since: 0, jobs: 0 }),
  on: {
    running: { actions: onRunning },
    tick: { actions: rule('tick', ({ allocator }) => [{ since: now() }, tell(allocator, { type: 'due' })]) },
  },
})
