/**
 * Precomputed transitions. In a chart without parallel states the innermost active state determines the configuration. For
 * each such state and event, SCXML's algorithm gives a list of candidate transitions in order, each with one list of
 * actions and one next state. Plans are computed when first needed, and kept.
 *
 * Source: W3C, State Chart XML (SCXML), appendix D. Where XState departs from it, XState is right.
 */
import type { PureAction } from '../actor/actor.ts'
import type { Plain } from '../core/data.ts'
import type { Guard, Node, Transition } from './chart.ts'
import { isMatch } from './node.ts'

/** A transition, taken in one configuration. */
export interface Plan {
  readonly guard: Guard | null
  /** The id of the state whose transition it is. */
  readonly source: string
  /** The exit actions, the transition's own actions and the entry actions; then the exit actions if the machine ends. */
  readonly actions: readonly PureAction[]
  readonly to: Leaf
}

/** A configuration, named by its innermost active state; all states around that are active too. */
export class Leaf {
  readonly value: Plain
  /** The keys of the active states from the outside in, such as `trading.busy`; '' for a machine without states. */
  readonly path: string
  /** Whether the machine has ended. */
  readonly isFinal: boolean
  readonly #path: readonly Node[]
  readonly #plans: Plans
  readonly #byType = new Map<string, readonly Plan[]>()
  #always: readonly Plan[] | undefined

  constructor(node: Node, plans: Plans) {
    this.#path = pathOf(node)
    this.#plans = plans
    this.value = configurationOf(this.#path)
    this.path = this.#path
      .slice(1)
      .map(({ key }) => key)
      .join('.')
    this.isFinal = node.isFinal
  }

  /** The transitions that need no event, in the order of trying. */
  get always(): readonly Plan[] {
    this.#always ??= this.#outwards.flatMap(({ always }) => always.map((transition) => this.#planOf(transition)))
    return this.#always
  }

  /** The transitions for an event of this type, in the order of trying. */
  plansFor(type: string): readonly Plan[] {
    const known = this.#byType.get(type)
    if (known) return known
    const plans = this.#outwards.flatMap((node) => candidates(node, type).map((one) => this.#planOf(one)))
    // other types are not kept, since there may be any number of them
    if (this.#plans.names.has(type)) this.#byType.set(type, plans)
    return plans
  }

  get #outwards(): readonly Node[] {
    return this.#path.toReversed()
  }

  #planOf(transition: Transition): Plan {
    const { source, target, guard, actions } = transition
    if (!target) return { guard, source: source.id, actions, to: this }
    const domain = domainOf(transition, target)
    const isInDomain = (node: Node) => domain === null || isBelow(node, domain)
    const to = innermost(target)
    const isEntered = (node: Node) =>
      node === target ? target !== source || transition.reenter : isBelow(node, target) || isInDomain(node)
    return {
      guard,
      source: source.id,
      to: this.#plans.leafAt(to),
      actions: [
        ...this.#outwards.filter(isInDomain).flatMap(({ exit }) => exit),
        ...actions,
        ...pathOf(to)
          .filter(isEntered)
          .flatMap((node) => entering(node, node === target || isBelow(node, target))),
        ...ending(to),
      ],
    }
  }
}

export class Plans {
  /** All event descriptors. */
  readonly names: ReadonlySet<string>
  /** The start of the machine: its first actions and configuration. */
  readonly start: Pick<Plan, 'actions' | 'to'>
  readonly #chart: Node
  readonly #leaves = new Map<Node, Leaf>()
  readonly #byPath = new Map<string, Leaf>()

  constructor(chart: Node) {
    this.#chart = chart
    this.names = new Set(namesIn(chart))
    const first = innermost(chart)
    const actions = [...pathOf(first).flatMap((node) => entering(node, true)), ...ending(first)]
    this.start = { actions, to: this.leafAt(first) }
  }

  /** The leaf of the state with this path. */
  leafNamed(path: string): Leaf {
    const known = this.#byPath.get(path)
    if (known) return known
    const named = (node: Node, name: string) => node.states.find(({ key }) => key === name)
    let node: Node | undefined = this.#chart
    for (const name of path === '' ? [] : path.split('.')) node = node && named(node, name)
    if (!node) throw new RangeError(`the machine has no state '${path}'`)
    const leaf = this.leafAt(innermost(node))
    this.#byPath.set(path, leaf)
    return leaf
  }

  leafAt(node: Node): Leaf {
    const known = this.#leaves.get(node)
    if (known) return known
    const leaf = new Leaf(node, this)
    this.#leaves.set(node, leaf)
    return leaf
  }
}

const pathOf = (node: Node): readonly Node[] => (node.parent ? [...pathOf(node.parent), node] : [node])

const isBelow = (node: Node, other: Node): boolean =>
  node.parent !== null && (node.parent === other || isBelow(node.parent, other))

const innermost = (node: Node): Node => (node.initial ? innermost(node.initial.target) : node)

const namesIn = (node: Node): string[] => [...node.on.keys(), ...node.states.flatMap(namesIn)]

/** The value of a configuration; it does not name the root state. */
const configurationOf = ([, ...path]: readonly Node[]): Plain =>
  path.reduceRight<Plain>((inner, { key, initial }) => (initial ? { [key]: inner } : key), {})

const entering = ({ entry, initial }: Node, isByDefault: boolean): readonly PureAction[] =>
  isByDefault && initial ? [...entry, ...initial.actions] : entry

/** The exit actions at the end of the machine, which leaves every state after entering the final one. */
const ending = (node: Node): readonly PureAction[] =>
  node.isFinal
    ? pathOf(node)
        .toReversed()
        .flatMap(({ exit }) => exit)
    : []

/** The transition's domain: the states within it are left and entered. Null if the root state is left as well. */
function domainOf({ source, reenter }: Transition, target: Node): Node | null {
  if (!reenter && (target === source || isBelow(target, source))) return source
  const shared = pathOf(target).findLast((node) => isBelow(target, node) && isBelow(source, node))
  return shared ?? (reenter ? null : (pathOf(source)[0] ?? null))
}

/** The transitions of one state for a type: those that name the type first, then patterns, the longest first. */
function candidates({ on }: Node, type: string): Transition[] {
  const patterns = [...on.keys()].filter((pattern) => pattern !== type && isMatch(type, pattern))
  return [type, ...patterns.sort((one, other) => other.length - one.length)].flatMap((name) => on.get(name) ?? [])
}
