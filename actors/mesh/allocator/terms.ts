/** What every allocator of partitions is given and remembers, and what it makes of processors that die. */
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
  /** Hears when nothing is under way; null: nobody does. */
  readonly operator: Address | null
  /** Who does not answer is told again, every so often, and in the end taken for dead; null: everybody is waited for. */
  readonly patience: Time | null
  /** What earlier incarnations wrote down; absent in the first. */
  readonly records?: readonly Entry[]
}

/** By leader; who has been there longest comes first. */
export type Members = ReadonlyMap<Address, Attempt>

export type Machine = Pick<Terms, 'mesh' | 'patience'> & { readonly down: readonly Place[] }

/** What is left of it; null: nothing. */
export const areaIn = ({ mesh, down }: Machine): Rectangle | null => healthyOf(wholeOf(mesh), down)

/** The processor that is down, if that is news; it is noted in any case. */
export function losing(
  machine: Machine,
  { from, row, column }: Mail<ProcessorDown>,
): readonly [Place | null, ...Effect[]] {
  const noted = tell(from, { type: 'noted', row, column })
  if (machine.down.some((place) => place.row === row && place.column === column)) return [null, noted]
  return [{ row, column }, ...wrote(machine, { type: 'down', row, column }), noted]
}

// --- log ---
/* What an allocator writes down: who is on the mesh, and which processors are dead. The rest jobs tell a later incarnation. */

export type Entry =
  | { readonly type: 'lived' }
  | ({ readonly type: 'came'; readonly leader: Address } & Attempt)
  | { readonly type: 'went'; readonly leader: Address }
  | ({ readonly type: 'down' } & Place)

type Known = {
  /** By leader, in the order in which they came. */
  readonly members: ReadonlyMap<Address, Attempt>
  readonly down: readonly Place[]
  /** How many there were before this one. */
  readonly lives: number
}

/** What the entries of earlier incarnations say. */
export function read(entries: readonly Entry[]): Known {
  const members = new Map<Address, Attempt>()
  for (const entry of entries) {
    if (entry.type === 'came') members.set(entry.leader, { job: entry.job, attempt: entry.attempt })
    if (entry.type === 'went') members.delete(entry.leader)
  }
  return {
    members,
    down: entries.flatMap(({ type, ...place }) => (type === 'down' && 'row' in place ? [place] : [])),
    lives: entries.filter(({ type }) => type === 'lived').length,
  }
}

type Patient = { readonly patience: Time | null }

/** Without patience nobody comes back, and nothing is written down. */
export const wrote = ({ patience }: Patient, ...entries: readonly Entry[]): readonly Effect[] =>
  patience === null ? [] : entries.map((entry) => persist(entry))

export const allCame = (patient: Patient, members: Iterable<readonly [Address, Attempt]>): readonly Effect[] =>
  wrote(patient, ...[...members].map(([leader, of]): Entry => ({ type: 'came', leader, ...of })))

export const allWent = (patient: Patient, leaders: Iterable<Address>): readonly Effect[] =>
  wrote(patient, ...[...leaders].map((leader): Entry => ({ type: 'went', leader })))

// --- admission ---
/*
 * How many jobs may be on the mesh at the same time, and how others get there before one of them is done: as long as jobs
 * wait, those that have been there longest are swapped for them again and again (section 6).
 */

export type Admission = {
  /** Jobs on the mesh at the same time; the others wait, first come first served. */
  readonly limit: number
  /** null: who is there stays until it is done. */
  readonly swaps: Swaps | null
}

export type Swaps = {
  readonly every: Time
  /** So long the whole machine stands still. */
  readonly takes: Time
}

/** Room for one processor each at least. */
export const roomOf = ({ mesh, limit }: { readonly mesh: Mesh; readonly limit: number }): number =>
  Math.min(limit, processorsOf(mesh))

export type SwapDue = { readonly type: 'swap-due' }

/** What an allocator remembers of swaps. */
export type Turn = {
  /** When somebody had to wait, or of the last swap since; null: nobody waits. */
  readonly turnedAt: Time | null
  readonly isSwapDue: boolean
}

export const NO_TURN: Turn = { turnedAt: null, isSwapDue: false }

/** Whenever the allocator is at rest. */
export function awaitSwap(
  { swaps, turnedAt }: Turn & { readonly swaps: Swaps | null },
  waiting: number,
): readonly [changes: Partial<Turn>, ...Effect[]] {
  if (swaps === null) return [{}]
  if (waiting === 0) return [NO_TURN, cancel('swap')]
  const since = turnedAt ?? now()
  return [{ turnedAt: since }, timer('swap', Math.max(0, since + swaps.every - now()), { type: 'swap-due' })]
}

export const swapDue = (): readonly [Turn] => [{ turnedAt: now(), isSwapDue: true }]

/** Who goes, and who comes for him: as many as there are of both, in the order in which they came. */
export const swapped = (
  there: readonly Address[],
  waiting: readonly Address[],
): readonly (readonly [goes: Address, comes: Address])[] =>
  there.flatMap((goes, i) => {
    const comes = waiting[i]
    return comes === undefined ? [] : [[goes, comes] as const]
  })

/** All stand still until those who come have been loaded. */
export const awaitLoaded = ({ swaps }: Admission): readonly [changes: object, Effect] => [
  {},
  timer('loaded', swaps?.takes ?? 0, { type: 'loaded' }),
]
