/** The common parts of all allocators: their input, their log, dead processors, and limits on admission. */
import {
  type Address,
  cancel,
  type Decision,
  type Delivery,
  eventSourced,
  now,
  observe,
  persist,
  type Ref,
  type Time,
  type Turn,
  tell,
  timer,
  turn,
} from '../../../lib/actor.ts'
import { healthyOf } from '../fold/cells.ts'
import type { Place } from '../mapping.ts'
import { type Mesh, processorsOf, wholeOf } from '../mesh.ts'
import { type Attempt, attemptOf, type Noted, type ProcessorDown, type ToOperator } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'
import { NO_ROUND } from './round.ts'

export type Terms = Admission & {
  readonly mesh: Mesh
  /** The operator, which is told when no change is under way; null without an operator. */
  readonly operator: Ref<ToOperator> | null
  /**
   * The time after which an unanswered order is repeated. A job that never answers is taken for dead. Null: the
   * allocator waits for every job.
   */
  readonly patience: Time | null
  /** The log of earlier incarnations; absent in the first. */
  readonly records?: readonly Entry[]
}

/** The jobs on the mesh by leader, in the order of admission. */
export type Members = ReadonlyMap<Address, Attempt>

export const without = (jobs: Members, ...gone: readonly Address[]): Members =>
  new Map([...jobs].filter(([job]) => !gone.includes(job)))

export type Machine = Pick<Terms, 'mesh' | 'patience'> & { readonly down: readonly Place[] }

/** The largest healthy part of the mesh; null if every processor is dead. */
export const areaIn = ({ mesh, down }: Machine): Rectangle | null => healthyOf(wholeOf(mesh), down)

/** A fact for listeners: the allocator hears that this processor is dead. It is told once. */
export type Down = Place & { readonly type: 'down' }

/** Notes a dead processor, and returns whether it was not known yet. The report is acknowledged in both cases. */
export function noteDown(it: Turn<Machine>, { row, column }: ProcessorDown, { from }: Delivery<Ref<Noted>>): boolean {
  const { down } = it.context
  const isNew = !down.some((place) => place.row === row && place.column === column)
  if (isNew) {
    it.context.down = [...down, { row, column }]
    const fact: Down = { type: 'down', row, column }
    it.do(observe(fact))
    write(it, { type: 'down', row, column })
  }
  it.do(tell(from, { type: 'noted', row, column }))
  return isNew
}

// --- log: members and dead processors; a later incarnation asks the jobs for everything else --------------------------

export type Entry =
  | { readonly type: 'lived' }
  | ({ readonly type: 'came'; readonly leader: Address } & Attempt)
  | { readonly type: 'went'; readonly leader: Address }
  | ({ readonly type: 'down' } & Place)

type Known = {
  readonly members: Members
  readonly down: readonly Place[]
  /** The number of incarnations before this one. */
  readonly incarnations: number
}

const LOG = eventSourced<Known, Entry>({
  empty: { members: new Map(), down: [], incarnations: 0 },
  apply(known, entry) {
    switch (entry.type) {
      case 'lived':
        return { ...known, incarnations: known.incarnations + 1 }
      case 'came':
        return { ...known, members: new Map(known.members).set(entry.leader, attemptOf(entry)) }
      case 'went':
        return { ...known, members: without(known.members, entry.leader) }
      case 'down':
        return { ...known, down: [...known.down, { row: entry.row, column: entry.column }] }
    }
  },
})

/** What every allocator starts with, and what the log of earlier incarnations says. */
export function recovered(records: readonly Entry[] | undefined) {
  const { members, down, incarnations } = LOG.recover(records)
  // numbers of orders are larger than all those of earlier incarnations
  const state = { ...NO_SWAP, down, change: incarnations * 1_000_000_000, round: NO_ROUND }
  return { members, incarnations, state }
}

type Patient = { readonly patience: Time | null }

/** Adds entries to the log. Without patience no actor is restarted, and nothing is logged. */
export function write(it: Turn<Patient>, ...entries: readonly Entry[]): void {
  if (it.context.patience !== null) it.do(...entries.map((entry) => persist(entry)))
}

