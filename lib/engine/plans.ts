/**
 * What SCXML's algorithm comes to in a chart without parallel states, where the innermost active state says it all: in
 * each of those, an event has its candidates in order, and each candidate one list of actions and one state to be in
 * afterwards. Worked out when it is first asked for, and kept.
 *
 * Source: W3C, State Chart XML (SCXML), appendix D. Where XState departs from it, XState is right.
 */
import type { Ruling } from '../actor/actor.ts'
import type { Plain } from '../core/data.ts'
import type { Guard, Node, Transition } from './chart.ts'

/** A transition, taken in one configuration. */
export interface Plan {
  readonly guard: Guard | null
  /** The id of the state whose transition it is. */
  readonly source: string
  /** Of what is left, of the transition, of what is entered; at the end of the machine of all that is left then. */
  readonly actions: readonly Ruling[]
  readonly to: Leaf
}

/** A configuration: this state is active, and all around it. */
export class Leaf {
  readonly value: Plain
  /** Is the machine over? */
  readonly isFinal: boolean
  readonly #path: readonly Node[]
  readonly #plans: Plans
  readonly #byType = new Map<string, readonly Plan[]>()
  #always: readonly Plan[] | undefined

  constructor(node: Node, plans: Plans) {
    this.#path = pathOf(node)
    this.#plans = plans
    this.value = configurationOf(this.#path)
    this.isFinal = node.isFinal
  }

  /** Those that need no event, in the order of trying. */
  get always(): readonly Plan[] {
    this.#always ??= this.#outwards.flatMap(({ always }) => always.map((transition) => this.#planOf(transition)))
    return this.#always
  }

  /** Those that an event of this type may take, in the order of trying. */
  plansFor(type: string): readonly Plan[] {
    const known = this.#byType.get(type)
    if (known) return known
    const plans = this.#outwards.flatMap((node) => candidates(node, type).map((one) => this.#planOf(one)))
    // of others there may be any number
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
  /** How the machine begins. */
  readonly start: Pick<Plan, 'actions' | 'to'>
  readonly #leaves = new Map<Node, Leaf>()

  constructor(chart: Node) {
    this.names = new Set(namesIn(chart))
    const first = innermost(chart)
    const actions = [...pathOf(first).flatMap((node) => entering(node, true)), ...ending(first)]
    this.start = { actions, to: this.leafAt(first) }
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

/** The outermost has no name in it. */
const configurationOf = ([, ...path]: readonly Node[]): Plain =>
  path.reduceRight<Plain>((inner, { key, initial }) => (initial ? { [key]: inner } : key), {})

const entering = ({ entry, initial }: Node, isByDefault: boolean): readonly Ruling[] =>
  isByDefault && initial ? [...entry, ...initial.actions] : entry

/** The end of the machine leaves every state, after entering the last. */
const ending = (node: Node): readonly Ruling[] =>
  node.isFinal
    ? pathOf(node)
        .toReversed()
        .flatMap(({ exit }) => exit)
    : []

/** What lies in it is left and entered, and it is not; null: the outermost state is, too. */
function domainOf({ source, reenter }: Transition, target: Node): Node | null {
  if (!reenter && (target === source || isBelow(target, source))) return source
  const shared = pathOf(target).findLast((node) => isBelow(target, node) && isBelow(source, node))
  return shared ?? (reenter ? null : (pathOf(source)[0] ?? null))
}

/** Of one state: those of the very type first, then those of the longest pattern. */
function candidates({ on }: Node, type: string): Transition[] {
  const patterns = [...on.keys()].filter((pattern) => pattern !== type && isMatch(type, pattern))
  return [type, ...patterns.sort((one, other) => other.length - one.length)].flatMap((name) => on.get(name) ?? [])
}

/** `*` matches everything; `bid.*` matches `bid`, `bid.late` and `bid.late.local`; no other asterisk means anything. */
function isMatch(type: string, pattern: string): boolean {
  if (pattern === '*') return true
  if (!pattern.endsWith('.*')) return false
  const head = pattern.slice(0, -2)
  return !head.split('.').includes('*') && (type === head || type.startsWith(pattern.slice(0, -1)))
}
