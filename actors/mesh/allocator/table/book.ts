/** What the allocator of BUDDY and EQUI-EPOCH knows: who has which processors when, in this period. */
import { type Address, type Mail, now, type Time } from '../../../../lib/actor.ts'
import { isSame } from '../../attempt.ts'
import type { Attempt, ToAllocator } from '../../messages.ts'
import type { Rectangle } from '../../rectangle.ts'
import type { Slot, Table } from '../../timetable.ts'
import { NO_ROUND, type Ordering } from '../round.ts'

export type TableInput = Table

export interface TableBook extends TableInput, Ordering {
  /** In the order of arrival. */
  readonly jobs: readonly Admitted[]
  /** Of the period that began at `since`. */
  readonly slots: readonly Granted[]
  readonly since: Time
  readonly running: ReadonlyMap<Address, Rectangle>
  /** Everybody is waited for. */
  readonly patience: null
}

export type Admitted = { readonly leader: Address; readonly of: Attempt; readonly minimum: number }

export type Granted = Pick<Slot, 'partition' | 'from' | 'to'> & { readonly of: Admitted }

/** For whoever folds a run: the table of a period that begins. */
export type TableFact = {
  readonly type: 'tabled'
  readonly slots: readonly (Pick<Slot, 'partition' | 'from' | 'to'> & { readonly job: Address })[]
}

export type TableEvent = Mail<ToAllocator> | { type: 'boundary' }

export const opened = (input: TableInput): TableBook => ({
  ...input,
  jobs: [],
  slots: [],
  since: 0,
  running: new Map(),
  change: 0,
  round: NO_ROUND,
  patience: null,
})

/** Whose time it is, of those who are still there; a leader may have come again with another job. */
export function wanted({ slots, since, jobs }: TableBook): ReadonlyMap<Address, Granted> {
  const passed = now() - since
  const due = slots.filter(
    ({ of, from, to }) =>
      from <= passed && passed < to && jobs.some((one) => one.leader === of.leader && isSame(one.of, of.of)),
  )
  return new Map(due.map((slot) => [slot.of.leader, slot]))
}
