/**
 * The converged values of figure 3: how much more PV earns than FirstPrice, by discount rate. They are from runs of 5000 tasks
 * of the mix `figure3` with one processor, load 1 and preemption by arrivals.
 */
import type { Converged } from '../../../lib/experiment/converged.ts'
import { converged, type Pair } from './converged.ts'

/** The discount rates per unit. At 0 PV is FirstPrice, task by task. */
export const DISCOUNTS = [0.0003, 0.001, 0.01, 0.1] as const

interface Discounted {
  readonly valueSkew: number
  /** The yield of FirstPrice in dollars. */
  readonly firstPrice: Converged
  /** The improvement in percent of that yield at each discount rate; means over traces. */
  readonly improvements: Readonly<Record<(typeof DISCOUNTS)[number], Converged>>
}

const row = (
  valueSkew: number,
  firstPrice: Pair,
  [i0003, i001, i01, i1]: readonly [Pair, Pair, Pair, Pair],
): Discounted => ({
  valueSkew,
  firstPrice: converged(firstPrice),
  improvements: { 0.0003: converged(i0003), 0.001: converged(i001), 0.01: converged(i01), 0.1: converged(i1) },
})

/** Rows of value skew, yield of FirstPrice, and improvements at 0.0003, 0.001, 0.01, 0.1. */
export const FIGURE_3: readonly Discounted[] = [
  row(
    1,
    [113327.0176, 1016.4281],
    [
      [0.4921, 0.1265],
      [1.0382, 0.169],
      [-2.7006, 0.3841],
      [-9.0934, 0.4546],
    ],
  ),
  row(
    2.15,
    [71227.0105, 1037.9212],
    [
      [0.647, 0.1814],
      [1.8501, 0.2518],
      [3.9882, 0.4105],
      [1.9733, 0.4625],
    ],
  ),
  row(
    4,
    [66001.4915, 1259.8076],
    [
      [0.8183, 0.1814],
      [2.3096, 0.2453],
      [5.3735, 0.4413],
      [5.0981, 0.4427],
    ],
  ),
  row(
    9,
    [64881.3974, 1400.209],
    [
      [0.8359, 0.1832],
      [2.4059, 0.2525],
      [5.7057, 0.4283],
      [5.9128, 0.4251],
    ],
  ),
]

/** The improvement at a value skew of 9 and a discount rate of 0.01, if one parameter differs. */
export const FIGURE_3_OTHERWISE = {
  /** 16 processors. */
  processors: converged([-1.6465, 0.0971]),
  /** The mean value of all tasks is 1, not that of the high class. */
  mean: converged([4.3565, 0.3144]),
  /** No preemption. */
  preempt: converged([5.4205, 2.0217]),
} as const
