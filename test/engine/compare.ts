/** Runs a machine on both engines with the same events, and throws where they differ. */
import { enterStep, type Incoming, leaveStep, type StepContext } from '../../lib/actor/step-context.ts'
import { compiledEngine } from '../../lib/engine/compiled.ts'
import { machineIn } from '../../lib/engine/machine.ts'
import { EnginesDiffer, shadowEngine } from '../../lib/engine/shadow.ts'
import { xstateEngine } from '../../lib/engine/xstate.ts'

/** Counts of events, so that a test can show that it tested something. */
export interface Tally {
  sequences: number
  events: number
  /** Events that changed the state. */
  taken: number
  effects: number
  /** Events without a matching transition. */
  unhandled: number
  failed: number
  ended: number
}

export const emptyTally = (): Tally => ({
  sequences: 0,
  events: 0,
  taken: 0,
  effects: 0,
  unhandled: 0,
  failed: 0,
  ended: 0,
})

export class Comparison {
  readonly tally: Tally
  readonly #engine: ReturnType<typeof pairOf>

  /** @throws NotCompiled */
  constructor(machine: unknown, name: string, tally: Tally, compile = compiledEngine) {
    this.#engine = pairOf(machine, name, compile)
    this.tally = tally
  }

  /**
   * Runs the start, and then each event from the latest state. An event that fails leaves the state as it was.
   *
   * @throws EnginesDiffer
   */
  run(input: unknown, events: Iterable<Incoming>, ambient: StepContext): void {
    const { tally } = this
    tally.sequences++
    let state = this.#attempt(ambient, () => this.#engine.initial(input))
    for (const { event, from } of events) {
      if (!state || this.#engine.view(state).status !== 'active') break
      const before = state
      tally.events++
      const after = this.#attempt(ambient, () => this.#engine.step(before, event), from)
      if (after && after !== before) tally.taken++
      if (after === before && !this.#attempt(ambient, () => [this.#engine.handles(before, event), []]))
        tally.unhandled++
      state = after ?? before
    }
    if (state && this.#engine.view(state).status !== 'active') tally.ended++
  }

  #attempt<T>(ambient: StepContext, run: () => readonly [T, readonly unknown[]], from?: string): T | undefined {
    enterStep(ambient, from)
    try {
      const [result, effects] = run()
      this.tally.effects += effects.length
      return result
    } catch (error) {
      if (error instanceof EnginesDiffer) throw error
      this.tally.failed++
      return undefined
    } finally {
      leaveStep()
    }
  }
}

/** The limit of transitions per event: far more than an event takes in any sensible history. */
const MICROSTEPS_MAX = 50

/** Makes the pair of engines with a low limit of transitions, since a machine that does not come to rest would take all the time. */
function pairOf(exported: unknown, name: string, compile: typeof compiledEngine) {
  const machine = machineIn(exported, name)
  machine.options = {
    ...machine.options,
    maxIterations: Math.min(machine.options.maxIterations ?? MICROSTEPS_MAX, MICROSTEPS_MAX),
  }
  return shadowEngine(compile(machine, name), xstateEngine(machine, name))
}
