/** The sentry: reports each processor that dies to the allocator, and repeats the report until it is acknowledged. */
import { type Address, actor, type Effect, type Mail, now, type Time, tell, timer } from '../../lib/actor.ts'
import type { Place } from './mapping.ts'
import type { Noted } from './messages.ts'

export type Outage = Place & { readonly at: Time }

export type SentryInput = {
  /** The processors that die, in the order of time. */
  readonly outages: readonly Outage[]
  readonly allocator: Address
  /** The time between repeated reports; null: each is sent once. */
  readonly patience: Time | null
}

interface Context extends SentryInput {
  /** The number of outages so far. */
  readonly seen: number
  /** Dead processors that the allocator has not acknowledged. */
  readonly untold: readonly Place[]
}

const { createMachine, rule, onEntry } = actor<{
  input: SentryInput
  context: Context
  event: Mail<Noted> | { type: 'outage' } | { type: 'again' }
}>()

const awaitNext = ({ outages }: Context, seen: number): Effect[] => {
  const next = outages[seen]
  return next ? [timer('outage', Math.max(0, next.at - now()), { type: 'outage' }, 'arrival')] : []
}

const told = ({ allocator, patience }: Context, places: readonly Place[]): Effect[] => [
  ...places.map(({ row, column }) => tell(allocator, { type: 'processor-down', row, column })),
  ...(patience === null || places.length === 0 ? [] : [timer('again', patience, { type: 'again' })]),
]

export default createMachine({
  context: ({ input }) => ({ ...input, seen: 0, untold: [] }),
  entry: onEntry((context) => [{}, ...awaitNext(context, 0)]),
  on: {
    outage: {
      actions: rule('outage', (context) => {
        const { outages, seen, untold } = context
        const next = outages[seen]
        if (!next) return [{}]
        const places = [...untold, { row: next.row, column: next.column }]
        return [{ seen: seen + 1, untold: places }, ...told(context, places), ...awaitNext(context, seen + 1)]
      }),
    },
    again: { actions: rule('again', (context) => [{}, ...told(context, context.untold)]) },
    noted: {
      actions: rule('noted', ({ untold }, { row, column }) => [
        { untold: untold.filter((place) => place.row !== row || place.column !== column) },
      ]),
    },
  },
})
