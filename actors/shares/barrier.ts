/**
 * The barrier of one parallel job, on a machine of its own. It opens when the last process of the job has arrived, and
 * then releases them all. It does not know how they are scheduled. If a member is missing for long, the barrier asks
 * for it several times, because a question or its answer may be lost. If a processor has no process of the job, or does
 * not answer, the job is given up: its other processes are withdrawn, and the withdrawal is repeated until they are
 * gone. If a placer chooses the members, it enlists them; processes that arrive before that wait.
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
  sender,
  type Time,
  tell,
  timer,
} from '../../lib/actor.ts'
import type { Arrive, Standing, ToScheduler } from '../processor/jobs.ts'
import type { Enlist } from './placer/messages.ts'

export type BarrierInput = {
  readonly job: string
  /** The processors, by rank; empty if a placer will enlist them. */
  readonly members: readonly Address[]
  readonly membership: Membership | null
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Remembered[]
}

/** The records of a barrier: the members that a placer enlisted, and that the job was given up. */
type Remembered = { readonly type: 'enlisted'; readonly members: readonly Address[] } | { readonly type: 'aborted' }

/** How a barrier detects lost members. Without it, a job that lost a member waits for ever. */
export type Membership = {
  /** How long a round may take before missing members are asked for. */
  readonly patience: Time
  /** How long a missing member has to answer; in this time it is asked `ASKS` times. */
  readonly timeout: Time
}

/**
 * How often a missing member is asked before the job is given up. If all questions to a living member, or its
 * answers, are lost, the job is given up wrongly: once in 10,000 times if 5 % of the mail is lost, once in 60 if 20 %
 * is. Reliable delivery avoids that.
 */
export const ASKS = 4

/** The facts of a barrier. */
export type BarrierFact =
  | { readonly type: 'opened'; readonly job: string; readonly round: number }
  | { readonly type: 'aborted'; readonly job: string; readonly round: number; readonly lost: readonly Address[] }

interface Context extends Omit<BarrierInput, 'records'> {
  /** The round that is being gathered, from 1. */
  readonly round: number
  /** The ranks that have arrived, with the processor that said so. */
  readonly arrived: ReadonlyMap<number, Address>
  /**
   * Ranks that were asked for and have not answered; once the job is aborted, the ranks whose processes may still
   * exist.
   */
  readonly silent: ReadonlySet<number>
  /** The number of times that the silent ranks were asked. */
  readonly asked: number
  /** Whether an earlier incarnation gave the job up. */
  readonly isOver: boolean
}

type Event = Mail<Arrive> | Mail<Standing> | Mail<Enlist> | { type: 'late' } | { type: 'overdue' }

const { createMachine, rule, onEntry } = actor<{ input: BarrierInput; context: Context; event: Event }>()

const order = (to: Address, message: ToScheduler) => tell(to, message)
const note = (fact: BarrierFact) => observe(fact)
const remember = (record: Remembered) => persist(record)

const watch = ({ membership, members }: Pick<Context, 'membership' | 'members'>): Effect[] =>
  membership && members.length > 0 ? [timer('membership', membership.patience, { type: 'late' })] : []

/** Withdraws a process that has no place in the job, or whose job is over. */
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

const ask = ({ job, members }: Context, ranks: readonly number[]): Effect[] =>
  ranks.flatMap((rank) => members[rank] ?? []).map((member) => order(member, { type: 'recount', job }))

const ranksOf = ({ members }: Pick<Context, 'members'>): number[] => [...members.keys()]

/** Asks for the silent ranks once more. */
const askAgain = (context: Context, silent: readonly number[], asked: number): Decision<Context> => [
  { silent: new Set(silent), asked },
  ...ask(context, silent),
  ...(context.membership
    ? [timer('membership', Math.ceil(context.membership.timeout / ASKS), { type: 'overdue' })]
    : []),
]

/**
 * A member is ahead of this barrier, so an earlier incarnation has opened that round: all members are asked where
 * they are.
 */
function catchUp(context: Context, round: number): Decision<Context> {
  const [changes, ...effects] = askAgain(context, ranksOf(context), 1)
  return [{ ...changes, round, arrived: new Map() }, ...effects]
}

const meet = (context: Context, rank: number, round: number, from: Address): Decision<Context> => {
  const { job, members } = context
  if (members.length > 0 && members[rank] !== from) return dropOne(context, from)
  if (round > context.round) return catchUp(context, round)
  // the release of an earlier round was lost.
  if (round < context.round) return [{}, order(from, { type: 'release', job, round })]
  return openIfAll({ ...context, arrived: new Map(context.arrived).set(rank, from) })
}

