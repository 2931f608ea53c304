/**
 * What runs a machine. A state is opaque and immutable, so it can be kept and tried again with another event;
 * effects are plain data, in order. The cell owns everything else: mailbox, timers, errors.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor, type EventObject, StateMachine } from 'xstate'
import type { Call, Effect } from './actor.ts'
import { isMessage, isObject, isPlain, type Plain } from './plain.ts'
import { isTimerKind } from './time.ts'

export type Step<State> = readonly [state: State, effects: readonly Effect[]]

export interface View {
  /** The statechart's configuration: a name, or an object of names. */
  readonly value: Plain
  readonly context: unknown
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  readonly output: unknown
}

export interface Engine<State> {
  initial(input: unknown): Step<State>
  step(state: State, event: EventObject): Step<State>
  view(state: State): View
  /** Would `event` take any transition in this state? */
  handles(state: State, event: EventObject): boolean
  /** Does the machine name events of this type anywhere? */
  knows(type: string): boolean
  /** The paths of all its states, the outer before the inner: `trading`, `trading.busy`. */
  readonly states: readonly string[]
}

/** Thrown when what a module exports cannot run as an actor: says which rule it breaks. */
export class NotAMachine extends Error {
  override readonly name = 'NotAMachine'
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

/** XState's own transition function with one scope for all steps, which collects actions instead of running them. */
export function xstateEngine(exported: unknown, module: string): Engine<AnyMachineSnapshot> {
  const machine = machineIn(exported, module)
  checkRules(machine, module)
  let effects: Effect[] = []
  const self = createActor(machine)
  const nothing = () => {}
  const scope = {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: (action: { readonly type: string; readonly params: unknown }) => {
      const effect = toEffect(action.type, action.params)
      if (effect) effects.push(effect)
    },
  }
  const types = new Set<string>(machine.events)
  return {
    initial(input) {
      effects = []
      return [unlessFailed(machine.getInitialSnapshot(scope, input)), effects]
    },
    step(state, event) {
      effects = []
      return [unlessFailed(machine.transition(state, event, scope)), effects]
    },
    view: ({ value, context, status, output }) => ({ value, context, status, output }),
    handles: (state, event) => machine.getTransitionData(state, event).length > 0,
    knows: (type) => types.has(type),
    states: statesBelow(machine.root),
  }
}

const statesBelow = (node: AnyStateMachine['root']): string[] =>
  Object.values(node.states).flatMap((child) => [child.path.join('.'), ...statesBelow(child)])

/** XState keeps the error of a first step in the state instead of throwing it. */
function unlessFailed(state: AnyMachineSnapshot): AnyMachineSnapshot {
  if (state.status === 'error') throw state.error
  return state
}

/** An actor's machine is a pure statechart: whatever would need XState's own actor system is refused at once. */
function checkRules(machine: AnyStateMachine, module: string): void {
  const refuse = (what: string, where: string) => {
    throw new NotAMachine(`${module}: the machine ${what} in state '${where}', which an actor's machine may not`)
  }
  const visit = (node: AnyStateMachine['root']): void => {
    const where = node.path.join('.') || node.key
    if (node.invoke.length > 0) refuse('invokes a child', where)
    if (node.type === 'history') refuse('has a history state', where)
    const transitions = [...node.transitions.values()].flat()
    const actions = [...node.entry, ...node.exit, ...transitions.flatMap((transition) => transition.actions)]
    for (const action of actions) {
      const type: unknown = isObject(action) || typeof action === 'function' ? Reflect.get(action, 'type') : action
      if (typeof type === 'string' && FORBIDDEN.has(type)) refuse(`uses '${type}'`, where)
    }
    for (const child of Object.values(node.states)) visit(child)
  }
  visit(machine.root)
}

const FORBIDDEN = new Set(['xstate.spawnChild', 'xstate.stopChild', 'xstate.sendTo', 'xstate.sendParent', 'xstate.log'])

/** An action as XState resolved it, as an effect; undefined for those that are over once the step is. */
function toEffect(type: string, params: unknown): Effect | undefined {
  if (isObject(params)) {
    const { to, message, id, delay, event, kind = 'protocol', call } = params
    switch (type) {
      case 'tell':
        if (typeof to === 'string' && isMessage(message)) return { type, params: { to, message } }
        break
      case 'timer':
        if (typeof id === 'string' && isDelay(delay) && isMessage(event) && isTimerKind(kind)) {
          return { type, params: { id, delay, event, kind } }
        }
        break
      case 'compute':
        if (typeof id === 'string' && isCall(call)) return { type, params: { id, call } }
        break
      case 'cancel':
        if (typeof id === 'string') return { type, params: { id } }
        break
      case 'observe':
        if (isMessage(params)) return { type, params }
        break
      case 'xstate.raise':
        if (delay === undefined) return undefined
        if (isDelay(delay) && isMessage(event)) {
          return {
            type: 'timer',
            params: { id: typeof id === 'string' ? id : event.type, delay, event, kind: 'protocol' },
          }
        }
        break
      case 'xstate.cancel':
        if (typeof params['sendId'] === 'string') return { type: 'cancel', params: { id: params['sendId'] } }
        break
    }
  }
  if (type === 'persist' && isPlain(params)) return { type, params }
  throw new TypeError(
    `the machine asked for an effect this runtime does not know, or with wrong params: '${type}' ${show(params)}`,
  )
}

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)

const isCall = (value: unknown): value is Call =>
  isObject(value) &&
  typeof value['module'] === 'string' &&
  typeof value['export'] === 'string' &&
  Array.isArray(value['args'])

const show = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
