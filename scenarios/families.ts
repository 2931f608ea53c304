/** All families of protocols. A new family is one line here; test/families.test.ts says what else it needs. */
import { bidding } from './bidding/family.ts'
import { contracts } from './contracts/family.ts'
import { economy } from './economy/family.ts'
import type { Family } from './family.ts'
import { mesh } from './mesh/family.ts'
import { shares } from './shares/family.ts'

export const FAMILIES: readonly Family[] = [bidding, shares, economy, contracts, mesh]
