/**
 * A turn: the handling of one event, written as changes to a draft of the context. It is another way to write a pure
 * handler, for actors whose handlers change many fields in several functions.
 */
import type { MachineContext } from 'xstate'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'

/**
 * A shallow copy of a context whose fields may be assigned. The values of the fields are immutable and are replaced. A field
 * that is deleted becomes undefined.
 */
export type Draft<Context> = { -readonly [K in keyof Context]: Context[K] }

/** What the functions of one turn share. */
export interface Turn<Context> {
  /** The context after this turn. */
  readonly context: Draft<Context>
  /** Adds effects, in order. */
  do(...effects: readonly Effect[]): void
}

/**
 * Makes a handler of a function that changes a draft of the context.
 *
 * ```ts
 * const onBid = turn((it: Turn<Context>, { task }: Bid, { from }: Delivery) => { it.context.bids += 1 })
 * ```
 *
 * @param happens gets the turn, and the arguments of the handler: the event and its delivery
 */
export const turn =
  <Context extends object, Args extends readonly unknown[]>(happens: (turn: Turn<Context>, ...args: Args) => void) =>
  (context: Context, ...args: Args): Decision<Context> => {
    const draft: Draft<Context> = { ...context }
    const decision: [Draft<Context>, ...Effect[]] = [draft]
    happens(turnOf(draft, decision), ...args)
    if (restoreFields(draft, context)) return decision
    latest = draft
    origin = context
    return decision
  }

/** `do` is written as a method, since each step makes one: loaders such as tsx give names to functions, and that takes time. */
const turnOf = <Context>(context: Draft<Context>, decision: [Draft<Context>, ...Effect[]]): Turn<Context> => ({
  context,
  do(...effects) {
    for (const effect of effects) decision.push(effect)
  },
})

/** Makes the deleted fields of a draft undefined, since engines merge changes and merging deletes nothing. Says whether any were. */
function restoreFields(draft: object, context: object): boolean {
  // Fields keep their order, so a draft that begins with those of its context has lost none.
  if (beginsWith(Object.keys(draft), Object.keys(context))) return false
  const deleted = Object.keys(context).filter((field) => !(field in draft))
  for (const field of deleted) Reflect.set(draft, field, undefined)
  return deleted.length > 0
}

function beginsWith(fields: readonly string[], first: readonly string[]): boolean {
  for (let i = 0; i < first.length; i++) if (fields[i] !== first[i]) return false
  return true
}

/** The draft of the latest turn, and the object that it is a copy of. */
let latest: object | undefined
let origin: object | undefined

/** Whether the changes of a decision are the draft that the latest turn made. */
export const isDraft = (changes: object): boolean => changes === latest

/** Whether the changes of a decision are a turn's draft of this whole context: an engine need not merge them. */
export const isWhole = (changes: object, context: object): changes is MachineContext =>
  changes === latest && context === origin
