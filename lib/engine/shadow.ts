/** Runs two engines together, each with its own state, and compares them after each step. The results of the first one are used. */

import type { EventObject } from 'xstate'
import { now, self } from '../actor/step-context.ts'
import { BourseError } from '../core/error.ts'
import { printUnits } from '../core/format.ts'
import { shown, summaryOf } from '../core/thrown.ts'
import { engineDifferenceOf, type Known } from './compare.ts'
import type { Engine, Step } from './engine.ts'

/** Thrown where two engines differ, which ends the run; names the actor, the step, the event and the difference. */
export class EnginesDiffer extends BourseError {
  override readonly name = 'EnginesDiffer'

  constructor(message: string) {
    super('BOURSE_ENGINES_DIFFER', message)
  }
}

interface Pair<One, Other> {
  readonly one: One
  readonly other: Other
  /** The steps of this incarnation, counted from its start. */
  readonly taken: { steps: number }
}

/** The outcome of a step: the step or its error, and the part that is compared. */
type Outcome<State> =
  | { readonly step: Step<State>; readonly seen: object }
  | { readonly error: unknown; readonly seen: object }

export function shadowEngine<One, Other>(one: Engine<One>, other: Engine<Other>): Engine<Pair<One, Other>> {
  const known: Known = new WeakMap()

  function compare(ours: object, theirs: object, steps: number, { type }: EventObject): void {
    const divergence = engineDifferenceOf('', ours, theirs, known)
    if (!divergence) return
    const [value, otherValue] = divergence.values.map(shown)
    const found = `${divergence.path} is ${value} by ${one.name} and ${otherValue} by ${other.name}`
    throw new EnginesDiffer(`${self()}, step ${steps} at ${printUnits(now())}, event '${type}': ${found}`)
  }

  return {
    name: `${one.name} beside ${other.name}`,
    initial(input) {
      const ours = outcomeOf(one, () => one.initial(input))
      const theirs = outcomeOf(other, () => other.initial(input))
      compare(ours.seen, theirs.seen, 0, { type: 'xstate.init' })
      const [[state, effects], [otherState]] = [stepIn(ours), stepIn(theirs)]
      return [{ one: state, other: otherState, taken: { steps: 1 } }, effects]
    },
    step(before, event) {
      const ours = outcomeOf(one, () => one.step(before.one, event), before.one)
      const theirs = outcomeOf(other, () => other.step(before.other, event), before.other)
      compare(ours.seen, theirs.seen, before.taken.steps++, event)
      const [[state, effects], [otherState]] = [stepIn(ours), stepIn(theirs)]
      return [state === before.one ? before : { ...before, one: state, other: otherState }, effects]
    },
    view: (state) => one.view(state.one),
    handles(state, event) {
      const isHandled = one.handles(state.one, event)
      compare({ isHandled }, { isHandled: other.handles(state.other, event) }, state.taken.steps, event)
      return isHandled
    },
    knows: (type) => one.knows(type),
    types: one.types,
    states: one.states,
    charts: one.charts,
    urgent: one.urgent,
  }
}

/** The compared fields of a failed step. They are those of other steps, since the first field that differs is reported. */
const NOTHING = { error: null, value: null, context: null, status: 'active', effects: [], isSame: true }

function outcomeOf<State>(engine: Engine<State>, run: () => Step<State>, before?: State): Outcome<State> {
  try {
    const step = run()
    const [state, effects] = step
    const { value, context, status } = engine.view(state)
    return { step, seen: { error: null, value, context, status, effects, isSame: state === before } }
  } catch (error) {
    return { error, seen: { ...NOTHING, error: summaryOf(error) } }
  }
}

function stepIn<State>(outcome: Outcome<State>): Step<State> {
  if ('error' in outcome) throw outcome.error
  return outcome.step
}
