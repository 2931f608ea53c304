/**
 * Checks what a machine is written with, for authors whose code no compiler checks. Each mistake is refused where it is
 * written, with one sentence that says the mend.
 */
import { isObject } from '../core/data.ts'
import { nearest } from '../core/format.ts'
import { shown } from '../core/thrown.ts'
import { NotAMachine } from './not-a-machine.ts'

const OPTIONS = ['charts', 'urgent']
const NAMED = ['guards', 'actions', 'delays']

/** @throws NotAMachine for options that `actor` does not have */
export const requireOptions = (options: object): void => requireFields('actor', options, OPTIONS)

/** @throws NotAMachine for what `setup` cannot name: guards and actions are functions, delays are numbers or functions */
export function requireNamed(named: object): void {
  requireFields('setup', named, NAMED)
  for (const [field, table] of Object.entries(named)) {
    if (table !== undefined && !isTable(table)) {
      throw new NotAMachine(`setup: ${field} is ${shown(table)}: it must be an object of ${field} by their names`)
    }
    for (const [name, one] of Object.entries(table ?? {})) {
      const isDelay = field === 'delays' && typeof one === 'number'
      if (typeof one === 'function' || isDelay) continue
      const must = field === 'delays' ? 'a time in whole millionths of a unit, or a function' : 'a function'
      throw new NotAMachine(`setup: '${name}' of ${field} is ${shown(one)}: it must be ${must}`)
    }
  }
}

function requireFields(where: string, given: unknown, known: readonly string[]): void {
  if (!isTable(given)) throw new NotAMachine(`${where} takes an object, not ${shown(given)}`)
  const unknown = Object.keys(given).find((field) => !known.includes(field))
  if (unknown === undefined) return
  const meant = nearest(unknown, known)
  const mend = meant === undefined ? `its fields are ${known.join(', ')}` : `did you mean ${meant}?`
  throw new NotAMachine(`${where} has no field ${unknown}; ${mend}`)
}

/** @throws NotAMachine for a handler that is no function */
export function requireDecide(decide: unknown): void {
  if (typeof decide === 'function') return
  throw new NotAMachine(
    `onEntry needs a function that takes the context and returns [changes, ...effects], not ${shown(decide)}`,
  )
}

/** @throws NotAMachine for a table of handlers that has anything else */
export function requireTable(table: unknown): void {
  if (!isTable(table)) {
    throw new NotAMachine(`handlers needs an object with a handler for each type of event, not ${shown(table)}`)
  }
  for (const [type, reactions] of Object.entries(table)) {
    if (reactions === undefined) continue
    for (const one of Array.isArray(reactions) ? reactions : [reactions]) requireReaction(type, one)
  }
}

function requireReaction(type: string, one: unknown): void {
  if (typeof one === 'function' || typeof one === 'string') return
  if (!isTable(one)) {
    const must = 'a function, the name of a target, or a transition such as { guard, target, handle }'
    throw new NotAMachine(`the handler for '${type}' is ${shown(one)}: it must be ${must}`)
  }
  if ('actions' in one) {
    throw new NotAMachine(`the transition for '${type}' has \`actions\`: within \`handlers\` write \`handle\``)
  }
  const { handle } = one
  if (handle === undefined) return
  for (const each of Array.isArray(handle) ? handle : [handle]) {
    if (typeof each === 'function' || typeof each === 'string' || isTable(each)) continue
    const must = 'a function, or the name of an action of `setup`'
    throw new NotAMachine(`\`handle\` of the transition for '${type}' is ${shown(each)}: it must be ${must}`)
  }
}

const isTable = (value: unknown): value is { readonly [name: string]: unknown } =>
  isObject(value) && !Array.isArray(value)
