/** Consistency: the operations of several processes on one object, as if they had happened one after the other. */
import type { Property } from '../oracle.ts'
import { type Call, History } from './operations.ts'
import type { Key, Reads } from './safety.ts'
import { CONFIGURATIONS, explain, type SequentialObject } from './sequential-search.ts'

/** The options of `linearizable` and `sequentiallyConsistent`. */
export interface ConsistencyOptions {
  /** The most configurations that the search for an order visits in one run (default 100,000). */
  readonly configurations?: number
}

/**
 * Linearizability: one order of all operations explains each answer, and each operation takes effect between its call and
 * its return (Herlihy and Wing 1990). An operation without a return may have taken effect or not.
 *
 * The check is the search of Wing and Gong (1993) with Lowe's memory of visited configurations (2017), for each part of the
 * object on its own (P-compositionality, Horn and Kroening 2015). It is meant for short histories, since the problem is
 * NP-complete.
 *
 * ```ts
 * linearizable('the register is linearizable', register, callOf)
 * ```
 *
 * @throws BourseError in a run whose history needs more configurations than the option allows
 */
export const linearizable = <S, I, O>(
  name: string,
  object: SequentialObject<S, I, O>,
  callOf: Reads<Call<I, O>>,
  { configurations = CONFIGURATIONS }: ConsistencyOptions = {},
): Property =>
  consistency(name, callOf, (history) => {
    const { partOf } = object
    return (partOf ? history.parts(partOf) : [history]).flatMap((part) =>
      explain(part.operations, object, { isRealTime: true, configurations }),
    )
  })

/**
 * Sequential consistency: one order of all operations explains each answer, and keeps the order of each process (Lamport
 * 1979). Unlike under linearizability, a process may see an old state. It does not hold of an object just because it holds
 * of each part, so the object is checked as a whole.
 *
 * @throws BourseError in a run whose history needs more configurations than the option allows
 */
export const sequentiallyConsistent = <S, I, O>(
  name: string,
  object: SequentialObject<S, I, O>,
  callOf: Reads<Call<I, O>>,
  { configurations = CONFIGURATIONS }: ConsistencyOptions = {},
): Property =>
  consistency(name, callOf, ({ operations }) => explain(operations, object, { isRealTime: false, configurations }))

const consistency = <I, O>(
  name: string,
  callOf: Reads<Call<I, O>>,
  broken: (history: History<I, O>) => readonly string[],
): Property => ({
  name,
  eventually: false,
  watch: () => {
    const history = new History<I, O>()
    return {
      fold: (observed) => {
        const call = callOf(observed)
        if (call !== undefined) history.add(call, observed.at)
      },
      broken: () => broken(history),
    }
  },
})

/** What a register is asked: to read or to write, one of its keys if it has several. */
export type RegisterInput =
  | { readonly type: 'read'; readonly key?: Key }
  | { readonly type: 'write'; readonly key?: Key; readonly value: unknown }

/** A register that reads and writes values, by key if it has several. Each value is null at first; a write returns null. */
export const register = {
  initial: null,
  apply: (value: unknown, input: RegisterInput): readonly [next: unknown, output: unknown] =>
    input.type === 'write' ? [input.value, null] : [value, value],
  partOf: ({ key = '' }: RegisterInput): Key => key,
  read: (key?: Key): RegisterInput => ({ type: 'read', ...(key !== undefined && { key }) }),
  write: (value: unknown, key?: Key): RegisterInput => ({ type: 'write', ...(key !== undefined && { key }), value }),
}
