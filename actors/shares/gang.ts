/**
 * Gang scheduling (explicit coscheduling), the baseline: in every slot one parallel job has all its processors,
 * chosen by stride over the jobs' tickets. It is the only actor here that knows the global schedule. It is a
 * table without states: it takes each message in the same way at any time, and the job of the slot is data.
 */
import { actor, type Decision, type Effect, type Ref, type Time, tell } from '../../lib/actor.ts'
import { BASE } from '../processor/currencies.ts'
import type { FromScheduler, Parallel, ToScheduler } from '../processor/jobs.ts'
import { STRIDE1 } from '../processor/sharing.ts'
import { type Client, charge, competitors, dispatch, EMPTY, join, type Queue, requeue } from '../processor/stride.ts'

/** What a gang scheduler is spawned with. */
export type GangInput = {
  readonly jobs: readonly GangJob[]
  /** How long a job has the cluster at a time. */
  readonly slot: Time
}

/** A parallel job of a gang scheduler. */
export type GangJob = {
  readonly job: string
  readonly tickets: number
  readonly program: Omit<Parallel, 'rank'>
  /** The processors, by rank. */
  readonly members: readonly Ref<ToScheduler>[]
}

/** The fact that a gang scheduler observes when a job gets the cluster. */
export type GangFact = { readonly type: 'turn'; readonly job: string }

/** A job as a client of a stride scheduler whose quantum is a slot of the whole cluster. */
type Gang = Client & { readonly of: GangJob }

interface Context {
  readonly slot: Time
  readonly queue: Queue<Gang>
}

type Event = { type: 'over' } | FromScheduler

const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: GangInput
  context: Context
  event: Event
  fact: GangFact
}>()

const toAll = ({ members }: GangJob, message: (rank: number) => ToScheduler): Effect[] =>
  members.map((member, rank) => tell(member, message(rank)))

/**
 * Submits and suspends all processes of a job: they are on their machines from the start, and wait there for their
 * slots.
 */
const submitted = ({ of }: Gang): Effect[] => [
  ...toAll(of, (rank) => ({
    type: 'submit',
    job: of.job,
    currency: BASE,
    amount: 1,
    program: { ...of.program, rank },
  })),
  ...toAll(of, () => ({ type: 'suspend', job: of.job })),
]

/** Gives the cluster to the first job of the queue. */
function next(queue: Queue<Gang>, slot: Time): Decision<Context> {
  const given = dispatch(queue)
  const { running } = given
  if (!running) return [{}]
  const { of } = running
  return [
    { queue: given },
    ...toAll(of, () => ({ type: 'resume', job: of.job })),
    observe({ type: 'turn', job: of.job }),
    timer('slot', slot, { type: 'over' }),
  ]
}

function over({ queue, slot }: Context): Decision<Context> {
  const { running } = queue
  if (!running) return [{}]
  const paid = charge(running, slot, { quantum: slot, stride1: STRIDE1 })
  const [changes, ...effects] = next(requeue({ ...queue, running: paid }), slot)
  const { job } = running.of
  return [changes, ...toAll(running.of, () => ({ type: 'suspend', job })), ...effects]
}

const clientOf = (of: GangJob, order: number): Gang => {
  const { tickets } = of
  return { of, order, tickets, extra: 0, pass: STRIDE1 / tickets, lag: 0 }
}

export default createMachine({
  context: ({ input: { jobs, slot } }) => ({
    slot,
    queue: jobs.map(clientOf).reduce<Queue<Gang>>(join, EMPTY),
  }),
  entry: onEntry(({ queue, slot }) => {
    const [changes, ...effects] = next(queue, slot)
    return [changes, ...competitors(queue).flatMap(submitted), ...effects]
  }),
  on: handlers({ over, exited: {}, refused: {} }),
})
