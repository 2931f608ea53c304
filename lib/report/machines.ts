/** The statecharts of a run's actors, from the definitions of their machines, with counts of the events that came. */
import type { AnyStateMachine } from 'xstate'
import { chartsOf } from '../actor/actor.ts'
import { actorNamed } from '../core/code-registry.ts'
import { machineIn } from '../engine/machine.ts'
import type { XNode } from '../engine/node.ts'
import { coverageOf, definedBy, type Met } from '../trace/coverage.ts'
import type { ModuleActivity, Move } from './activity.ts'
import type { ShownMachine, ShownState, ShownTransition } from './types.ts'

/** The statechart of each module. A module that is not registered, or cannot be loaded any more, has none. */
export async function machinesOf(
  modules: ReadonlyMap<string, ModuleActivity>,
): Promise<ReadonlyMap<string, ShownMachine>> {
  const shown = new Map<string, ShownMachine>()
  for (const [module, activity] of modules) {
    const machine = await load(module)
    if (machine) shown.set(module, machineOf(module, machine, activity))
  }
  return shown
}

async function load(module: string): Promise<AnyStateMachine | undefined> {
  const url = actorNamed(module)
  if (url === undefined) return undefined
  try {
    const { default: exported }: { default?: unknown } = await import(url)
    return machineIn(exported, module)
  } catch {
    // the module of an old trace may be gone: the page is then shown without its statechart
    return undefined
  }
}

/** The statechart of a machine, with what came to its actors. */
export function machineOf(module: string, machine: AnyStateMachine, activity: ModuleActivity): ShownMachine {
  const visits = visitsOf(nodesOf(machine.root), activity)
  const states = statesOf(machine, (node, event) => visits.get(node)?.get(event) ?? 0)
  const { missing, unhandled } = coverageOf(definedBy(machine), [activity])
  const charts = chartsOf(machine).map((chart) => childOf(chart.name, chart.machine, activity))
  return { module, states, moves: placed(states, activity.moves), missing, unhandled, charts }
}

/** A child chart, with the moves of the conversations that have it. */
function childOf(name: string, machine: AnyStateMachine, { entered, chartMoves }: ModuleActivity): ShownMachine {
  const states = statesOf(machine, () => null)
  const leaves = states.filter(({ path }) => !states.some((other) => other.path.startsWith(`${path}.`)))
  const missing = leaves.flatMap(({ path }) => (path === '' || entered.has(`${name}: ${path}`) ? [] : [path]))
  const moves = placed(states, chartMoves.get(name) ?? [])
  return { module: name, states, moves, missing, unhandled: [], charts: [] }
}

/** The states of a machine; `visitsTo` counts the events that came to a state, or gives null if that is not known. */
function statesOf(
  machine: AnyStateMachine,
  visitsTo: (node: XNode, event: string) => number | null,
): readonly ShownState[] {
  const nodes = nodesOf(machine.root)
  const places = new Map(nodes.map((node, i) => [node, i]))
  return nodes.map((node): ShownState => {
    const { parent } = node
    return {
      path: node.path.join('.'),
      parent: parent ? (places.get(parent) ?? -1) : -1,
      isInitial: parent?.initial?.target.includes(node) ?? false,
      isFinal: node.type === 'final',
      transitions: [
        ...[...node.transitions].map(
          ([event, all]): ShownTransition => ({
            event,
            targets: targetsOf(all, places),
            visits: event === '' ? null : visitsTo(node, event),
          }),
        ),
        ...(node.always ?? []).map((one) => ({ event: '', targets: targetsOf([one], places), visits: null })),
      ],
    }
  })
}

const nodesOf = (node: XNode): XNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)]

type Targets = readonly { readonly target: readonly XNode[] | undefined }[]

const targetsOf = (all: Targets, places: ReadonlyMap<XNode, number>): number[] => [
  ...new Set(all.flatMap(({ target }) => target ?? []).map((target) => places.get(target) ?? 0)),
]

/** The places of moves, for machines with one active state at a time; parallel regions are not distinguished. */
function placed(states: readonly ShownState[], moves: readonly Move[]): ShownMachine['moves'] {
  const places = new Map(states.map(({ path }, i) => [path || '-', i]))
  return moves.flatMap(({ event, count, ...move }) => {
    const [from, to] = [places.get(move.from), places.get(move.to)]
    return from === undefined || to === undefined || from === to ? [] : [[from, event, to, count] as const]
  })
}

/** Counts events by the state that handles them: the active state, or the nearest state around it with such a transition. */
function visitsOf(nodes: readonly XNode[], { pairs }: Met): Map<XNode, Map<string, number>> {
  const byPath = new Map(nodes.map((node) => [node.path.join('.') || '-', node]))
  const visits = new Map<XNode, Map<string, number>>()
  for (const [pair, count] of pairs) {
    const cut = pair.indexOf(': ')
    const event = pair.slice(cut + 2)
    let node = byPath.get(pair.slice(0, cut))
    while (node && !node.transitions.has(event)) node = node.parent
    if (!node) continue
    const counts = visits.get(node) ?? new Map<string, number>()
    visits.set(node, counts.set(event, (counts.get(event) ?? 0) + count))
  }
  return visits
}
