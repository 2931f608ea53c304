/** Histories of operations: what each process called, when, and what it got. */
import type { Time } from '../../core/time.ts'
import type { Key } from './safety.ts'

/** A process calls an operation, or its last call returns. A process waits for a return before it calls again. */
export type Call<I, O> =
  | { readonly type: 'calls'; readonly process: Key; readonly input: I }
  | { readonly type: 'returns'; readonly process: Key; readonly output: O }

export interface Operation<I, O> {
  readonly process: Key
  readonly input: I
  readonly called: Time
  /** The return; undefined if there was none: the process died or gave up, and the operation may take effect at any time. */
  readonly returned: { readonly at: Time; readonly output: O } | undefined
}

export class History<I, O> {
  readonly #operations: Operation<I, O>[]
  /** The place of each process's open call. */
  readonly #open = new Map<Key, number>()

  constructor(operations: readonly Operation<I, O>[] = []) {
    this.#operations = [...operations]
  }

  get operations(): readonly Operation<I, O>[] {
    return this.#operations
  }

  /** Adds a call or a return. A call by a process that waits gives its last call up; a return without a call is ignored. */
  add(call: Call<I, O>, at: Time): void {
    const { process } = call
    if (call.type === 'calls') {
      this.#open.set(process, this.#operations.length)
      this.#operations.push({ process, input: call.input, called: at, returned: undefined })
      return
    }
    const place = this.#open.get(process)
    const operation = place === undefined ? undefined : this.#operations[place]
    if (place === undefined || !operation) return
    this.#open.delete(process)
    this.#operations[place] = { ...operation, returned: { at, output: call.output } }
  }

  /** The histories of the parts of the object, in the order of their first calls. */
  parts(partOf: (input: I) => Key): readonly History<I, O>[] {
    const parts = new Map<Key, Operation<I, O>[]>()
    for (const operation of this.#operations) {
      const part = partOf(operation.input)
      parts.set(part, [...(parts.get(part) ?? []), operation])
    }
    return [...parts.values()].map((operations) => new History(operations))
  }
}
