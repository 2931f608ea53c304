/**
 * The sentry: reports each processor that dies to the allocator, and repeats the report until it is acknowledged. Pauses do not
 * double as those of `retry`: until then the allocator gives jobs to a dead processor. It is a
 * table without states: the reports that are due, and those without an answer, are data.
 */
import { actor, type Ref, type Time, type Turn, tell, turn } from '../../lib/actor.ts'
import { awaitNext } from '../arrivals.ts'
import type { Place } from './mapping.ts'
import type { Noted, ToAllocator } from './messages.ts'

export type Outage = Place & { readonly at: Time }

export type SentryInput = {
  /** The processors that die, in the order of time. */
  readonly outages: readonly Outage[]
  readonly allocator: Ref<ToAllocator>
  /** The time between repeated reports; null: each is sent once. */
  readonly patience: Time | null
}

interface Context extends SentryInput {
  /** The number of outages so far. */
  readonly seen: number
  /** Dead processors that the allocator has not acknowledged. */
  readonly untold: readonly Place[]
}

const { createMachine, handlers, onEntry, timer } = actor<{
  input: SentryInput
  context: Context
  event: Noted | { type: 'outage' } | { type: 'again' }
}>()

type It = Turn<Context>

const awaitOutage = ({ context: { outages, seen }, do: perform }: It): void =>
  perform(...awaitNext(outages[seen]?.at, { type: 'outage' }, 'outage'))

/** Reports all dead processors that are not acknowledged. */
function report({ context: { allocator, patience, untold }, do: perform }: It): void {
  perform(...untold.map(({ row, column }) => tell(allocator, { type: 'processor-down', row, column })))
  if (patience !== null && untold.length > 0) perform(timer('again', patience, { type: 'again' }))
}

const onOutage = turn((it: It) => {
  const { outages, seen, untold } = it.context
  const next = outages[seen]
  if (!next) return
  it.context.seen = seen + 1
  it.context.untold = [...untold, { row: next.row, column: next.column }]
  report(it)
  awaitOutage(it)
})

export default createMachine({
  context: ({ input }) => ({ ...input, seen: 0, untold: [] }),
  entry: onEntry(turn(awaitOutage)),
  on: handlers({
    outage: onOutage,
    again: turn(report),
    noted: ({ untold }, { row, column }) => [
      { untold: untold.filter((place) => place.row !== row || place.column !== column) },
    ],
  }),
})