export const live = turn((it: Turn<Patient>) => write(it, { type: 'lived' }))

export const allCame = (it: Turn<Patient>, members: Iterable<readonly [Address, Attempt]>): void =>
  write(it, ...[...members].map(([leader, { job, attempt }]): Entry => ({ type: 'came', leader, job, attempt })))

export const allWent = (it: Turn<Patient>, leaders: Iterable<Address>): void =>
  write(it, ...[...leaders].map((leader): Entry => ({ type: 'went', leader })))

// --- admission: a limit on running jobs, and preemptive swaps while others wait (section 6) ---------------------------

export type Admission = {
  /** The most jobs on the mesh at the same time; the others wait, first come, first served. */
  readonly limit: number
  /** When running jobs are swapped for waiting ones; null: a job stays until it is done. */
  readonly swaps: Swaps | null
}

export type Swaps = {
  readonly every: Time
  /** How long the whole machine stands still. */
  readonly takes: Time
}

/** The most jobs that may run: each has at least one processor. */
export const roomOf = ({ mesh, limit }: { readonly mesh: Mesh; readonly limit: number }): number =>
  Math.min(limit, processorsOf(mesh))

export type SwapDue = { readonly type: 'swap-due' }

/** Facts about swaps, for listeners: it is time for one; and one is made, in which the jobs of some leaders make room for others. */
export type SwapFact =
  | SwapDue
  | { readonly type: 'swapped'; readonly out: readonly Address[]; readonly in: readonly Address[] }

/** A job that waits for room, in a fact. */
export type WaitingJob = Attempt & { readonly leader: Address }

/** The field of a fact at rest with the jobs that wait for room, in their order. Without such jobs there is no field. */
export type WithWaiting = { readonly waiting?: readonly WaitingJob[] }

export function withWaiting<F extends object>(fact: F, jobs: Members): F & WithWaiting {
  if (jobs.size === 0) return fact
  return { ...fact, waiting: [...jobs].map(([leader, { job, attempt }]) => ({ leader, job, attempt })) }
}

/** The fact of a swap: each of the first jobs makes room for one of the second. */
export function swappedFact(by: ReadonlyMap<Address, Address>): SwapFact {
  return { type: 'swapped', out: [...by.keys()], in: [...by.values()] }
}

/** What an allocator knows about swaps. */
export type SwapState = {
  /** The time of the last swap, or since when jobs wait; null if no job waits. */
  readonly turnedAt: Time | null
  readonly isSwapDue: boolean
}

export const NO_SWAP: SwapState = { turnedAt: null, isSwapDue: false }

/** Starts or stops the timer of the next swap; called whenever the allocator is at rest. */
export function awaitSwap(it: Turn<SwapState & Pick<Admission, 'swaps'>>, waiting: number): void {
  const { swaps, turnedAt } = it.context
  if (swaps === null) return
  if (waiting === 0) {
    Object.assign(it.context, NO_SWAP)
    it.do(cancel('swap'))
    return
  }
  const since = turnedAt ?? now()
  it.context.turnedAt = since
  it.do(timer<SwapDue>('swap', Math.max(0, since + swaps.every - now()), { type: 'swap-due' }))
}

export const swapDue = (): Decision<SwapState> => [
  { turnedAt: now(), isSwapDue: true },
  observe<SwapFact>({ type: 'swap-due' }),
]

/** Pairs of jobs to swap, in their order, as many as both sides have. */
export const swapped = (
  there: readonly Address[],
  waiting: readonly Address[],
): readonly (readonly [goes: Address, comes: Address])[] =>
  there.flatMap((goes, i) => {
    const comes = waiting[i]
    return comes === undefined ? [] : [[goes, comes] as const]
  })

/** Waits until the new jobs have been loaded; all jobs stand still. */
export const awaitLoaded = ({ swaps }: Admission): Decision<object> => [
  {},
  timer('loaded', swaps?.takes ?? 0, { type: 'loaded' }),
]
