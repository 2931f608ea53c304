/** Event sourcing: a state that is a fold of records. An actor persists the records, so a later incarnation has the state. */
import type { Plain } from '../core/data.ts'
import { type Effect, persist } from './effect.ts'

export interface EventSourced<State, Entry extends Plain> {
  /**
   * The state of a new incarnation, from the records of earlier ones.
   *
   * @param first the state before all records, where it depends on the input of the actor; default `empty`
   */
  recover(records?: readonly Entry[], first?: State): State
  /**
   * The state after one more entry, and the effect that persists it.
   *
   * @param isDurable whether a later incarnation needs the entry; otherwise nothing is persisted, and the state is compacted
   */
  enter(state: State, entry: Entry, isDurable: boolean): readonly [State, ...Effect[]]
}

/** The rules of an event-sourced state. */
export interface EventSourcing<State, Entry> {
  readonly empty: State
  readonly apply: (state: State, entry: Entry) => State
  /** Drops what only a later incarnation, or a repeated message, would need; default nothing. */
  readonly compact?: (state: State) => State
}

/** An event-sourced state. */
export const eventSourced = <State, Entry extends Plain>({
  empty,
  apply,
  compact = (state) => state,
}: EventSourcing<State, Entry>): EventSourced<State, Entry> => ({
  recover: (records = [], first = empty) => records.reduce(apply, first),
  enter: (state, entry, isDurable) => {
    const next = apply(state, entry)
    return isDurable ? [next, persist(entry)] : [compact(next)]
  },
})
