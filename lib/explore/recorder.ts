/** Writes down where a scheduler deviates from fifo: what it did, as plain data that every runtime can do again. */
import {
  type Choice,
  type Deviations,
  type Fate,
  nameOfPassage,
  nameOfThing,
  type Passage,
  type PassageName,
  type Scheduler,
  type ThingName,
} from '../actor/schedule.ts'

export class Recorder implements Scheduler {
  readonly #scheduler: Scheduler
  readonly #until = new Map<ThingName, number>()
  readonly #lost: PassageName[] = []
  readonly #doubled: PassageName[] = []
  /** How often an actor had something to do. */
  decisions = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  next(choice: Choice): number {
    this.decisions++
    const place = this.#scheduler.next(choice)
    const { things, step } = choice
    // What comes before the chosen one waits for that step; if none is chosen, all do.
    const passedOver = place < 0 ? things.length : place
    for (let i = 0; i < passedOver; i++) {
      const thing = things[i]
      if (thing) this.#until.set(nameOfThing(thing), step + 1)
    }
    return place
  }

  passes(passage: Passage): Fate {
    const fate = this.#scheduler.passes(passage)
    if (fate === 'lost') this.#lost.push(nameOfPassage(passage))
    if (fate === 'twice') this.#doubled.push(nameOfPassage(passage))
    return fate
  }

  get deviations(): Deviations {
    const holds = [...this.#until].map(([thing, until]) => ({ thing, until }))
    return { holds, lost: [...this.#lost], doubled: [...this.#doubled] }
  }
}
