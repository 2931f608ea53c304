/**
 * The barrier of one parallel job, on a machine of its own: opens when the last of its processes is in, and releases
 * them all. It knows nothing of how they are scheduled. Whoever is missing for long is asked for; who is gone or does
 * not answer has lost the job, and its other processes are withdrawn.
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Effect,
  type Mail,
  observe,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Arrive, Standing, ToScheduler } from '../processor/jobs.ts'

export type BarrierInput = {
  readonly job: string
  /** The processors, by rank. */
  readonly members: readonly Address[]
  readonly membership: Membership | null
}

/** When to think of who does not come; without it a job that lost a member waits for ever. */
export type Membership = {
  /** How long a round may take before the missing are asked for. */
  readonly patience: Time
  /** How long they have to answer. */
  readonly timeout: Time
}

/** What happened, for whoever folds a run. */
export type BarrierFact =
  | { readonly type: 'opened'; readonly job: string; readonly round: number }
  | { readonly type: 'aborted'; readonly job: string; readonly round: number; readonly lost: readonly Address[] }

interface Context extends BarrierInput {
  /** The round that it gathers, from 1. */
  readonly round: number
  /** Ranks that are in. */
  readonly arrived: ReadonlySet<number>
  /** Ranks that have been asked for and have not answered. */
  readonly silent: ReadonlySet<number>
}

type Event = Mail<Arrive> | Mail<Standing> | { type: 'late' } | { type: 'overdue' }

const { createMachine, rule, onEntry } = actor<{ input: BarrierInput; context: Context; event: Event }>()

const order = (to: Address, message: ToScheduler) => tell(to, message)
const note = (fact: BarrierFact) => observe(fact)

const watch = ({ membership }: Context): Effect[] =>
  membership ? [timer('membership', membership.patience, { type: 'late' })] : []

const enter = (context: Context, rank: number): Decision<Context> => {
  const { job, round, members } = context
  const arrived = new Set(context.arrived).add(rank)
  if (arrived.size < members.length) return [{ arrived }]
  const release = { type: 'release', job, round } as const
  return [
    { arrived: new Set(), round: round + 1, silent: new Set() },
    ...members.map((member) => order(member, release)),
    note({ type: 'opened', job, round }),
    ...watch(context),
  ]
}

/** Whoever is ahead has seen a round that this barrier, in an earlier life, has opened: all are asked where they are. */
const catchUp = (context: Context, round: number): Decision<Context> => [
  { round, arrived: new Set(), silent: new Set() },
  ...context.members.map((member) => order(member, { type: 'recount', job: context.job })),
]

const meet = (context: Context, rank: number, round: number): Decision<Context> => {
  const { job, members } = context
  const member = members[rank]
  if (member === undefined) return [{}]
  if (round > context.round) return catchUp(context, round)
  // the release of an earlier round was lost
  if (round < context.round) return [{}, order(member, { type: 'release', job, round })]
  return enter(context, rank)
}

const onArrive = rule('arrive', (context, { rank, round }) => meet(context, rank, round))

const onStanding = rule('standing', (context, standing) => {
  const rank = context.members.indexOf(standing.from)
  if (!standing.here) return [{}]
  const silent = new Set(context.silent)
  silent.delete(rank)
  const { round, waiting } = standing
  if (!waiting && round <= context.round) return [{ silent }]
  const [changes, ...effects] = waiting ? meet(context, rank, round) : catchUp(context, round)
  return [{ silent, ...changes }, ...effects]
})

const onLate = rule('late', ({ job, members, arrived, membership }) => {
  const missing = [...members.keys()].filter((rank) => !arrived.has(rank))
  const asked = missing.flatMap((rank) => members[rank] ?? [])
  return [
    { silent: new Set(missing) },
    ...asked.map((member) => order(member, { type: 'recount', job })),
    ...(membership ? [timer('membership', membership.timeout, { type: 'overdue' })] : []),
  ]
})

const dropAll = ({ job, members }: Context): Effect[] =>
  members.map((member) => order(member, { type: 'withdraw', job }))

const abort = (context: Context, lost: readonly Address[]): Decision<Context> => [
  {},
  cancel('membership'),
  ...dropAll(context),
  note({ type: 'aborted', job: context.job, round: context.round, lost }),
]

const silentOf = ({ silent, members }: Context) => [...silent].flatMap((rank) => members[rank] ?? [])

const isLost = ({ event }: { event: Event }) => event.type === 'standing' && !event.here
const isSilent = ({ context }: { context: Context }) => context.silent.size > 0

const dropOne = (context: Context, from: Address): Decision<Context> => [
  {},
  order(from, { type: 'withdraw', job: context.job }),
]

export default createMachine({
  context: ({ input }) => ({ ...input, round: 1, arrived: new Set(), silent: new Set() }),
  initial: 'gathering',
  states: {
    gathering: {
      entry: onEntry((context) => [{}, ...watch(context)]),
      on: {
        arrive: { actions: onArrive },
        late: { actions: onLate },
        standing: [
          {
            guard: isLost,
            target: 'aborted',
            actions: rule('standing', (context, { from }) => abort(context, [from])),
          },
          { actions: onStanding },
        ],
        overdue: [
          {
            guard: isSilent,
            target: 'aborted',
            actions: rule('overdue', (context) => abort(context, silentOf(context))),
          },
          { actions: rule('overdue', (context) => [{}, ...watch(context)]) },
        ],
      },
    },
    /** The job is over; a process that was not reached is dropped as soon as it speaks. */
    aborted: {
      on: {
        arrive: { actions: rule('arrive', (context, { from }) => dropOne(context, from)) },
        standing: {},
      },
    },
  },
})
