/** Of the figures. */
import type { Heuristic } from '../../../actors/contracts/ranks.ts'

/** Which knows neither discount nor cost. */
export const FIRST_PRICE: Heuristic = { name: 'FirstPrice', alpha: 0, discount: 0 }

/** In figures 4 to 7. */
export const firstReward = (alpha: number): Heuristic => ({ name: 'FirstReward', alpha, discount: 0.01 })
