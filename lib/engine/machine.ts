/** Checks which machines can run as actors. */

import { type AnyStateMachine, type EventObject, type MachineContext, StateMachine } from 'xstate'
import { handOut } from '../actor/frozen.ts'
import { NotAMachine, notBuilt } from '../actor/not-a-machine.ts'
import { isObject, isReserved } from '../core/data.ts'
import { errorOf, isPromise, shown, thrownOf } from '../core/thrown.ts'
import type { XNode } from './node.ts'
import { faultOfMachine } from './refusals.ts'

/** Thrown when a sound machine uses a feature that only XState's own engine has; names the feature and the state. */
export class NotCompiled extends Error {
  override readonly name = 'NotCompiled'
}

const isMachine = (value: unknown): value is AnyStateMachine =>
  value instanceof StateMachine ||
  // another copy of xstate, as when a module brings its own
  (isObject(value) && value['constructor']?.constructor === Function && value.constructor.name === 'StateMachine')

/**
 * The machine that a module exports.
 *
 * @throws NotAMachine
 */
export function machineIn(exported: unknown, module: string): AnyStateMachine {
  if (isMachine(exported)) return exported
  throw new NotAMachine(`${module} does not export a machine: expected \`export default createMachine(...)\``)
}

/**
 * The machine that a module exports, if it is a pure statechart. A machine that needs XState's own actor system is
 * refused.
 *
 * @throws NotAMachine
 */
export function soundMachineIn(exported: unknown, module: string): AnyStateMachine {
  const machine = machineIn(exported, module)
  let fault: string | undefined
  try {
    fault = faultOfMachine(machine)
  } catch (error) {
    throw notBuilt(error, machine.id, machine.config) // XState resolves some targets only now
  }
  if (fault) throw new NotAMachine(`${module}: ${fault}`)
  for (const transition of transitionsIn(machine.root)) {
    if (typeof transition.guard === 'function') transition.guard = soundGuard(transition.guard)
  }
  const { guards } = machine.implementations
  for (const [name, guard] of Object.entries(guards)) {
    if (guard !== undefined) guards[name] = soundGuard(guard)
  }
  return machine
}

const transitionsIn = (node: XNode): NonNullable<XNode['always']> => [
  ...[...node.transitions.values()].flat(),
  ...(node.always ?? []),
  ...Object.values(node.states).flatMap(transitionsIn),
]

/** Guards that are wrapped already: a machine may be checked more than once. */
const soundGuards = new WeakSet<object>()

/**
 * Wraps a guard so that anything it throws becomes an error with a readable message, and so that a promise, which would
 * count as true, is refused. XState copies the message of a thrown value, and itself fails at values without one.
 */
function soundGuard<Guard extends (...met: never) => unknown>(
  guard: Guard,
): Guard | ((met: unknown, params: unknown) => boolean) {
  // a guard with a `check` is composed of other guards (`and`, `not`, `stateIn`)
  if ('check' in guard || soundGuards.has(guard)) return guard
  const sound = (met: unknown, params: unknown): boolean => {
    handOut(met)
    let held: unknown
    try {
      held = Reflect.apply(guard, undefined, [met, params])
    } catch (error) {
      throw errorOf(thrownOf(error))
    }
    if (typeof held !== 'boolean' && isPromise(held)) {
      throw new TypeError('the guard returned a promise: a guard must return true or false at once')
    }
    return Boolean(held)
  }
  soundGuards.add(sound)
  return sound
}

/**
 * The initial context of a machine.
 *
 * @throws TypeError if it is not an object
 */
export function contextOf({ id, config: { context } }: AnyStateMachine, input: unknown): MachineContext {
  if (typeof context !== 'function') return context ?? {}
  const made: unknown = Reflect.apply(context, undefined, [{ input, spawn, self: closed({}) }])
  if (!isObject(made) || Array.isArray(made) || isPromise(made)) {
    throw new TypeError(`the context of machine '${id}' is ${shown(made)}: it must be an object, and made at once`)
  }
  return Object.assign({}, made)
}

/** Refuses the `spawn` that XState passes to a function which makes a context. */
const spawn = (): never => {
  throw new Error(
    'a machine may not spawn actors, nor ask anything of its own: spawn actors with the effect `spawn`, or make child charts',
  )
}

/** Wraps the actor that XState passes along with `spawn`, so that any use of it is refused. */
export const closed = <T extends object>(actor: T): T => new Proxy(actor, { get: spawn })

/** The most transitions that one event may lead to; a machine that takes more is taken to loop for ever. */
const MICROSTEPS_MAX = 10_000

export const microstepsOf = ({ options }: AnyStateMachine): number =>
  Math.min(options.maxIterations ?? MICROSTEPS_MAX, MICROSTEPS_MAX)

export class NeverSettles extends Error {
  constructor(limit: number) {
    super(`more than ${limit} transitions without an event: the machine does not come to rest`)
  }
}

/**
 * Refuses an event of XState's own that no actor may be sent. XState's delayed transitions come back as timers.
 *
 * @throws Error
 */
export function requireDeliverable({ type }: EventObject): void {
  if (isReserved(type) && !type.startsWith('xstate.after.')) {
    throw new Error(`an event of type '${type}', which is XState's own`)
  }
}
