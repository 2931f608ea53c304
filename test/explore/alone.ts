/** One actor without a system: a test puts its machine into any state with a sequence of events. */
import { enterStep, leaveStep } from '../../lib/actor/step-context.ts'
import type { Message } from '../../lib/core/data.ts'
import { compiledEngine } from '../../lib/engine/compiled.ts'
import { type ActorBefore, commute, handle, type Occurrence, type Verdict } from '../../lib/explore/commute.ts'

type Engine = ReturnType<typeof compiledEngine>
type State = ReturnType<Engine['initial']>[0]

export class Alone {
  readonly #engine: Engine
  #moment: ActorBefore<State>

  constructor(machine: unknown, address: string, input: unknown) {
    const engine = compiledEngine(machine, address)
    this.#engine = engine
    const no = () => {
      throw new Error('nothing is drawn at the start')
    }
    enterStep({ self: address, now: 0, clock: 0, draw: no, newId: no })
    const [state, effects] = engine.initial(input)
    leaveStep()
    const timers = effects.flatMap((effect) => {
      if (effect.type !== 'timer') return []
      const { id, kind, delay, event } = effect.params
      return [{ id, kind, due: delay, event }]
    })
    this.#moment = { engine, state, address, incarnation: 0, seed: 1, isPure: true, now: 0, timers }
  }

  /** Handles events at an instant, in order. */
  at(now: number, ...occurrences: Occurrence[]): this {
    const { moment, crash } = handle({ ...this.#moment, now }, occurrences)
    if (crash !== null) throw new Error(crash)
    this.#moment = moment
    return this
  }

  get context(): unknown {
    return this.#engine.view(this.#moment.state).context
  }

  /** Handles two events at an instant in both orders. */
  commute(now: number, one: Occurrence, other: Occurrence): Verdict {
    return commute({ ...this.#moment, now }, one, other)
  }
}

export const mail = (from: string, message: Message): Occurrence => ({ mail: { event: message, from } })
export const fires = (timer: string): Occurrence => ({ timer })

/** Prints a result: `commute`, or the difference. */
export const said = (verdict: Verdict): string => (verdict.commute ? 'commute' : verdict.what)
