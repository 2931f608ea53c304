/** Runs the child charts that a machine names, each on an engine of the same kind as the machine's own. */
import type { AnyStateMachine, StateValue } from 'xstate'
import { chartsOf } from '../actor/actor.ts'
import { type ChartRunner, type ChildStep, useCharts } from '../actor/child-chart.ts'
import { isObject, type Plain } from '../core/data.ts'
import type { Engine, Step } from './engine.ts'
import { statesBelow } from './node.ts'

/** An engine that can go on from a state which is known by its path and context. */
export interface ChildEngine<State> extends Engine<State> {
  restore(path: string, context: object): State
  /** The path of a state, by which it can be restored. */
  pathOf(state: State): string
}

/** The runner of a machine's child charts; `engineOf` makes the engine of one. */
export function runnerOf<State>(
  machine: AnyStateMachine,
  engineOf: (machine: AnyStateMachine, name: string) => ChildEngine<State>,
): ChartRunner {
  const engines = new Map(
    chartsOf(machine).map((chart) => [chart.machine, engineOf(chart.machine, `child chart '${chart.name}'`)]),
  )

  function engine(child: AnyStateMachine): ChildEngine<State> {
    const found = engines.get(child)
    if (found) return found
    throw new Error(
      `child chart '${child.id}' is not among those of machine '${machine.id}': name it in actor({ charts: [...] })`,
    )
  }

  /** Makes the step of a child; its engine may have put its own charts in place of these. */
  function stepOf(own: ChildEngine<State>, [state, effects]: Step<State>): ChildStep {
    useCharts(runner)
    const { context } = own.view(state)
    return { state: own.pathOf(state), context: isObject(context) ? context : {}, effects }
  }

  const runner: ChartRunner = {
    start(child, input) {
      const own = engine(child)
      return stepOf(own, own.initial(input))
    },
    send(child, { state, context }, event) {
      const own = engine(child)
      const before = own.restore(state, context)
      if (own.view(before).status !== 'active') return { state, context, effects: [] }
      return stepOf(own, own.step(before, event))
    },
  }
  return runner
}

/** The names of a machine's child charts, and the paths of their states. */
export const statesOfCharts = (machine: AnyStateMachine): Engine['charts'] =>
  chartsOf(machine).map((chart) => ({ name: chart.name, states: statesBelow(chart.machine.root) }))

/** The path of the innermost state of a configuration without parallel states. */
export function pathIn(value: Plain): string {
  if (typeof value === 'string') return value
  const [entry] = isObject(value) ? Object.entries(value) : []
  if (!entry) return ''
  const inner = pathIn(entry[1] ?? '')
  return inner === '' ? entry[0] : `${entry[0]}.${inner}`
}

/** The configuration with this innermost state. */
export const configurationAt = (path: string): StateValue =>
  path === ''
    ? {}
    : path.split('.').reduceRight<StateValue>((inner, name) => (inner === '' ? name : { [name]: inner }), '')
