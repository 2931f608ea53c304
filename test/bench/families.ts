/** The measures of each family of protocols. test/families.test.ts compares its names with those of all families. */
import { contracts } from './contracts.ts'
import { coscheduling } from './coscheduling.ts'
import { economy } from './economy.ts'
import { figure3 } from './figure-3.ts'
import { market } from './market.ts'
import type { Measure } from './measure.ts'
import { mesh } from './mesh.ts'
import { passes } from './passes.ts'
import { quanta } from './quanta.ts'
import { tickets } from './tickets.ts'

export const FAMILY_MEASURES: Readonly<Record<string, readonly Measure[]>> = {
  bidding: market,
  shares: [...quanta, ...tickets, ...coscheduling],
  economy: [...passes, ...economy, ...figure3],
  contracts,
  mesh,
}
