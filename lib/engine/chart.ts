/**
 * A statechart of nested states, read from XState's own representation. One state is active at each level, and all actions
 * are made by `handlers` or `onEntry`. Any other feature of XState is refused here, so that plans need not handle it.
 */
import type { AnyStateMachine, EventObject, MachineContext } from 'xstate'
import { type PureAction, pureActionOf } from '../actor/actor.ts'
import { NotCompiled, nameOf, type XNode } from './machine.ts'

type XTransition = NonNullable<XNode['always']>[number]

export type Guard = (met: { readonly context: MachineContext; readonly event: EventObject }) => unknown

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
  const ownActions: { readonly [type: string]: unknown } = implementations.actions
  for (const [type, action] of Object.entries(ownActions)) {
    if (typeof action === 'function' && 'resolve' in action) throw new NotCompiled(`an action '${type}' of its own`)
  }
  const nodes = new Map<XNode, Draft>()

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
      guard: guardOf(guard, source),
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

const pureActions = (actions: readonly unknown[], node: XNode): readonly PureAction[] =>
  actions.map((action) => {
    const pure = typeof action === 'function' ? pureActionOf(action) : undefined
    if (!pure) throw refusal('an action that `handlers` or `onEntry` did not make', node)
    return pure
  })

function guardOf(guard: XTransition['guard'], node: XNode): Guard | null {
  if (guard === undefined) return null
  // a guard with a `check` is composed of other guards (`and`, `not`, `stateIn`)
  if (typeof guard !== 'function' || 'check' in guard) throw refusal('a guard that is no plain function', node)
  return (met) => guard(met, undefined)
}
