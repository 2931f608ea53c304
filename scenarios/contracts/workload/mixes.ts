/**
 * The mixes of the figures of Irwin, Grit and Chase 2004. The paper gives distributions and skews. The number of processors,
 * the decays, the spread within a class and the preemption in figures 4 to 7 are chosen so that the shape of each figure
 * appears.
 */
import type { Classes, Law, Mix } from './generate.ts'

const EXPONENTIAL: Law = { law: 'exponential' }

/** The coefficient of variation within a class. */
const CV = 0.2

const classes = (skew: number, mean: number): Classes => ({ skew, mean: { of: 'all', is: mean }, cv: CV })

/** Tasks in batches of 16, alike in decay; the high value, or the mean, is the same for every skew. */
export const figure3 = (valueSkew: number, fixed: Classes['mean']['of'] = 'high'): Mix => ({
  batch: 16,
  gaps: { law: 'normal', cv: 0.25 },
  runtimes: { law: 'normal', cv: 0.5 },
  value: { skew: valueSkew, mean: { of: fixed, is: 1 }, cv: 0.05 },
  decay: { skew: 1, mean: { of: 'all', is: 0.3 }, cv: 0 },
  bound: 0,
})

/** Figures 4 (bound 0) and 5 (null: no bound), for 16 processors or for one. */
export const figures4And5 = (decaySkew: number, bound: number | null, processors: 16 | 1): Mix => ({
  batch: 1,
  gaps: EXPONENTIAL,
  runtimes: processors === 1 ? EXPONENTIAL : { law: 'normal', cv: 0.25 },
  value: classes(2, 1),
  decay: classes(decaySkew, processors === 1 ? 0.1 : 0.2),
  bound,
})

/** Figures 6 and 7, for any number of processors. */
export const FIGURES_6_AND_7: Mix = {
  batch: 1,
  gaps: EXPONENTIAL,
  runtimes: EXPONENTIAL,
  value: classes(3, 1),
  decay: classes(5, 0.1),
  bound: null,
}
