/**
 * Activity coverage: which pairs of state and event a machine defines, and which of them its actors met (as Coyote
 * counts it). A state is a leaf of the statechart by its path; it defines the events that it or a state around it
 * handles, also those it names only to ignore them. What comes unasked for is counted apart.
 */
import type { AnyStateMachine } from 'xstate'
import { chartsOf } from '../actor/actor.ts'
import type { Address } from '../core/address.ts'
import { add } from '../core/tally.ts'
import { leavesOf } from './names.ts'
import { eventOf, type Run } from './run.ts'

type StateNode = AnyStateMachine['root']

/** A pair of state and event, such as `trading.busy: rfb`. */
export type Pair = string

const pair = (state: string, event: string): Pair => `${state || '-'}: ${event}`

/** The pairs of an event that comes while a statechart is in these leaves; without states there is one pair. */
export const pairsOf = (leaves: readonly string[], event: string): readonly Pair[] =>
  (leaves.length > 0 ? leaves : ['']).map((leaf) => pair(leaf, event))

/** The pairs that a machine defines, in the order of its definition. */
export function definedBy(machine: AnyStateMachine): ReadonlySet<Pair> {
  const pairs = new Set<Pair>()
  const visit = (node: StateNode, around: readonly string[]): void => {
    const events = [...around, ...[...node.transitions.keys()].filter(isEvent)]
    const children = Object.values(node.states)
    for (const child of children) visit(child, events)
    // a final state handles no events
    if (children.length === 0 && node.type !== 'final') {
      for (const event of events) pairs.add(pair(node.path.join('.'), event))
    }
  }
  visit(machine.root, [])
  return pairs
}

/** Says whether a descriptor is that of an event; '' stands for a transition that needs no event. */
const isEvent = (descriptor: string): boolean => descriptor !== ''

/** The states of a machine's child charts that have no states within them, such as `task: awarded`. */
export const chartStatesOf = (machine: AnyStateMachine): readonly string[] =>
  chartsOf(machine).flatMap((chart) => {
    const leaves = (node: StateNode): string[] => {
      const children = Object.values(node.states)
      return children.length === 0 ? [`${chart.name}: ${node.path.join('.')}`] : children.flatMap(leaves)
    }
    return leaves(chart.machine.root)
  })

export interface Met {
  /** The number of times that each pair came, defined or not. */
  readonly pairs: ReadonlyMap<Pair, number>
  /** The pairs that no transition took. */
  readonly unhandled: ReadonlyMap<Pair, number>
  /** The states that conversations entered, as `chartStatesOf` names them. */
  readonly entered: ReadonlySet<string>
}

/** The pairs that the actors of each module met, by address. */
export function metIn(runs: readonly Run[]): ReadonlyMap<string, ReadonlyMap<Address, Met>> {
  const modules = new Map<string, Map<Address, Draft>>()
  for (const { module, who, steps } of runs.flatMap(({ incarnations }) => incarnations)) {
    const actors = entry(modules, module, () => new Map<Address, Draft>())
    const met = entry(actors, who, (): Draft => ({ pairs: new Map(), unhandled: new Map(), entered: new Set() }))
    for (const step of steps) {
      for (const { chart, state } of step.entered) met.entered.add(`${chart}: ${state}`)
      if (step.on.what === 'start') continue
      for (const key of pairsOf(leavesOf(step.before), eventOf(step))) {
        add(met.pairs, key)
        if (step.unhandled) add(met.unhandled, key)
      }
    }
  }
  return modules
}

interface Draft {
  readonly pairs: Map<Pair, number>
  readonly unhandled: Map<Pair, number>
  readonly entered: Set<string>
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

export interface Coverage {
  readonly defined: number
  readonly covered: number
  /** Pairs that are defined and were never met. */
  readonly missing: readonly Pair[]
  /** Pairs that were met and that no transition took. */
  readonly unhandled: readonly Pair[]
}

/** The coverage of a machine's pairs by some of its actors together. */
export function coverageOf(defined: ReadonlySet<Pair>, actors: Iterable<Met>): Coverage {
  const all = [...actors]
  const missing = [...defined].filter((key) => !all.some(({ pairs }) => pairs.has(key)))
  const unhandled = new Set(all.flatMap((met) => [...met.unhandled.keys()]))
  return { defined: defined.size, covered: defined.size - missing.length, missing, unhandled: [...unhandled] }
}
