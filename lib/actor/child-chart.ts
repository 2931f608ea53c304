/**
 * Child charts: pure statecharts inside an actor, one for each of its conversations, such as a task or a contract. They run
 * within the step of their actor, on the same engine. Their states are part of the actor's context.
 */
import type { AnyStateMachine, ContextFrom, EventFrom, EventObject, InputFrom } from 'xstate'
import { isObject } from '../core/data.ts'
import { BourseError } from '../core/error.ts'
import type { Effect } from './effect.ts'
import { NotAMachine } from './not-a-machine.ts'

/** The state of one conversation. */
export interface Child<Context = object> {
  /** Tells the conversations of one chart apart: the number of the task, for instance. */
  readonly key: string | number
  /** The path of the active state, such as `awarded` or `awarded.asked`. */
  readonly state: string
  readonly context: Context
}

/** A child chart and how to run it. The functions exist only inside a step of an actor that names the chart. */
export interface ChildChart<Machine extends AnyStateMachine = AnyStateMachine> {
  /** The id of its machine. */
  readonly name: string
  readonly machine: Machine
  /** Begins a conversation. The effects are those of its handlers, and one that tells the state it begins in. */
  start(key: string | number, input: InputFrom<Machine>): readonly [Child<ContextFrom<Machine>>, ...Effect[]]
  /**
   * Hands an event to a conversation, which nothing happens to if its state does not handle the event. The effects are
   * those of its handlers, and one that tells the state it enters, if it enters one.
   */
  send(
    child: Child<ContextFrom<Machine>>,
    event: EventFrom<Machine>,
  ): readonly [Child<ContextFrom<Machine>>, ...Effect[]]
  /** Whether a conversation is in a state, or in a state within that one. */
  isIn(child: Child<ContextFrom<Machine>>, state: string): boolean
}

/** The result of a step of a child chart, as an engine returns it. */
export interface ChildStep {
  readonly state: string
  readonly context: object
  readonly effects: readonly Effect[]
}

/** Runs child charts for the engine of an actor. */
export interface ChartRunner {
  start(machine: AnyStateMachine, input: unknown): ChildStep
  send(machine: AnyStateMachine, child: Child, event: EventObject): ChildStep
}

let current: ChartRunner | undefined

/** An engine calls this before it runs a machine, with the charts that the machine names. */
export const useCharts = (runner: ChartRunner): void => {
  current = runner
}

function runner(): ChartRunner {
  if (!current) throw new BourseError('BOURSE_OUTSIDE_STEP', 'child charts run only inside a step of an actor')
  return current
}

/** Makes a child chart of a machine. The machine needs an id, which names the chart in traces, faults and errors. */
export function childChart<Machine extends AnyStateMachine>(machine: Machine): ChildChart<Machine> {
  const name = machine.id
  if (name === '(machine)') throw new NotAMachine("a child chart needs a name: createMachine({ id: 'task', ... })")
  // only this chart makes its contexts
  const isOwn = (context: object): context is ContextFrom<Machine> => isObject(context)

  function after(key: string | number, before: string | null, { state, context, effects }: ChildStep) {
    if (!isOwn(context)) throw new TypeError(`the context of child chart '${name}' is no object`)
    const child: Child<ContextFrom<Machine>> = { key, state, context }
    if (state === before) return [child, ...effects] as const
    return [child, ...effects, { type: 'enter', params: { chart: name, key, state } } as const] as const
  }

  return {
    name,
    machine,
    start: (key, input) => after(key, null, runner().start(machine, input)),
    send: (child, event) => after(child.key, child.state, runner().send(machine, child, event)),
    isIn: ({ state }, name) => state === name || state.startsWith(`${name}.`),
  }
}
