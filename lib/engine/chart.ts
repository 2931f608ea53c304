/**
 * A statechart of nested states, read from XState's own representation. One state is active at each level, and all actions
 * are made by `handlers` or `onEntry`. Any other feature of XState is refused here, so that plans need not handle it.
 */
import type { AnyStateMachine, EventObject, MachineContext } from 'xstate'
import { isEffectName, type PureAction, pureActionOf } from '../actor/actor.ts'
import { isObject } from '../core/data.ts'
import { NotCompiled } from './machine.ts'
import { nameOf, type XNode } from './node.ts'

type XTransition = NonNullable<XNode['always']>[number]

/** What a guard, and the function of a parameter, is told. */
interface Met {
  readonly context: MachineContext
  readonly event: EventObject
}

export interface Guard {
  /** The name that `setup` gave it; null for a function in its place. */
  readonly name: string | null
  readonly holds: (met: Met) => unknown
}

export interface Node {
  readonly id: string
  readonly key: string
  readonly parent: Node | null
  readonly isFinal: boolean
  /** The states within this one. */
  readonly states: readonly Node[]
  readonly entry: readonly PureAction[]
  readonly exit: readonly PureAction[]
  /** The initial state within this one, and the actions between the two entries. */
  readonly initial: Initial | null
  /** The transitions by event descriptor, in document order. */
  readonly on: ReadonlyMap<string, readonly Transition[]>
  readonly always: readonly Transition[]
}

interface Initial {
  readonly target: Node
  readonly actions: readonly PureAction[]
}

export interface Transition {
  readonly source: Node
  /** The target state; null for a transition that leaves and enters no state. */
  readonly target: Node | null
  /** Whether the source is left and entered again even if the target lies within it. */
  readonly reenter: boolean
  readonly guard: Guard | null
  readonly actions: readonly PureAction[]
}

/** A state while the chart is being read: references to other states are added last. */
interface Draft extends Node {
  readonly states: Draft[]
  initial: Initial | null
  readonly on: Map<string, readonly Transition[]>
  readonly always: Transition[]
}

/**
 * Reads the statechart of a machine; returns its root state.
 *
 * @throws NotCompiled
 */
export function chartOf({ root, implementations }: AnyStateMachine): Node {
  const ownActions: Named = implementations.actions
  for (const [type, action] of Object.entries(ownActions)) {
    const isOwn = isEffectName(type) && typeof action === 'function' && 'resolve' in action
    if (isOwn) throw new NotCompiled(`an action '${type}' of its own`)
  }
  const nodes = new Map<XNode, Draft>()
  const pureActions = (actions: readonly unknown[], node: XNode): readonly PureAction[] =>
    actions.map((action) => pureAction(action, ownActions, node))

  function read(node: XNode, parent: Node | null): Draft {
    requireKnown(node, root)
    const draft: Draft = {
      id: node.id,
      key: node.key,
      parent,
      isFinal: node.type === 'final',
      entry: pureActions(node.entry, node),
      exit: pureActions(node.exit, node),
      states: [],
      initial: null,
      on: new Map(),
      always: [],
    }
    nodes.set(node, draft)
    for (const child of Object.values(node.states)) draft.states.push(read(child, draft))
    return draft
  }

  const draftOf = (node: XNode): Draft => {
    const draft = nodes.get(node)
    if (!draft) throw new NotCompiled(`a transition to '${nameOf(node)}', which is not a state of this machine`)
    return draft
  }

  const transitionOf = ({ source, target, reenter, guard, actions }: XTransition): Transition => {
    const [to, ...more] = target ?? []
    if (more.length > 0) throw refusal('a transition with several targets', source)
    return {
      source: draftOf(source),
      target: to ? draftOf(to) : null,
      reenter,
      guard: guardOf(guard, implementations.guards, source),
      actions: pureActions(actions, source),
    }
  }

  const chart = read(root, null)
  for (const [node, draft] of nodes) {
    const [target] = node.type === 'compound' ? node.initial.target : []
    if (target) draft.initial = { target: draftOf(target), actions: pureActions(node.initial.actions, node) }
    for (const [descriptor, transitions] of node.transitions) {
      draft.on.set(descriptor, transitions.map(transitionOf))
    }
    draft.always.push(...(node.always ?? []).map(transitionOf))
  }
  return chart
}

const refusal = (what: string, node: XNode): NotCompiled => new NotCompiled(`${what} in state '${nameOf(node)}'`)

function requireKnown(node: XNode, root: XNode): void {
  if (node.type === 'parallel') throw refusal('parallel states', node)
  if (node.type === 'final' && node.parent !== root) throw refusal('an end that is not the end of the machine', node)
  if (node.type !== 'compound' && Object.keys(node.states).length > 0) {
    throw refusal(`states in a state of type '${node.type}'`, node)
  }
  if (node.after.length > 0) throw refusal('a delayed transition', node)
  if (node.output !== undefined) throw refusal('an output', node)
}

/** What a machine names. */
type Named = { readonly [name: string]: unknown }

/** The use of a guard or action: the function of its own or of that name, and its parameters, which a function may make. */
interface Use {
  readonly name: string | null
  readonly made: unknown
  readonly params: (met: Met) => unknown
}

function useOf(used: unknown, named: Named): Use {
  const none = () => undefined
  if (typeof used === 'string') return { name: used, made: named[used], params: none }
  if (!isObject(used)) return { name: null, made: used, params: none }
  const { type, params } = used
  const name = String(type)
  return {
    name,
    made: named[name],
    params: typeof params === 'function' ? (met) => Reflect.apply(params, undefined, [met]) : () => params,
  }
}

function pureAction(used: unknown, named: Named, node: XNode): PureAction {
  const { made, params } = useOf(used, named)
  const pure = typeof made === 'function' ? pureActionOf(made) : undefined
  if (!pure) throw refusal('an action that `handlers`, `onEntry` or `setup` did not make', node)
  if (typeof used === 'function') return pure
  return {
    decide: (context, event, effects) => pure.decide(context, event, effects, params({ context, event })),
  }
}

function guardOf(used: XTransition['guard'], named: Named, node: XNode): Guard | null {
  if (used === undefined) return null
  const { name, made, params } = useOf(used, named)
  // a guard with a `check` is composed of other guards (`and`, `not`, `stateIn`)
  if (typeof made !== 'function' || 'check' in made) throw refusal('a guard that is no plain function', node)
  if (typeof used === 'function') return { name, holds: (met) => used(met, undefined) }
  return { name, holds: (met) => Reflect.apply(made, undefined, [met, params(met)]) }
}
