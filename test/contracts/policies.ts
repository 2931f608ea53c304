/**
 * The converged values of the heuristics compared with FirstPrice: 5000 tasks of the mix `figures4And5` with a decay skew of 5,
 * 16 processors, load 1, discount rate 0.01, alpha 0.3, no preemption.
 */
import type { HeuristicName } from '../../actors/contracts/ranks.ts'
import type { Converged } from '../../lib/experiment/converged.ts'
import { converged } from '../../scenarios/contracts/paper/converged.ts'
import { type Gain, gain } from '../../scenarios/contracts/paper/gain.ts'

export interface Policies {
  readonly bound: 0 | null
  /** The yield of FirstPrice in dollars. */
  readonly firstPrice: Converged
  /** The value of all tasks, in dollars. */
  readonly offered: Converged
  readonly gains: Readonly<Record<Exclude<HeuristicName, 'FirstPrice'>, Gain>>
}

export const POLICIES: readonly Policies[] = [
  {
    bound: 0,
    firstPrice: converged([463806.3507, 7823.3196]),
    offered: converged([500709.0185, 3843.9429]),
    gains: {
      FCFS: gain([-30.3789, 18.3495, -30.239, -28.0137, 16.793]),
      SRPT: gain([-3.7209, 1.8832, -3.705, -3.4328, 1.7217]),
      SWPT: gain([-1.1077, 1.4645, -1.095, -1.0156, 1.3595]),
      PV: gain([-0.1372, 0.1482, -0.137, -0.1267, 0.1368]),
      FirstReward: gain([1.3555, 0.1677, 1.356, 1.2556, 0.1559]),
    },
  },
  {
    bound: null,
    firstPrice: converged([-153337.2372, 474940.3519]),
    offered: converged([500709.0185, 3843.9429]),
    gains: {
      FCFS: gain([254.1278, 260.562, 259.97, 79.5956, 60.8878]),
      SRPT: gain([309.6817, 318.035, 317.106, 97.0871, 74.3196]),
      SWPT: gain([372.0929, 391.4032, 373.786, 114.4482, 84.935]),
      PV: gain([24.0054, 25.1678, 27.474, 8.4168, 8.3662]),
      FirstReward: gain([331.8279, 346.7532, 334.309, 102.3573, 75.7793]),
    },
  },
]
