/**
 * Guidance by coverage, as in fuzzing (AFL; for concurrency Muzz, Chen et al. 2020): a run that met something new is kept, and
 * later runs vary it. About half of the runs are those of a portfolio. The others follow a kept run up to a drawn decision, and are those
 * of a portfolio from there on; about half of these have its faults, too.
 */
import { DeviationScheduler, type Deviations, type Scheduler } from '../../actor/schedule.ts'
import { keyedDraws } from '../../core/random.ts'
import { portfolio } from './portfolio.ts'
import type { Learner, LearningStrategy, Lesson, Plan, StrategyInput } from './strategy.ts'

export const guided: LearningStrategy = { begin: () => new Guide() }

/** The most runs that are kept: the last ones. */
const KEPT_MAX = 64

class Guide implements Learner {
  readonly #kept: Lesson[] = []

  plan(input: StrategyInput): Plan {
    const { seed, run } = input
    const draw = keyedDraws(seed, 'guidance', run)
    const fresh = portfolio(input)
    const parent = draw() < 1 / 2 ? undefined : this.#kept[Math.floor(draw() * this.#kept.length)]
    if (!parent) return { scheduler: fresh, faultsOf: run }
    const followed = Math.floor(draw() * parent.decisions)
    const faultsOf = draw() < 1 / 2 ? run : parent.faultsOf
    return { scheduler: following(parent.deviations, followed, fresh), faultsOf }
  }

  learn(lesson: Lesson): void {
    if (!lesson.isNew) return
    this.#kept.push(lesson)
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()
  }
}

/** A scheduler that repeats a run for a number of decisions, and is another one after that. */
function following(deviations: Deviations, decisions: number, then: Scheduler): Scheduler {
  const before = new DeviationScheduler({ ...deviations, lost: [], doubled: [], late: [] })
  let decided = 0
  return {
    next: (point) => (decided++ < decisions ? before : then).next(point),
    // losses are drawn as faults are
    outcomeOf: () => 'once',
  }
}
