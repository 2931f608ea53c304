/**
 * The barrier of one parallel job, on a machine of its own. It opens when the last process of the job has arrived, and
 * then releases them all. It does not know how they are scheduled. If a member is missing for long, the barrier asks
 * for it several times, because a question or its answer may be lost. If a processor has no process of the job, or does
 * not answer, the job is given up: its other processes are withdrawn, and the withdrawal is repeated until they are
 * gone. If a placer chooses the members, it enlists them; processes that arrive before that wait.
 */
import {
  actor,
  cancel,
  type Delivery,
  eventSourced,
  type FailureDetector,
  heardOf,
  idleDetector,
  inspected,
  probed,
  type Ref,
  sender,
  type Time,
  type Turn,
  tell,
  turn,
} from '../../lib/actor.ts'
import type { Arrive, Standing, ToScheduler } from '../processor/jobs.ts'
import type { Enlist } from './placer/messages.ts'

/** What a barrier is spawned with. */
export type BarrierInput = {
  readonly job: string
  /** The processors, by rank; empty if a placer will enlist them. */
  readonly members: readonly Ref<ToScheduler>[]
  readonly membership: Membership | null
  /** The records of earlier incarnations; absent in the first one. */
  readonly records?: readonly Remembered[]
}

/** The records of a barrier: the members that a placer enlisted, and that the job was given up. */
type Remembered =
  | { readonly type: 'enlisted'; readonly members: readonly Ref<ToScheduler>[] }
  | { readonly type: 'aborted' }

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
  | {
      readonly type: 'aborted'
      readonly job: string
      readonly round: number
      readonly lost: readonly Ref<ToScheduler>[]
    }

const books = eventSourced<Book, Remembered>({
  empty: { members: [], isOver: false },
  apply: (book, record) =>
    record.type === 'enlisted' ? { ...book, members: record.members } : { ...book, isOver: true },
})

interface Book {
  readonly members: readonly Ref<ToScheduler>[]
  /** Whether the job was given up. */
  readonly isOver: boolean
}

interface Context extends Omit<BarrierInput, 'records' | 'members'> {
  readonly book: Book
  /** The round that is being gathered, from 1. */
  readonly round: number
  /** The ranks that have arrived, with the processor that said so. */
  readonly arrived: ReadonlyMap<number, Ref<ToScheduler>>
  /** Watches the members that were asked. Once the job is aborted, the silent ones may still have their processes. */
  readonly detector: FailureDetector<Ref<ToScheduler>>
}

type Event = Arrive | Standing | Enlist | { type: 'late' } | { type: 'overdue' }
type BarrierTurn = Turn<Context>

const { createMachine, handlers, onEntry, observe, timer } = actor<{
  input: BarrierInput
  context: Context
  event: Event
  reply: ToScheduler
  fact: BarrierFact
}>()

type FromMember = Delivery<Ref<ToScheduler>>

function watch(it: BarrierTurn): void {
  const { membership, book } = it.context
  if (membership && book.members.length > 0) it.do(timer('membership', membership.patience, { type: 'late' }))
}

const order = (it: BarrierTurn, members: readonly Ref<ToScheduler>[], message: ToScheduler): void =>
  it.do(...members.map((member) => tell(member, message)))

/** Withdraws processes that have no place in the job, or whose job is over. */
const withdraw = (it: BarrierTurn, members: readonly Ref<ToScheduler>[]): void =>
  order(it, members, { type: 'withdraw', job: it.context.job })

function openIfAll(it: BarrierTurn): void {
  const { context } = it
  const { job, round, arrived } = context
  const { members } = context.book
  if (members.length === 0 || arrived.size < members.length) return
  context.arrived = new Map()
  context.round = round + 1
  order(it, members, { type: 'release', job, round })
  it.do(observe({ type: 'opened', job, round }))
  watch(it)
}

/** Asks members where they are. They have a part of the timeout to answer. */
function ask(it: BarrierTurn, members: readonly Ref<ToScheduler>[], detector = idleDetector<Ref<ToScheduler>>()): void {
  const { job, membership } = it.context
  it.context.detector = probed(detector, members)
  order(it, members, { type: 'recount', job })
  if (membership) it.do(timer('membership', Math.ceil(membership.timeout / ASKS), { type: 'overdue' }))
}

/**
 * A member is ahead of this barrier, so an earlier incarnation has opened that round: all members are asked where
 * they are.
 */
function catchUp(it: BarrierTurn, round: number): void {
  ask(it, it.context.book.members)
  it.context.round = round
  it.context.arrived = new Map()
}

