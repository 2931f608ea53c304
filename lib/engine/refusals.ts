/** Finds what a machine may not use, in each of its states, and says what to write instead. */
import type { AnyStateMachine } from 'xstate'
import { isEffectName, pureActionOf, urgentOf } from '../actor/actor.ts'
import { faultOfEffect } from '../actor/decision.ts'
import { afterIn } from '../actor/effect-check.ts'
import { isObject } from '../core/data.ts'
import { nearest } from '../core/format.ts'
import { shown } from '../core/thrown.ts'
import { isTime } from '../core/time.ts'
import { nameOf, takes, typesBelow, type XNode } from './node.ts'

type Named = { readonly [name: string]: unknown }

/** What a machine names, by its names. */
interface Implementations {
  readonly actions: Named
  readonly guards: Named
  readonly delays: Named
}

/** What a machine may not use, the first place where it uses it, and the mend; undefined if it can run as an actor. */
export function faultOfMachine(machine: AnyStateMachine): string | undefined {
  const { id, root, config, implementations } = machine
  const { context } = config
  if (typeof context === 'function' && callsSpawn(context)) return `machine '${id}' spawns in its context: ${SPAWN}`
  for (const fault of faultsIn(root, implementations)) return `machine '${id}' ${fault}`
  const urgent = faultOfUrgent(machine)
  if (urgent !== undefined) return `machine '${id}' ${urgent}`
  return undefined
}

function faultOfUrgent(machine: AnyStateMachine): string | undefined {
  const urgent = urgentOf(machine)
  if (urgent === undefined) return undefined
  const types = typesBelow(machine.root)
  if (typeof urgent === 'string' && takes(types, urgent)) return undefined
  const meant = nearest(String(urgent), types)
  const mend = meant === undefined ? 'give the type of a message that a state handles' : `did you mean '${meant}'?`
  return `declares ${shown(urgent)} as urgent, but no state handles it: ${mend}`
}

const SPAWN = 'spawn actors with the effect `spawn`, or make child charts'
const SEND = 'send a message with the effect `tell`'

/** The actions of XState that need its actor system or an outside, with the mend. */
const FORBIDDEN: ReadonlyMap<unknown, readonly [name: string, mend: string]> = new Map([
  ['xstate.spawnChild', ['spawnChild', SPAWN]],
  ['xstate.stopChild', ['stopChild', 'stop a child with the effect `stop`']],
  ['xstate.sendTo', ['sendTo, sendParent or forwardTo', SEND]],
  ['xstate.emit', ['emit', `report a fact with the effect \`observe\`, or ${SEND}`]],
  ['xstate.log', ['log', 'report a fact with the effect `observe`']],
])

const TYPES: readonly unknown[] = [undefined, 'atomic', 'compound', 'parallel', 'final', 'history']

const STATE_FIELDS = [
  ...[
    'id',
    'type',
    'initial',
    'states',
    'on',
    'always',
    'after',
    'onDone',
    'entry',
    'exit',
    'invoke',
    'history',
    'target',
  ],
  ...['output', 'tags', 'meta', 'description', 'order', 'parent', 'key', 'route'],
]
const MACHINE_FIELDS = [...STATE_FIELDS, 'context', 'version', 'options', 'types', 'schemas']
const TRANSITION_FIELDS = ['target', 'guard', 'actions', 'reenter', 'meta', 'description']
/** The fields that XState adds to a transition. */
const ADDED = ['source', 'eventType', 'toJSON', 'event', 'delay']

/** The fields of earlier versions of XState. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['cond', 'guard'],
  ['internal', 'reenter'],
  ['onEntry', 'entry'],
  ['onExit', 'exit'],
  ['activities', 'entry'],
  ['actors', 'invoke'],
])

const MADE = 'make it with `handlers` or `onEntry` of `actor()`, whose functions return effects'

function* faultsIn(node: XNode, named: Implementations): Generator<string> {
  const where = node.parent ? `in state '${nameOf(node)}'` : 'at its top level'
  yield* faultsOfConfig(node, where)
  if (node.invoke.length > 0) yield `invokes an actor ${where}: ${SPAWN}`
  if (node.type === 'history') yield `has a history state ${where}: keep the name of the last state in the context`
  for (const action of node.entry) yield* faultsOfAction(action, `on entry ${where}`, named)
  for (const action of node.exit) yield* faultsOfAction(action, `on exit ${where}`, named)
  for (const { delay, eventType } of node.after) {
    const fault = faultOfDelay(delay, named)
    if (fault) yield `has the delay ${shown(delay)} in \`${placeOf(eventType)}\` ${where}: ${fault}`
  }
  for (const [type, transitions] of node.transitions) {
    for (const transition of transitions)
      yield* faultsOfTransition(transition, `in \`${placeOf(type)}\` ${where}`, named)
  }
  for (const transition of node.always ?? []) yield* faultsOfTransition(transition, `in \`always\` ${where}`, named)
  yield* faultsOfTransition(node.initial, `in \`initial\` ${where}`, named)
  for (const child of Object.values(node.states)) yield* faultsIn(child, named)
}

/** The field of a state that made a transition for this type of event. */
function placeOf(type: string): string {
  if (type.startsWith('xstate.done.state.')) return 'onDone'
  const delay = afterIn(type)
  return delay === undefined ? `on ${type}` : `after ${delay}`
}

