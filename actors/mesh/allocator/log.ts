/** What an allocator writes down: who is on the mesh, and which processors are dead. The rest jobs tell a later incarnation. */
import { type Address, type Effect, persist, type Time } from '../../../lib/actor.ts'
import type { Place } from '../mapping.ts'
import type { Attempt } from '../messages.ts'

export type Entry =
  | { readonly type: 'lived' }
  | ({ readonly type: 'came'; readonly leader: Address } & Attempt)
  | { readonly type: 'went'; readonly leader: Address }
  | ({ readonly type: 'down' } & Place)

export type Known = {
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
