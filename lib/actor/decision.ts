/** Checks what a handler returns, in the same way for all engines. */

import { isMessage, isObject, isReserved, ownerOf } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import { shown } from '../core/thrown.ts'
import type { Effect } from './effect.ts'
import { soundEffect, toEffect } from './effect-check.ts'
import { isDraft } from './turn.ts'

/** The decision of a handler: the part of the context that changes, then the effects in order. */
export type Decision<Context> = readonly [changes: Partial<Context>, ...effects: Effect[]]

/** The names of the fields of an object; of a union, those of each member. */
type FieldsOf<One> = One extends unknown ? keyof One : never

/**
 * The fields that handlers change although the context does not have them. TypeScript looks for such fields only in an object
 * that is written where its type is known, and the type that a function returns is inferred.
 */
type Strange<Context, Handling> = Handling extends (...args: never) => infer Returned
  ? StrangeIn<Context, Returned>
  : Handling extends readonly (infer Each)[]
    ? Strange<Context, Each>
    : Handling extends { readonly handle: infer Inner }
      ? Strange<Context, Inner>
      : never

type StrangeIn<Context, Returned> = Returned extends readonly [infer Changes, ...unknown[]]
  ? Exclude<NamedFields<FieldsOf<Changes>>, FieldsOf<Context>>
  : never

/** Those fields that have a name: not all texts, as the fields of a dictionary. */
type NamedFields<Field> = Field extends string ? (string extends Field ? never : Field) : never

/** Stands in an error of the compiler for a handler that changes a field which the context does not have. */
export interface NoSuchField<Name> {
  readonly 'the context has no field': Name
}

/** Stands in an error of the compiler for a handler of an event that the actor does not have. */
export interface NoSuchEvent<Type> {
  readonly 'the actor has no event': Type
}

/** A type that handlers have which change only fields of the context. */
export type Known<Context, Handling> = [Strange<Context, Handling>] extends [never]
  ? unknown
  : NoSuchField<Strange<Context, Handling>>

/** Thrown when a handler returns anything but a decision. The message names the handler and the value, and says how to mend it. */
export class NotADecision extends BourseError {
  override readonly name = 'NotADecision'

  constructor(message: string) {
    super('BOURSE_NOT_A_DECISION', message)
  }
}

/**
 * Returns the changes that a handler decided on, and adds its effects to a list.
 *
 * @param who names the handler that met `event`; called only for the error
 * @throws NotADecision
 */
export function changesIn<Context, Event>(
  returned: Decision<Context>,
  effects: Effect[],
  who: (event: Event) => string,
  event: Event,
): Partial<Context> {
  try {
    if (take(returned, effects)) return returned[0]
  } catch {} // reading a part of it throws
  throw new NotADecision(`${who(event)} returned ${faultIn(returned)}`)
}

/** Adds the effects of a decision to a list; false for any other value. This runs for every handler of every step. */
function take(returned: unknown, effects: Effect[]): boolean {
  if (!isArray(returned) || !isChanges(returned[0])) return false
  for (let i = 1; i < returned.length; i++) {
    const effect = soundEffect(returned[i])
    if (!effect) return false
    effects.push(effect)
  }
  return true
}

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value)

function isChanges(value: unknown): boolean {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  if (isDraft(value)) return true // it has the fields of its context
  // XState would make a field of this name the prototype of the context; and an effect means that the changes are missing
  return !Object.hasOwn(value, '__proto__') && !('params' in value && soundEffect(value))
}

/** Calls `look`, which may throw: reading some values, such as a revoked proxy, does. */
function safely<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch {
    return otherwise
  }
}

function faultIn(returned: unknown): string {
  const parts = safely(() => (isArray(returned) ? Array.from(returned) : []), [])
  if (parts.length === 0) {
    return `${shown(returned)}: a handler must return [changes, ...effects] at once, such as [{ n: 1 }, tell(to, message)]`
  }
  const names = parts.map(shown)
  if (!safely(() => isChanges(parts[0]), false)) {
    return `${names[0]} as its changes: they must be a plain object, {} for none`
  }
  const at = parts.findIndex((effect, i) => i > 0 && !safely(() => soundEffect(effect), undefined))
  return `${names[at]} as effect ${at}: ${safely(() => mendOf(parts[at]), MADE)}`
}

/** The parameters of each effect, for errors. */
const NEEDS: ReadonlyMap<unknown, string> = new Map<Effect['type'], string>([
  ['tell', 'tell needs an address, and a message: an object whose type is a text'],
  [
    'timer',
    'timer needs an id that does not begin with bourse., a delay that is an integer from 0 on, a message, and a kind of timer',
  ],
  [
    'ask',
    'ask needs an id that does not begin with bourse., the address of one actor, a message, and a deadline that is an integer from 0 on',
  ],
  ['answer', 'answer needs the request of a delivery, and a message'],
  ['refuse', 'refuse needs the request of a delivery, and a reason, which is a text'],
  ['defer', 'defer needs no parameters: use defer()'],
  ['receiveTimeout', 'receiveTimeout needs a delay that is an integer from 0 on, and a message; or null'],
  ['compute', 'compute needs an id that does not begin with bourse., and a call: a module, an export and its args'],
  ['cancel', 'cancel needs an id that does not begin with bourse.'],
  ['observe', 'observe needs a fact: an object whose type is a text'],
  ['persist', 'persist needs plain data'],
  ['snapshot', 'snapshot needs plain data'],
  ['spawn', 'spawn needs the address of a child, the file: URL of a module, an input and options'],
  ['stop', 'stop needs the address of a child'],
  ['restart', 'restart needs the address of a child'],
  ['watch', 'watch needs the address of one actor, and a delay that is an integer from 0 on'],
  ['unwatch', 'unwatch needs an address'],
])

/** What is wrong with an effect, and the mend; undefined for an effect that can be carried out. */
export const faultOfEffect = (effect: unknown): string | undefined =>
  safely(() => soundEffect(effect), undefined) ? undefined : mendOf(effect)

const MADE = `make effects with ${[...NEEDS.keys()].join(', ')}`

/** Says what an effect that cannot be carried out needs. */
export function mendOf(effect: unknown): string {
  if (!isObject(effect)) return MADE
  const { type, params } = effect
  if (type === 'xstate.emit') return 'emit is not for actors, which report facts with observe'
  // XState's delayed transitions raise events of reserved types
  const message = isObject(params) && type !== 'xstate.raise' ? (params['message'] ?? params['event']) : undefined
  if (isMessage(message) && isReserved(message.type)) return ownerOf(message.type)
  return faultOf(effect) ?? NEEDS.get(type) ?? MADE
}

/** The fault in a timer's delay or kind, or the part of the data that would not travel. */
function faultOf(effect: unknown): string | undefined {
  try {
    toEffect(effect)
  } catch (error) {
    if (error instanceof BourseError) return error.message
  }
  return undefined
}