/** The faults in the fields of a state, of which XState ignores those that it does not know. */
function* faultsOfConfig(node: XNode, where: string): Generator<string> {
  const { config } = node
  const fields = node.parent ? STATE_FIELDS : MACHINE_FIELDS
  yield* unknownFields(Object.keys(config), fields, where)
  if (!TYPES.includes(config.type)) yield `has the type ${shown(config.type)} ${where}: XState has no such states`
  if ('route' in config && config['route'] !== undefined) {
    yield `has a \`route\` ${where}: no actor can be sent its event, so handle an event of your own`
  }
  for (const [type, transitions] of Object.entries(config.on ?? {})) {
    const all: readonly unknown[] = Array.isArray(transitions) ? transitions : [transitions]
    if (all.some((one) => typeof one === 'function')) {
      yield `has a function as the transition for '${type}' ${where}: wrap the table of \`on\` in \`handlers({ ... })\``
    }
  }
}

function* unknownFields(given: readonly string[], fields: readonly string[], where: string): Generator<string> {
  for (const field of given) {
    if (fields.includes(field)) continue
    const meant = RENAMED.get(field) ?? nearest(field, fields)
    const mend = meant === undefined ? `the fields are ${fields.join(', ')}` : `did you mean \`${meant}\`?`
    yield `has an unknown field \`${field}\` ${where}; ${mend}`
  }
}

function* faultsOfTransition(
  transition: { readonly guard?: unknown; readonly actions: readonly unknown[] },
  where: string,
  named: Implementations,
): Generator<string> {
  const given = Object.keys(transition).filter((field) => !ADDED.includes(field))
  yield* unknownFields(given, TRANSITION_FIELDS, where)
  yield* faultsOfGuard(transition.guard, where, named)
  for (const action of transition.actions) yield* faultsOfAction(action, where, named)
}

function* faultsOfGuard(guard: unknown, where: string, named: Implementations): Generator<string> {
  if (guard === undefined) return
  const inner: unknown = typeof guard === 'function' && 'guards' in guard ? guard.guards : undefined
  if (Array.isArray(inner)) for (const one of inner) yield* faultsOfGuard(one, where, named)
  if (typeof guard === 'function') return
  const name = isObject(guard) ? guard['type'] : guard
  if (typeof name !== 'string') yield `has the guard ${shown(guard)} ${where}: a guard is a function`
  else if (named.guards[name] === undefined) yield `names the guard '${name}' ${where}: ${missing(name, named.guards)}`
}

function* faultsOfAction(action: unknown, where: string, named: Implementations): Generator<string> {
  if (typeof action !== 'function') return yield* faultsOfNamed(action, where, named)
  if (pureActionOf(action)) return
  const type: unknown = Reflect.get(action, 'type')
  if (!('resolve' in action)) return yield `has a plain function as an action ${where}: ${MADE}`
  const [name, mend] = FORBIDDEN.get(type) ?? []
  if (name !== undefined) yield `uses ${name} ${where}: ${mend}`
  if (type === 'xstate.assign' && assignersOf(action).some(callsSpawn)) yield `spawns in assign ${where}: ${SPAWN}`
  if (type === 'xstate.raise') yield* faultsOfRaise(action, where, named)
}

/** The faults of an action that is given by its name: one of the effects, or a function of the machine. */
function* faultsOfNamed(action: unknown, where: string, named: Implementations): Generator<string> {
  const { type, params } = isObject(action) ? action : { type: action, params: undefined }
  if (typeof type !== 'string') return yield `has the action ${shown(action)} ${where}: ${MADE}`
  if (isEffectName(type)) {
    const fault = typeof params === 'function' ? undefined : faultOfEffect({ type, params })
    if (fault) yield `has the action '${type}' with wrong parameters ${where}: ${fault}`
    return
  }
  const own = named.actions[type]
  if (own === undefined) yield `names the action '${type}' ${where}: ${missing(type, named.actions)}`
  else if (typeof own === 'function') yield* faultsOfAction(own, `named '${type}' ${where}`, named)
}

/** The faults of an event that a machine raises for itself; those of `after` are found where it is written. */
function* faultsOfRaise(action: object, where: string, named: Implementations): Generator<string> {
  const [event, delay]: readonly unknown[] = [Reflect.get(action, 'event'), Reflect.get(action, 'delay')]
  const type = isObject(event) ? event['type'] : undefined
  if (typeof event !== 'function' && typeof type !== 'string') {
    yield `raises ${shown(event)} ${where}: an event is an object whose type is a text`
  }
  if (typeof type === 'string' && type.startsWith('xstate.after.')) return
  const fault = faultOfDelay(delay, named)
  if (fault) yield `raises ${shown(type)} with the delay ${shown(delay)} ${where}: ${fault}`
}

function faultOfDelay(delay: unknown, { delays }: Implementations): string | undefined {
  if (delay === undefined || typeof delay === 'function') return undefined
  if (typeof delay === 'string') {
    const own = delays[delay]
    return own === undefined ? missing(delay, delays) : faultOfDelay(own, { actions: {}, guards: {}, delays: {} })
  }
  return isTime(delay)
    ? undefined
    : 'a delay is a time >= 0 in whole millionths of a unit, as units(5) makes of 5 units'
}

function missing(name: string, known: Named): string {
  const meant = nearest(name, Object.keys(known))
  return meant === undefined ? 'give it in `setup({ ... })`' : `did you mean '${meant}'?`
}

/** The functions of an `assign`. */
function assignersOf(action: object): readonly unknown[] {
  const assignment: unknown = Reflect.get(action, 'assignment')
  return isObject(assignment) ? Object.values(assignment) : [assignment]
}

/** Says whether the text of a function calls `spawn`; a call that is hidden from this fails its step. */
const callsSpawn = (value: unknown): boolean => typeof value === 'function' && /\bspawn\s*\(/.test(String(value))
