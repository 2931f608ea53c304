/**
 * Runs a machine by plans (plans.ts), with the same outcome as XState: the differential tests and the engine `shadow` check
 * that states are the same, and that effects are the same in the same order.
 */
import type { EventObject, MachineContext } from 'xstate'
import { urgentOf } from '../actor/actor.ts'
import { useCharts } from '../actor/child-chart.ts'
import type { Effect } from '../actor/effect.ts'
import { isWhole } from '../actor/turn.ts'
import { isObject, type Plain } from '../core/data.ts'
import { chartOf } from './chart.ts'
import { type ChildEngine, runnerOf, statesOfCharts } from './charts.ts'
import type { View } from './engine.ts'
import { contextOf, microstepsOf, NeverSettles, requireDeliverable, soundMachineIn } from './machine.ts'
import { statesBelow, typesBelow } from './node.ts'
import { type Leaf, type Plan, Plans } from './plans.ts'

/** The state of a machine: its configuration and context. It is its own view. */
class State implements View {
  readonly leaf: Leaf
  readonly context: MachineContext

  constructor(leaf: Leaf, context: MachineContext) {
    this.leaf = leaf
    this.context = context
  }

  get value(): Plain {
    return this.leaf.value
  }

  get status(): View['status'] {
    return this.leaf.isFinal ? 'done' : 'active'
  }
}

/**
 * Compiles the machine that a module exports.
 *
 * @throws NotAMachine if the export cannot run as an actor, NotCompiled if only XState can run it
 */
export function compiledEngine(exported: unknown, module: string): ChildEngine<State> {
  const machine = soundMachineIn(exported, module)
  const plans = new Plans(chartOf(machine))
  const limit = microstepsOf(machine)
  const charts = runnerOf(machine, compiledEngine)
  const types = new Set<string>(machine.events)

  /** Takes transitions that need no event until none would change anything. */
  function settle(before: State, event: EventObject, effects: Effect[]): State {
    if (before.leaf.always.length === 0) return before
    let state = before
    let isAtRest = false
    for (let passes = 1; !state.leaf.isFinal; passes++) {
      if (passes > limit) throw new NeverSettles(limit)
      const plan = isAtRest ? undefined : chosen(state.leaf.always, state.context, event)
      if (!plan) break
      isAtRest = isIdle(plan, state)
      if (!isAtRest) state = take(plan, state.context, event, effects)
    }
    return state
  }

  return {
    name: 'compiled',
    initial(input) {
      const event = { type: 'xstate.init', input }
      const effects: Effect[] = []
      useCharts(charts)
      const context = contextOf(machine, input)
      const first = take(plans.start, context, event, effects)
      return [settle(first, event, effects), effects]
    },
    step(state, event) {
      requireDeliverable(event)
      useCharts(charts)
      const effects: Effect[] = []
      const plan = chosenFor(state, event)
      const after = !plan || isIdle(plan, state) ? state : take(plan, state.context, event, effects)
      return [settle(after, event, effects), effects]
    },
    view: (state) => state,
    handles: (state, event) => chosenFor(state, event) !== undefined,
    knows: (type) => types.has(type),
    types: typesBelow(machine.root),
    states: statesBelow(machine.root),
    charts: statesOfCharts(machine),
    urgent: urgentOf(machine),
    restore: (path, context) => new State(plans.leafNamed(path), context),
    pathOf: ({ leaf }) => leaf.path,
  }
}

/** Says whether a plan changes nothing. */
const isIdle = ({ actions, to }: Plan, { leaf }: State): boolean => to === leaf && actions.length === 0

function chosen(plans: readonly Plan[], context: MachineContext, event: EventObject): Plan | undefined {
  for (const plan of plans) if (plan.guard === null || plan.guard.holds({ context, event })) return plan
  return undefined
}

function chosenFor({ leaf, context }: State, event: EventObject): Plan | undefined {
  const plans = leaf.plansFor(event.type)
  let trying: Plan | undefined
  try {
    for (const plan of plans) {
      trying = plan
      if (plan.guard === null || plan.guard.holds({ context, event })) return plan
    }
    return undefined
  } catch (error) {
    // the same text as XState's error, since a trace may contain it
    const why = isObject(error) ? error['message'] : undefined
    const name = trying?.guard?.name ? `'${trying.guard.name}' ` : ''
    throw new Error(
      `Unable to evaluate guard ${name}in transition for event '${event.type}' in state node '${trying?.source}':\n${why}`,
    )
  }
}

/** Runs the actions of a plan in order; each sees the context that the one before it returned. */
function take(
  { actions, to }: Pick<Plan, 'actions' | 'to'>,
  before: MachineContext,
  event: EventObject,
  effects: Effect[],
): State {
  let context = before
  for (const action of actions) {
    const changes = action.decide(context, event, effects)
    context = isWhole(changes, context) ? changes : merged(context, changes)
  }
  return new State(to, context)
}

/** The context after changes; the same if nothing changes. */
function merged(context: MachineContext, changes: object): MachineContext {
  for (const _ in changes) return { ...context, ...changes }
  return context
}
