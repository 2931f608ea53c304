/** Watches the processors, and tells the allocator of each that dies, again and again until that is noted. */
import { type Address, actor, type Effect, type Mail, now, type Time, tell, timer } from '../../lib/actor.ts'
import type { Place } from './mapping.ts'
import type { Noted } from './messages.ts'

export type Outage = Place & { readonly at: Time }

export type SentryInput = {
  /** In the order of their instants. */
  readonly outages: readonly Outage[]
  readonly allocator: Address
  /** Null: it is told once. */
  readonly patience: Time | null
}

interface Context extends SentryInput {
  /** It has seen so many of them. */
  readonly seen: number
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
