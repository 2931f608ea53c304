/** The common parts of all allocators: their input, their log, dead processors, and limits on admission. */
import {
  type Address,
  cancel,
  type Effect,
  type Mail,
  now,
  persist,
  type Time,
  tell,
  timer,
} from '../../../lib/actor.ts'
import { healthyOf } from '../fold/cells.ts'
import type { Place } from '../mapping.ts'
import { type Mesh, processorsOf, wholeOf } from '../mesh.ts'
import type { Attempt, ProcessorDown } from '../messages.ts'
import type { Rectangle } from '../rectangle.ts'

export type Terms = Admission & {
  readonly mesh: Mesh
  /** The operator, which is told when no change is under way; null without an operator. */
  readonly operator: Address | null
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

export type Machine = Pick<Terms, 'mesh' | 'patience'> & { readonly down: readonly Place[] }

/** The largest healthy part of the mesh; null if every processor is dead. */
export const areaIn = ({ mesh, down }: Machine): Rectangle | null => healthyOf(wholeOf(mesh), down)

/** Notes a dead processor: returns it, or null if it is known already. The report is acknowledged in both cases. */
export function losing(
  machine: Machine,
  { from, row, column }: Mail<ProcessorDown>,
): readonly [Place | null, ...Effect[]] {
  const noted = tell(from, { type: 'noted', row, column })
  if (machine.down.some((place) => place.row === row && place.column === column)) return [null, noted]
  return [{ row, column }, ...wrote(machine, { type: 'down', row, column }), noted]
}

// --- log: members and dead processors; a later incarnation asks the jobs for everything else --------------------------

export type Entry =
  | { readonly type: 'lived' }
  | ({ readonly type: 'came'; readonly leader: Address } & Attempt)
  | { readonly type: 'went'; readonly leader: Address }
  | ({ readonly type: 'down' } & Place)

type Known = {
  /** Members by leader, in the order of admission. */
  readonly members: ReadonlyMap<Address, Attempt>
  readonly down: readonly Place[]
  /** The number of incarnations before this one. */
  readonly incarnations: number
}

/** The state that the entries of earlier incarnations describe. */
export function read(entries: readonly Entry[]): Known {
  const members = new Map<Address, Attempt>()
  for (const entry of entries) {
    if (entry.type === 'came') members.set(entry.leader, { job: entry.job, attempt: entry.attempt })
    if (entry.type === 'went') members.delete(entry.leader)
  }
  return {
    members,
    down: entries.flatMap(({ type, ...place }) => (type === 'down' && 'row' in place ? [place] : [])),
    incarnations: entries.filter(({ type }) => type === 'lived').length,
  }
}

type Patient = { readonly patience: Time | null }

/** Effects that log entries. Without patience no actor is restarted, and nothing is logged. */
export const wrote = ({ patience }: Patient, ...entries: readonly Entry[]): readonly Effect[] =>
  patience === null ? [] : entries.map((entry) => persist(entry))

export const allCame = (patient: Patient, members: Iterable<readonly [Address, Attempt]>): readonly Effect[] =>
  wrote(patient, ...[...members].map(([leader, of]): Entry => ({ type: 'came', leader, ...of })))

export const allWent = (patient: Patient, leaders: Iterable<Address>): readonly Effect[] =>
  wrote(patient, ...[...leaders].map((leader): Entry => ({ type: 'went', leader })))

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

/** What an allocator knows about swaps. */
export type SwapState = {
  /** The time of the last swap, or since when jobs wait; null if no job waits. */
  readonly turnedAt: Time | null
  readonly isSwapDue: boolean
}

export const NO_SWAP: SwapState = { turnedAt: null, isSwapDue: false }

/** Starts or stops the timer of the next swap; called whenever the allocator is at rest. */
export function awaitSwap(
  { swaps, turnedAt }: SwapState & { readonly swaps: Swaps | null },
  waiting: number,
): readonly [changes: Partial<SwapState>, ...Effect[]] {
  if (swaps === null) return [{}]
  if (waiting === 0) return [NO_SWAP, cancel('swap')]
  const since = turnedAt ?? now()
  return [{ turnedAt: since }, timer('swap', Math.max(0, since + swaps.every - now()), { type: 'swap-due' })]
}

export const swapDue = (): readonly [SwapState] => [{ turnedAt: now(), isSwapDue: true }]

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
export const awaitLoaded = ({ swaps }: Admission): readonly [changes: object, Effect] => [
  {},
  timer('loaded', swaps?.takes ?? 0, { type: 'loaded' }),
]
