/**
 * A statechart of states within states, taken from what XState has read of it: one state is active at each level, and all
 * that is done is a rule's. Whatever else XState knows is refused here, so that plans need not think of it.
 */
import type { AnyStateMachine, EventObject, MachineContext } from 'xstate'
import { type Ruling, rulingOf } from '../actor/actor.ts'
import { NotCompiled, nameOf, type XNode } from './machine.ts'

type XTransition = NonNullable<XNode['always']>[number]

export type Guard = (met: { readonly context: MachineContext; readonly event: EventObject }) => unknown

export interface Node {
  readonly id: string
  readonly key: string
  readonly parent: Node | null
  readonly isFinal: boolean
  /** Those in it. */
  readonly states: readonly Node[]
  readonly entry: readonly Ruling[]
  readonly exit: readonly Ruling[]
  /** The state within it that is entered with it, and what is done between their entries. */
  readonly initial: Initial | null
  /** By event descriptor, in the order of the text. */
  readonly on: ReadonlyMap<string, readonly Transition[]>
  readonly always: readonly Transition[]
}

interface Initial {
  readonly target: Node
  readonly actions: readonly Ruling[]
}

export interface Transition {
  readonly source: Node
  /** Null: nothing is left or entered. */
  readonly target: Node | null
  /** Is the source left and entered again, even if the target lies in it? */
  readonly reenter: boolean
  readonly guard: Guard | null
  readonly actions: readonly Ruling[]
}

/** While the chart is being read: what refers to other states comes last. */
interface Draft extends Node {
  readonly states: Draft[]
  initial: Initial | null
  readonly on: Map<string, readonly Transition[]>
  readonly always: Transition[]
}

/**
 * The outermost state of a machine.
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
      entry: rulings(node.entry, node),
      exit: rulings(node.exit, node),
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
    if (!draft) throw new NotCompiled(`a transition to '${nameOf(node)}', which is no state of its own`)
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
      actions: rulings(actions, source),
    }
  }

  const chart = read(root, null)
  for (const [node, draft] of nodes) {
    const [target] = node.type === 'compound' ? node.initial.target : []
    if (target) draft.initial = { target: draftOf(target), actions: rulings(node.initial.actions, node) }
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

const rulings = (actions: readonly unknown[], node: XNode): readonly Ruling[] =>
  actions.map((action) => {
    const ruling = typeof action === 'function' ? rulingOf(action) : undefined
    if (!ruling) throw refusal('an action that is no rule', node)
    return ruling
  })

function guardOf(guard: XTransition['guard'], node: XNode): Guard | null {
  if (guard === undefined) return null
  // what has a `check` is made of other guards (`and`, `not`, `stateIn`)
  if (typeof guard !== 'function' || 'check' in guard) throw refusal('a guard that is no plain function', node)
  return (met) => guard(met, undefined)
}