/** Takes a rank off the silent ones: any message from its process proves that it exists. */
const without = (silent: ReadonlySet<number>, rank: number): ReadonlySet<number> =>
  new Set([...silent].filter((one) => one !== rank))

const onArrive = rule('arrive', (context, { rank, round, from }) => {
  const silent = context.members[rank] === from ? without(context.silent, rank) : context.silent
  const [changes, ...effects] = meet({ ...context, silent }, rank, round, from)
  return [{ silent, ...changes }, ...effects]
})

/** Sets the members. A process can be replaced only in the first round, which does not end without all of them. */
const onEnlist = rule('enlist', (context, { members }) => {
  const arrived = new Map([...context.arrived].filter(([rank, member]) => members[rank] === member))
  const [changes, ...effects] = openIfAll({ ...context, members, arrived })
  const watched = watch({ ...context, members })
  return [{ members, silent: new Set(), ...changes }, remember({ type: 'enlisted', members }), ...watched, ...effects]
})

const onStanding = rule('standing', (context, standing) => {
  const { from } = standing
  const rank = context.members.indexOf(from)
  if (rank < 0 || !standing.here) return [{}]
  const { round, waiting } = standing
  const silent = without(context.silent, rank)
  const [changes, ...effects] = waiting
    ? meet({ ...context, silent }, rank, round, from)
    : round > context.round
      ? catchUp(context, round)
      : [{}]
  return [{ silent, ...changes }, ...effects]
})

const onLate = rule('late', (context) => {
  const missing = ranksOf(context).filter((rank) => !context.arrived.has(rank))
  return askAgain(context, missing, 1)
})

/** Withdraws the processes of the job that may be left, and asks whether any is. */
const dropAll = (context: Context, silent: ReadonlySet<number>): Decision<Context> => {
  const { job, members } = context
  const left = [...silent]
  const withdrawn = left.flatMap((rank) => members[rank] ?? []).map((to) => order(to, { type: 'withdraw', job }))
  return [{ silent }, ...withdrawn, ...ask(context, left), ...watch(context)]
}

/** Handles the answer of a processor after the job was given up. */
const onStandingStill = rule('standing', (context, { from, here }) => {
  if (here) return dropOne(context, from)
  const silent = without(context.silent, context.members.indexOf(from))
  return [{ silent }, ...(silent.size === 0 ? [cancel('membership')] : [])]
})

function abort(context: Context, lost: readonly Address[]): Decision<Context> {
  const { job, round } = context
  const [changes, ...effects] = dropAll(context, new Set(ranksOf(context)))
  return [changes, ...effects, remember({ type: 'aborted' }), note({ type: 'aborted', job, round, lost })]
}

const silentOf = ({ silent, members }: Context) => [...silent].flatMap((rank) => members[rank] ?? [])

const isLost = ({ context, event }: { context: Context; event: Event }) =>
  event.type === 'standing' && !event.here && context.members.includes(sender())
const isSilent = ({ context }: { context: Context }) => context.silent.size > 0 && context.asked >= ASKS

const isEnlisted = (record: Remembered): record is Extract<Remembered, { type: 'enlisted' }> =>
  record.type === 'enlisted'

export default createMachine({
  context: ({ input: { records = [], ...input } }) => ({
    ...input,
    members: records.findLast(isEnlisted)?.members ?? input.members,
    isOver: records.some(({ type }) => type === 'aborted'),
    round: 1,
    arrived: new Map(),
    silent: new Set(),
    asked: 0,
  }),
  initial: 'starting',
  states: {
    starting: {
      always: [
        {
          guard: ({ context }) => context.isOver,
          target: 'aborted',
          actions: onEntry((context) => dropAll(context, new Set(ranksOf(context)))),
        },
        { target: 'gathering' },
      ],
    },
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
          {
            actions: rule('overdue', (context) => {
              const { silent, asked } = context
              return silent.size > 0 ? askAgain(context, [...silent], asked + 1) : [{}, ...watch(context)]
            }),
          },
        ],
      },
    },
    /** The job is over; a process that could not be reached is withdrawn as soon as it can be. */
    aborted: {
      on: {
        arrive: { actions: rule('arrive', (context, { from }) => dropOne(context, from)) },
        enlist: {
          actions: rule('enlist', (context, { members }) => {
            const [changes, ...effects] = dropAll({ ...context, members }, new Set(members.keys()))
            return [{ members, ...changes }, remember({ type: 'enlisted', members }), ...effects]
          }),
        },
        standing: { actions: onStandingStill },
        late: { actions: rule('late', (context) => dropAll(context, context.silent)) },
      },
    },
  },
})
