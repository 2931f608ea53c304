/**
 * Event sourcing: a state that is a fold of records. An actor persists the records, so a later incarnation has the state.
 */
import type { Plain } from '../core/data.ts'
import { type Effect, persist, snapshot } from './effect.ts'
import type { Turn } from './turn.ts'

/** A state that follows from the records which an actor persisted, so that a restarted actor has it again. */
export interface EventSourced<State, Entry extends Plain> {
  /**
   * The state of a new incarnation, from the records of earlier ones.
   *
   * @param first the state before all records, where it depends on the input of the actor; default `empty`
   */
  recover(records?: readonly Entry[], first?: State): State
  /**
   * The state after one more entry, and the effect that persists it, before those of applying it.
   *
   * @param isDurable whether a later incarnation needs the entry; otherwise nothing is persisted, and the state is compacted
   */
  enter(state: State, entry: Entry, isDurable: boolean): readonly [State, ...Effect[]]
  /** Enters an entry in a turn whose context has the state in its field `book`. */
  enterIn(turn: Turn<{ readonly book: State }>, entry: Entry, isDurable: boolean): void
  /** The state of an entry that stands for all entries before it, and the effect that replaces these by it in the log. */
  snapshot(entry: Entry): readonly [State, ...Effect[]]
}

/** A state, or a state and effects: the states that child charts entered. A recovery has no effects. */
export type Applied<State> = State | readonly [State, ...Effect[]]

/** The rules of an event-sourced state. The state is no list. */
export interface EventSourcing<State, Entry> {
  readonly empty: State
  readonly apply: (state: State, entry: Entry) => Applied<State>
  /** Drops what only a later incarnation, or a repeated message, would need; default nothing. */
  readonly compact?: (state: State) => State
}

const isWithEffects = <State>(applied: Applied<State>): applied is readonly [State, ...Effect[]] =>
  Array.isArray(applied)

/** An event-sourced state. */
export function eventSourced<State, Entry extends Plain>({
  empty,
  apply,
  compact = (state) => state,
}: EventSourcing<State, Entry>): EventSourced<State, Entry> {
  const applied = (state: State, entry: Entry): readonly [State, ...Effect[]] => {
    const after = apply(state, entry)
    return isWithEffects(after) ? after : [after]
  }
  const enter: EventSourced<State, Entry>['enter'] = (state, entry, isDurable) => {
    const [next, ...effects] = applied(state, entry)
    return isDurable ? [next, persist(entry), ...effects] : [compact(next), ...effects]
  }
  return {
    recover: (records = [], first = empty) => records.reduce((state, entry) => applied(state, entry)[0], first),
    enter,
    enterIn: ({ context, do: perform }, entry, isDurable) => {
      const [next, ...effects] = enter(context.book, entry, isDurable)
      context.book = next
      perform(...effects)
    },
    snapshot: (entry) => {
      const [next, ...effects] = applied(empty, entry)
      return [next, snapshot(entry), ...effects]
    },
  }
}
