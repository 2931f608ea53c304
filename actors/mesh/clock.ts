/**
 * The clock of rotations: asks the allocator for a rotation at each interval while there are jobs (sections 2 and 5.3).
 * It waits for the allocator's report after each, so it stops when no job is left or the allocator does not answer.
 * It is a table without states: whether it waits is whether its timer is set.
 */
import { actor, cancel, now, type Ref, type Time, tell } from '../../lib/actor.ts'
import type { ToAllocator, ToClock } from './messages.ts'

export type ClockInput = {
  readonly allocator: Ref<ToAllocator>
  /** The time between rotations, > 0. */
  readonly interval: Time
  /** Whether the interval is multiplied by the number of jobs. */
  readonly isPerJob: boolean
}

interface Context extends ClockInput {
  /** The time of the last request, or since when there have been jobs. */
  readonly since: Time
  readonly jobs: number
}

type Event = ToClock | { type: 'tick' }

const { createMachine, handlers, timer } = actor<{ input: ClockInput; context: Context; event: Event }>()

export default createMachine({
  context: ({ input }) => ({ ...input, since: 0, jobs: 0 }),
  on: handlers({
    running({ interval, isPerJob, since: before, jobs: had }, { jobs }) {
      if (jobs === 0) return [{ jobs }, cancel('tick')]
      const since = had === 0 ? now() : before
      const due = since + (isPerJob ? interval * jobs : interval)
      return [{ jobs, since }, timer('tick', Math.max(0, due - now()), { type: 'tick' })]
    },
    tick: ({ allocator }) => [{ since: now() }, tell(allocator, { type: 'due' })],
  }),
})
