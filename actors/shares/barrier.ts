/**
 * The barrier of one parallel job, on a machine of its own: opens when the last of its processes is in, and releases
 * them all. It knows nothing of how they are scheduled. Whoever is missing for long is asked for; who is gone or does
 * not answer has lost the job, and its other processes are withdrawn. Where a placer chooses the members it enlists them;
 * who arrives before that waits.
 */
import {
  type Address,
  actor,
  cancel,
  type Decision,
  type Effect,
  type Mail,
  observe,
  persist,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Arrive, Standing, ToScheduler } from '../processor/jobs.ts'
import type { Enlist } from './placement.ts'

export type BarrierInput = {
  readonly job: string
  /** The processors, by rank; none: they will be enlisted. */
  readonly members: readonly Address[]
  readonly membership: Membership | null
  /** Whom earlier lives were told of, the last one last; absent in the first. */
  readonly records?: readonly (readonly Address[])[]
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

interface Context extends Omit<BarrierInput, 'records'> {
  /** The round that it gathers, from 1. */
  readonly round: number
  /** Ranks that are in, and who said so. */
  readonly arrived: ReadonlyMap<number, Address>
  /** Ranks that have been asked for and have not answered. */
  readonly silent: ReadonlySet<number>
}

type Event = Mail<Arrive> | Mail<Standing> | Mail<Enlist> | { type: 'late' } | { type: 'overdue' }

const { createMachine, rule, onEntry } = actor<{ input: BarrierInput; context: Context; event: Event }>()

const order = (to: Address, message: ToScheduler) => tell(to, message)
const note = (fact: BarrierFact) => observe(fact)

const watch = ({ membership, members }: Pick<Context, 'membership' | 'members'>): Effect[] =>
  membership && members.length > 0 ? [timer('membership', membership.patience, { type: 'late' })] : []

/** It has no place in the job, or the job is over. */
const dropOne = (context: Context, from: Address): Decision<Context> => [
  {},
  order(from, { type: 'withdraw', job: context.job }),
]

const openIfAll = (context: Context): Decision<Context> => {
  const { job, round, members, arrived } = context
  if (members.length === 0 || arrived.size < members.length) return [{ arrived }]
  const release = { type: 'release', job, round } as const
  return [
    { arrived: new Map(), round: round + 1, silent: new Set() },
    ...members.map((member) => order(member, release)),
    note({ type: 'opened', job, round }),
    ...watch(context),
  ]
}

/** Whoever is ahead has seen a round that this barrier, in an earlier life, has opened: all are asked where they are. */
const catchUp = (context: Context, round: number): Decision<Context> => [
  { round, arrived: new Map(), silent: new Set() },
  ...context.members.map((member) => order(member, { type: 'recount', job: context.job })),
]

const meet = (context: Context, rank: number, round: number, from: Address): Decision<Context> => {
  const { job, members } = context
  if (members.length > 0 && members[rank] !== from) return dropOne(context, from)
  if (round > context.round) return catchUp(context, round)
  // the release of an earlier round was lost
  if (round < context.round) return [{}, order(from, { type: 'release', job, round })]
  return openIfAll({ ...context, arrived: new Map(context.arrived).set(rank, from) })
}

const onArrive = rule('arrive', (context, { rank, round, from }) => meet(context, rank, round, from))

/** Only in the first round can somebody take the place of another: without all of them it does not end. */
const onEnlist = rule('enlist', (context, { members }) => {
  const arrived = new Map([...context.arrived].filter(([rank, member]) => members[rank] === member))
  const [changes, ...effects] = openIfAll({ ...context, members, arrived })
  return [{ members, silent: new Set(), ...changes }, persist(members), ...watch({ ...context, members }), ...effects]
})

const onStanding = rule('standing', (context, standing) => {
  const rank = context.members.indexOf(standing.from)
  if (!standing.here) return [{}]
  const silent = new Set(context.silent)
  silent.delete(rank)
  const { round, waiting } = standing
  if (!waiting && round <= context.round) return [{ silent }]
  const [changes, ...effects] = waiting ? meet(context, rank, round, standing.from) : catchUp(context, round)
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

const dropAll = ({ job, members }: Pick<Context, 'job' | 'members'>): Effect[] =>
  members.map((member) => order(member, { type: 'withdraw', job }))

const abort = (context: Context, lost: readonly Address[]): Decision<Context> => [
  {},
  cancel('membership'),
  ...dropAll(context),
  note({ type: 'aborted', job: context.job, round: context.round, lost }),
]

const silentOf = ({ silent, members }: Context) => [...silent].flatMap((rank) => members[rank] ?? [])

const isLost = ({ context, event }: { context: Context; event: Event }) =>
  event.type === 'standing' && !event.here && context.members.includes(event.from)
const isSilent = ({ context }: { context: Context }) => context.silent.size > 0

export default createMachine({
  context: ({ input: { records = [], ...input } }) => ({
    ...input,
    members: records.at(-1) ?? input.members,
    round: 1,
    arrived: new Map(),
    silent: new Set(),
  }),
  initial: 'gathering',
  states: {
    gathering: {
      entry: onEntry((context) => [{}, ...watch(context)]),
      on: {
        arrive: { actions: onArrive },
        enlist: { actions: onEnlist },
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
        enlist: { actions: rule('enlist', ({ job }, { members }) => [{}, ...dropAll({ job, members })]) },
        standing: {},
      },
    },
  },
})
