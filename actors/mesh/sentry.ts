/**
 * The sentry: reports each processor that dies to the allocator, and repeats the report, after pauses that double, until it is
 * acknowledged. It is a table without states: the reports that are due, and those without an answer, are data.
 */
import { actor, type Joined, type Ref, type Time, type Turn, tell, turn } from '../../lib/actor.ts'
import { awaitNext } from '../arrivals.ts'
import type { Place } from './mapping.ts'
import type { Noted, ToAllocator } from './messages.ts'

export type Outage = Place & { readonly at: Time }

export type SentryInput = {
  /** The processors that die, in the order of time. */
  readonly outages: readonly Outage[]
  readonly allocator: Ref<ToAllocator>
  /** The time after which a report is first repeated; null: each is sent once. */
  readonly patience: Time | null
}

interface Context extends SentryInput {
  /** The number of outages so far. */
  readonly seen: number
  /** Dead processors that the allocator has not acknowledged. */
  readonly untold: readonly Place[]
  /** The pause before the next repetition; null: nothing is repeated. */
  readonly pause: Time | null
}

const { createMachine, handlers, onEntry, retry } = actor<{
  input: SentryInput
  context: Context
  event: Noted | Joined | { type: 'outage' } | { type: 'again' }
}>()

type It = Turn<Context>

const awaitOutage = ({ context: { outages, seen }, do: perform }: It): void =>
  perform(...awaitNext(outages[seen]?.at, { type: 'outage' }, 'outage'))

/** Reports all dead processors that are not acknowledged. */
function report(it: It, pause: Time | null): void {
  const { allocator, untold } = it.context
  if (untold.length === 0) return
  const [next, ...again] = retry('again', pause, { type: 'again' })
  it.context.pause = next
  it.do(...untold.map(({ row, column }) => tell(allocator, { type: 'processor-down', row, column })), ...again)
}

const onOutage = turn((it: It) => {
  const { outages, seen, untold } = it.context
  const next = outages[seen]
  if (!next) return
  it.context.seen = seen + 1
  it.context.untold = [...untold, { row: next.row, column: next.column }]
  report(it, it.context.patience)
  awaitOutage(it)
})

export default createMachine({
  context: ({ input }) => ({ ...input, seen: 0, untold: [], pause: null }),
  entry: onEntry(turn(awaitOutage)),
  on: handlers({
    outage: onOutage,
    again: turn((it: It) => report(it, it.context.pause)),
    joined: turn((it: It, { address }: Joined) => {
      if (address === it.context.allocator) report(it, it.context.patience)
    }),
    noted: ({ untold }, { row, column }) => [
      { untold: untold.filter((place) => place.row !== row || place.column !== column) },
    ],
  }),
})
