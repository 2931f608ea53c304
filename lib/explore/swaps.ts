/** Which two steps of an actor could have come in the other order: neither a cause nor a promise says otherwise. */
import type { Replayed } from '../replay/replay.ts'
import { Causality } from '../trace/causality.ts'
import type { Run, Step, SystemEvent } from '../trace/run.ts'

/** A step that was not its life's first. */
export type Awake = Replayed & { readonly before: NonNullable<Replayed['before']> }

/** Which steps could have come in the other order. */
export class Swaps {
  readonly #run: Run
  readonly #causality: Causality
  readonly #isCausal: boolean
  /** By envelope, what the system sent. */
  readonly #posted: ReadonlyMap<string, SystemEvent>

  constructor(run: Run) {
    this.#run = run
    this.#causality = new Causality(run)
    this.#isCausal = run.head['order'] === 'causal'
    this.#posted = new Map(
      run.system.flatMap((event) => (event.type === 'send' ? [[event.sent.id, event] as const] : [])),
    )
  }

  /** Of two steps of one life, one right after the other. */
  areOpen(earlier: Replayed, later: Replayed): earlier is Awake {
    const [one, other] = [earlier.step.on, later.step.on]
    if (!earlier.before || !this.#hasPlace(earlier.step) || !this.#hasPlace(later.step)) return false
    // the timers of an actor go by one clock
    if (one.what === 'timer' && other.what === 'timer') return false
    // a timer that was there before was not set because of what came in between
    if (other.what === 'timer') return earlier.timersBefore.get(other.id)?.n === other.n
    if (other.what !== 'mail' || this.#knew(other.id, earlier.step)) return false
    if (one.what !== 'mail') return true
    return slotIn(one.id) !== slotIn(other.id) && !(this.#isCausal && this.#knew(other.id, this.#sender(one.id)))
  }

  /** Orders of the system, such as the start, have no place in a schedule. */
  #hasPlace({ on }: Step): boolean {
    return on.what === 'timer' || (on.what === 'mail' && this.#run.sends.has(on.id))
  }

  /** Did who sent this message know of that step? */
  #knew(id: string, step: Step | undefined): boolean {
    if (!step) return false
    const sender = this.#sender(id)
    const by = sender ?? this.#posted.get(id)
    return by !== undefined && (sender?.index === step.index || this.#causality.happensBefore(step, by))
  }

  /** Undefined if the system was. */
  #sender(id: string): Step | undefined {
    return this.#run.steps[this.#run.sends.get(id)?.step ?? -1]
  }
}

const slotIn = (id: string): string => id.slice(0, id.indexOf('.'))
