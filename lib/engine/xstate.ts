/** Runs a machine on XState itself. */
import { type AnyMachineSnapshot, createActor } from 'xstate'
import { urgentOf } from '../actor/actor.ts'
import { useCharts } from '../actor/child-chart.ts'
import { mendOf, NotADecision } from '../actor/decision.ts'
import type { Effect } from '../actor/effect.ts'
import { toEffect } from '../actor/effect-check.ts'
import { shown, thrownOf } from '../core/thrown.ts'
import { type ChildEngine, configurationAt, pathIn, runnerOf, statesOfCharts } from './charts.ts'
import type { Step } from './engine.ts'
import { closed, contextOf, microstepsOf, NeverSettles, requireDeliverable, soundMachineIn } from './machine.ts'
import { statesBelow, typesBelow } from './node.ts'

/** The beginning of XState's error at its limit of transitions. */
const RESTLESS = 'Infinite loop detected: the machine has processed more than'

/**
 * XState's own transition function with one scope for all steps, which collects actions instead of running them.
 *
 * @throws NotAMachine
 */
export function xstateEngine(exported: unknown, module: string): ChildEngine<AnyMachineSnapshot> {
  const machine = soundMachineIn(exported, module)
  const limit = microstepsOf(machine)
  const charts = runnerOf(machine, xstateEngine)
  // unlimited by default: a machine that does not come to rest would hang its thread
  machine.options = { ...machine.options, maxIterations: limit }
  let effects: Effect[] = []
  /** The type of the event that the step under way handles. */
  let handled = ''
  const self = createActor(machine)
  const nothing = () => {}
  const scope = {
    self: closed(self),
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: ({ type, params }: { readonly type: string; readonly params: unknown }) => {
      const effect = effectOf({ type, params }, () => `machine '${machine.id}' at event '${handled}'`)
      if (effect) effects.push(effect)
    },
  }
  const types = new Set<string>(machine.events)
  /** XState keeps the error of a first step in the state instead of throwing it. */
  function run(type: string, next: () => AnyMachineSnapshot): Step<AnyMachineSnapshot> {
    effects = []
    handled = type
    useCharts(charts)
    try {
      const state = next()
      if (state.status === 'error') throw state.error
      return [state, effects]
    } catch (error) {
      throw thrownOf(error).message.startsWith(RESTLESS) ? new NeverSettles(limit) : error
    }
  }
  return {
    name: 'xstate',
    initial(input) {
      useCharts(charts)
      contextOf(machine, input) // XState would take anything for a context
      return run('xstate.init', () => machine.getInitialSnapshot(scope, input))
    },
    step(state, event) {
      requireDeliverable(event)
      return run(event.type, () => machine.transition(state, event, scope))
    },
    view: ({ value, context, status }) => ({ value, context, status }),
    handles: (state, event) => machine.getTransitionData(state, event).length > 0,
    knows: (type) => types.has(type),
    types: typesBelow(machine.root),
    states: statesBelow(machine.root),
    charts: statesOfCharts(machine),
    urgent: urgentOf(machine),
    restore: (path, context) => machine.resolveState({ value: configurationAt(path), context }),
    pathOf: ({ value }) => pathIn(value),
  }
}

/**
 * Makes an effect of an action; undefined for an action that has nothing to do after the step.
 *
 * @param who names the machine and the event; called only for the error
 * @throws NotADecision
 */
function effectOf(action: { readonly type: string; readonly params: unknown }, who: () => string): Effect | undefined {
  try {
    return toEffect(action)
  } catch {
    const { type, params } = action
    const what = params === undefined ? shown(type) : `${shown(type)} ${shown(params)}`
    throw new NotADecision(`${who()} asks for ${what}: ${mendOf(action)}`)
  }
}
