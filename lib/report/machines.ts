/** The statecharts of a run's actors, from the definitions of their machines, with counts of the events that came. */
import type { AnyStateMachine } from 'xstate'
import { chartsOf } from '../actor/actor.ts'
import { actorNamed } from '../core/code-registry.ts'
import { machineIn } from '../engine/machine.ts'
import type { XNode } from '../engine/node.ts'
import { coverageOf, definedBy, type Met, metIn } from '../trace/coverage.ts'
import { stateName } from '../trace/names.ts'
import { eventOf, type Run, type Step } from '../trace/run.ts'
import type { ShownMachine, ShownState, ShownTransition } from './types.ts'

/** The statechart of each module. A module that is not registered, or cannot be loaded any more, has none. */
export async function machinesOf(run: Run): Promise<ReadonlyMap<string, ShownMachine>> {
  const shown = new Map<string, ShownMachine>()
  for (const [module, actors] of metIn([run])) {
    const machine = await load(module)
    if (machine) shown.set(module, machineOf(module, machine, [...actors.values()], stepsOf(run, module)))
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

const stepsOf = ({ incarnations }: Run, module: string): Step[] =>
  incarnations.flatMap((incarnation) => (incarnation.module === module ? incarnation.steps : []))

/** The statechart of a machine, with the events and the steps of its actors. */
export function machineOf(
  module: string,
  machine: AnyStateMachine,
  met: readonly Met[],
  steps: readonly Step[],
): ShownMachine {
  const visits = visitsOf(nodesOf(machine.root), met)
  const states = statesOf(machine, (node, event) => visits.get(node)?.get(event) ?? 0)
  const { missing, unhandled } = coverageOf(definedBy(machine), met)
  const charts = chartsOf(machine).map((chart) => childOf(chart.name, chart.machine, steps))
  return { module, states, moves: movesOf(states, steps), missing, unhandled, charts }
}

/** A child chart, with the moves of the conversations that have it. */
function childOf(name: string, machine: AnyStateMachine, steps: readonly Step[]): ShownMachine {
  const states = statesOf(machine, () => null)
  const entered = steps.flatMap((step) =>
    step.entered.flatMap(({ chart, key, state }) => (chart === name ? [{ step, key, state }] : [])),
  )
  const last = new Map<string, string>()
  const moves = entered.flatMap(({ step, key, state }): Move[] => {
    const conversation = `${step.who} ${step.incarnation} ${key}`
    const from = last.get(conversation)
    last.set(conversation, state)
    return from === undefined ? [] : [{ from, event: eventOf(step), to: state }]
  })
  const met = new Set(entered.map(({ state }) => state))
  const leaves = states.filter(({ path }) => !states.some((other) => other.path.startsWith(`${path}.`)))
  const missing = leaves.flatMap(({ path }) => (path === '' || met.has(path) ? [] : [path]))
  return { module: name, states, moves: countsOf(states, moves), missing, unhandled: [], charts: [] }
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

interface Move {
  readonly from: string
  readonly event: string
  readonly to: string
}

/** The moves between states, for machines with one active state at a time; parallel regions are not distinguished. */
const movesOf = (states: readonly ShownState[], steps: readonly Step[]): ShownMachine['moves'] =>
  countsOf(
    states,
    steps.flatMap((step) =>
      step.on.what === 'start'
        ? []
        : [{ from: stateName(step.before), event: eventOf(step), to: stateName(step.state) }],
    ),
  )

/** Counts equal moves, without those that stay where they are. */
function countsOf(states: readonly ShownState[], moves: readonly Move[]): ShownMachine['moves'] {
  const places = new Map(states.map(({ path }, i) => [path || '-', i]))
  const counts = new Map<string, [number, string, number, number]>()
  for (const { event, ...move } of moves) {
    const [from, to] = [places.get(move.from), places.get(move.to)]
    if (from === undefined || to === undefined || from === to) continue
    const key = `${from} ${to} ${event}`
    const known = counts.get(key)
    if (known) known[3]++
    else counts.set(key, [from, event, to, 1])
  }
  return [...counts.values()]
}

/** Counts events by the state that handles them: the active state, or the nearest state around it with such a transition. */
function visitsOf(nodes: readonly XNode[], met: readonly Met[]): Map<XNode, Map<string, number>> {
  const byPath = new Map(nodes.map((node) => [node.path.join('.') || '-', node]))
  const visits = new Map<XNode, Map<string, number>>()
  for (const [pair, count] of met.flatMap(({ pairs }) => [...pairs])) {
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
