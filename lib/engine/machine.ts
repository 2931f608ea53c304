/** Which machines may be an actor's. */
import { type AnyStateMachine, type EventObject, StateMachine } from 'xstate'
import { isObject } from '../plain.ts'

export type XNode = AnyStateMachine['root']

/** Thrown when what a module exports cannot run as an actor: says which rule it breaks. */
export class NotAMachine extends Error {
  override readonly name = 'NotAMachine'
}

/** Thrown when a machine is sound, but has something that only XState's own engine knows: says what, and where. */
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
 * The machine that a module exports, if it is a pure statechart: whatever would need XState's own actor system is
 * refused at once.
 *
 * @throws NotAMachine
 */
export function soundMachineIn(exported: unknown, module: string): AnyStateMachine {
  const machine = machineIn(exported, module)
  const refuse = (what: string, where: string) => {
    throw new NotAMachine(`${module}: the machine ${what} in state '${where}', which an actor's machine may not`)
  }
  const visit = (node: XNode): void => {
    const where = nameOf(node)
    if (node.invoke.length > 0) refuse('invokes a child', where)
    if (node.type === 'history') refuse('has a history state', where)
    const transitions = [...[...node.transitions.values()].flat(), ...(node.always ?? []), node.initial]
    const actions = [...node.entry, ...node.exit, ...transitions.flatMap((transition) => transition.actions)]
    for (const action of actions) {
      const type: unknown = isObject(action) || typeof action === 'function' ? Reflect.get(action, 'type') : action
      if (typeof type === 'string' && FORBIDDEN.has(type)) refuse(`uses '${type}'`, where)
    }
    for (const child of Object.values(node.states)) visit(child)
  }
  visit(machine.root)
  return machine
}

const FORBIDDEN = new Set(['xstate.spawnChild', 'xstate.stopChild', 'xstate.sendTo', 'xstate.sendParent', 'xstate.log'])

/** What XState gives to a machine that makes its context, to spawn with. */
export const spawn = (): never => {
  throw new Error('a machine may not spawn actors, nor ask anything of its own')
}

/** Such an actor of its own, which it gives as well. */
export const closed = <T extends object>(actor: T): T => new Proxy(actor, { get: spawn })

/** What people call a state: its path, or the name of the whole machine. */
export const nameOf = (node: XNode): string => node.path.join('.') || node.key

/** The paths of all states, the outer before the inner. */
export const statesBelow = (node: XNode): string[] =>
  Object.values(node.states).flatMap((child) => [nameOf(child), ...statesBelow(child)])

/** Most transitions that one event may lead to: who takes more does not come to rest. */
const MICROSTEPS_MAX = 10_000

export const microstepsOf = ({ options }: AnyStateMachine): number =>
  Math.min(options.maxIterations ?? MICROSTEPS_MAX, MICROSTEPS_MAX)

export class Restless extends Error {
  constructor(limit: number) {
    super(`more than ${limit} transitions without an event: the machine does not come to rest`)
  }
}

/**
 * Events of these types are XState's own, and nobody may send them.
 *
 * @throws Error
 */
export function requireSent({ type }: EventObject): void {
  if (type.startsWith('xstate.') && /^xstate\.(init$|stop$|error\.actor)/.test(type)) {
    throw new Error(`an event of type '${type}', which is XState's own`)
  }
}
