/** What is run for figure 3 and beside it, with what the model converges to. */
import { FIGURE_3, INTERACTIVE, SLEEPERS } from '../paper/figure-3.ts'
import { type LivesPoint, longest } from './study.ts'

/** What the user chooses. */
export type Chosen = Pick<LivesPoint, 'runtime' | 'seed'>

const LONG = 1000
const SHORT = 30

const sleepOf = (asleep: number, run: number): number => (run * asleep) / (1 - asleep)

function oneSleeper(
  chosen: Chosen,
  policies: LivesPoint['policies'],
  run: number,
  sleep: number,
  cycles: number,
): LivesPoint {
  return { ...chosen, policies, sleepers: 1, run, sleep, spread: 0, cycles, until: longest(run, sleep, cycles) }
}

/** In the order of `FIGURE_3`. */
export const longRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  FIGURE_3.map(({ asleep }) =>
    oneSleeper(chosen, ['none', 'loan', 'system', 'adaptive'], LONG, sleepOf(asleep, LONG), cycles),
  )

export const shortRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  FIGURE_3.map(({ asleep }) => oneSleeper(chosen, ['none', 'loan', 'system'], SHORT, sleepOf(asleep, SHORT), cycles))

/** In the order of `INTERACTIVE`. */
export const interactiveRuns = (chosen: Chosen, cycles: number): LivesPoint[] =>
  INTERACTIVE.map(({ ran, slept }) => oneSleeper(chosen, ['none', 'system'], ran, slept, cycles))

/** When jobs that are alike begin decides what they get for long; so it is drawn, as in the study of coscheduling. */
const SPREAD = 200
const HORIZON = 400_000

/** In the order of `SLEEPERS`. */
export const manySleepers = (chosen: Chosen): LivesPoint[] =>
  SLEEPERS.map(({ sleepers }) => ({
    ...chosen,
    policies: ['none', 'system'],
    sleepers,
    run: LONG,
    sleep: LONG,
    spread: SPREAD,
    cycles: 1,
    until: HORIZON,
  }))
