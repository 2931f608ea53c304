/** Finds handlers and guards that change their context or event in place, for the option `strict` and the engine `shadow`. */
import { freezing, handOut } from '../actor/frozen.ts'
import { BourseError } from '../core/error.ts'
import { thrownOf } from '../core/thrown.ts'
import type { Engine } from './engine.ts'

/** Thrown for a handler or guard that changes its context or event in place, which ends the run; names the machine. */
export class ChangedInPlace extends BourseError {
  override readonly name = 'ChangedInPlace'

  constructor(machine: string, event: string, { message, stack }: { message: string; stack: string }) {
    const why = WRITE.exec(message)?.[0] ?? message
    super(
      'BOURSE_MUTATION',
      `machine '${machine}' at event '${event}' changes its context or event in place (${why}): return the changes instead of assigning`,
    )
    this.stack = `${this.name}: ${this.message}${stack.slice(stack.indexOf('\n    at '))}`
  }
}

/** The error of V8 for a write to a frozen object. XState's error about a guard contains it. */
const WRITE =
  /Cannot (?:assign to read only property|add property|delete property|define property|redefine property) .*|.* is not extensible/

/**
 * An engine whose steps get frozen contexts and events. Where a machine writes to them, the step throws ChangedInPlace. If it
 * is strict, a step that adds a field to its context throws NewField.
 */
export function checkedEngine<State>(engine: Engine<State>, machine: string, isStrict: boolean): Engine<State> {
  function checked<T>(type: string, run: () => T): T {
    try {
      return freezing(run, isStrict)
    } catch (error) {
      const thrown = thrownOf(error)
      throw WRITE.test(thrown.message) ? new ChangedInPlace(machine, type, thrown) : error
    }
  }

  return {
    ...engine,
    initial: (input) =>
      checked('xstate.init', () => {
        handOut(input)
        return engine.initial(input)
      }),
    step: (state, event) =>
      checked(event.type, () => {
        handOut(engine.view(state).context)
        handOut(event)
        return engine.step(state, event)
      }),
    handles: (state, event) => checked(event.type, () => engine.handles(state, event)),
  }
}