function meet(it: BarrierTurn, rank: number, round: number, from: Ref<ToScheduler>): void {
  const { context } = it
  const { job } = context
  const { members } = context.book
  if (members.length > 0 && members[rank] !== from) return withdraw(it, [from])
  if (round > context.round) return catchUp(it, round)
  // the release of an earlier round was lost.
  if (round < context.round) return order(it, [from], { type: 'release', job, round })
  context.arrived = new Map(context.arrived).set(rank, from)
  openIfAll(it)
}

/** Any message from a process proves that it exists. */
function hear({ context }: BarrierTurn, from: Ref<ToScheduler>): void {
  context.detector = heardOf(context.detector, from)
}

const onArrive = turn((it: BarrierTurn, { rank, round }: Arrive, { from }: FromMember) => {
  hear(it, from)
  meet(it, rank, round, from)
})

/** Sets the members. A process can be replaced only in the first round, which does not end without all of them. */
const onEnlist = turn((it: BarrierTurn, { members }: Enlist) => {
  const { context } = it
  context.arrived = new Map([...context.arrived].filter(([rank, member]) => members[rank] === member))
  books.enterIn(it, { type: 'enlisted', members }, true)
  watch(it)
  openIfAll(it)
})

const onStanding = turn((it: BarrierTurn, standing: Standing, { from }: FromMember) => {
  const rank = it.context.book.members.indexOf(from)
  if (rank < 0 || !standing.here) return
  const { round, waiting } = standing
  hear(it, from)
  if (waiting) meet(it, rank, round, from)
  else if (round > it.context.round) catchUp(it, round)
})

const inspectedIn = ({ detector }: Context) => inspected(detector, () => ASKS)

/** Withdraws the processes of the job that may be left, and asks whether any is. */
function dropAll(it: BarrierTurn, members: readonly Ref<ToScheduler>[]): void {
  it.context.detector = probed(idleDetector(), members)
  withdraw(it, members)
  order(it, members, { type: 'recount', job: it.context.job })
  watch(it)
}

/** Handles the answer of a processor after the job was given up. */
const onStandingStill = turn((it: BarrierTurn, { here }: Standing, { from }: FromMember) => {
  if (here) return withdraw(it, [from])
  hear(it, from)
  if (it.context.detector.silent.length === 0) it.do(cancel('membership'))
})

function abort(it: BarrierTurn, lost: readonly Ref<ToScheduler>[]): void {
  const { job, round, book } = it.context
  dropAll(it, book.members)
  books.enterIn(it, { type: 'aborted' }, true)
  it.do(observe({ type: 'aborted', job, round, lost }))
}

const isLost = ({ context, event }: { context: Context; event: Standing }) =>
  !event.here && context.book.members.some((member) => member === sender())
const isSilent = ({ context }: { context: Context }) => inspectedIn(context)[1].length > 0

export default createMachine({
  context: ({ input: { records, members, ...input } }) => ({
    ...input,
    book: books.recover(records, { members, isOver: false }),
    round: 1,
    arrived: new Map(),
    detector: idleDetector(),
  }),
  initial: 'starting',
  states: {
    starting: {
      always: [
        {
          guard: ({ context }) => context.book.isOver,
          target: 'aborted',
          actions: onEntry(turn((it: BarrierTurn) => dropAll(it, it.context.book.members))),
        },
        { target: 'gathering' },
      ],
    },
    gathering: {
      entry: onEntry(turn(watch)),
      on: handlers({
        arrive: onArrive,
        enlist: onEnlist,
        late: turn((it) => {
          const { book, arrived } = it.context
          const missing = book.members.filter((_, rank) => !arrived.has(rank))
          ask(it, missing)
        }),
        standing: [
          { guard: isLost, target: 'aborted', handle: turn((it, _, { from }: FromMember) => abort(it, [from])) },
          onStanding,
        ],
        overdue: [
          {
            guard: isSilent,
            target: 'aborted',
            handle: turn((it) => abort(it, inspectedIn(it.context)[1])),
          },
          turn((it) => {
            const [detector] = inspectedIn(it.context)
            if (detector.missed.size > 0) ask(it, [...detector.missed.keys()], detector)
            else watch(it)
          }),
        ],
      }),
    },
    /** The job is over; a process that could not be reached is withdrawn as soon as it can be. */
    aborted: {
      on: handlers({
        arrive: turn((it, _, { from }: FromMember) => withdraw(it, [from])),
        enlist: turn((it, { members }) => {
          books.enterIn(it, { type: 'enlisted', members }, true)
          dropAll(it, members)
        }),
        standing: onStandingStill,
        late: turn((it) => dropAll(it, it.context.detector.silent)),
      }),
    },
  },
})
