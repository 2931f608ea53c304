/** Writes down where a scheduler deviates from fifo: what it did, as plain data that every runtime can do again. */
import {
  type Deviations,
  nameOfPending,
  nameOfTransmission,
  type PendingEventName,
  type Scheduler,
  type SchedulingPoint,
  type Transmission,
  type TransmissionName,
  type TransmissionOutcome,
} from '../actor/schedule.ts'

export class ScheduleRecorder implements Scheduler {
  readonly #scheduler: Scheduler
  readonly #until = new Map<PendingEventName, number>()
  readonly #lost: TransmissionName[] = []
  readonly #doubled: TransmissionName[] = []
  /** How often an actor had something to do. */
  decisions = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  next(choice: SchedulingPoint): number {
    this.decisions++
    const place = this.#scheduler.next(choice)
    const { pending: things, step } = choice
    // What comes before the chosen one waits for that step; if none is chosen, all do.
    const passedOver = place < 0 ? things.length : place
    for (let i = 0; i < passedOver; i++) {
      const thing = things[i]
      if (thing) this.#until.set(nameOfPending(thing), step + 1)
    }
    return place
  }

  outcomeOf(passage: Transmission): TransmissionOutcome {
    const fate = this.#scheduler.outcomeOf(passage)
    if (fate === 'lost') this.#lost.push(nameOfTransmission(passage))
    if (fate === 'twice') this.#doubled.push(nameOfTransmission(passage))
    return fate
  }

  get deviations(): Deviations {
    const holds = [...this.#until].map(([thing, until]) => ({ thing, until }))
    return { holds, lost: [...this.#lost], doubled: [...this.#doubled] }
  }
}
