/** All bugs. */
import type { Bug } from './bug.ts'
import { CONTRACTS_BUGS } from './contracts.ts'
import { ECONOMY_BUGS } from './economy.ts'
import { MARKET_BUGS } from './market.ts'
import { MESH_BUGS } from './mesh.ts'
import { SHARES_BUGS } from './shares.ts'

export const BUGS: readonly Bug[] = [...MARKET_BUGS, ...SHARES_BUGS, ...CONTRACTS_BUGS, ...MESH_BUGS, ...ECONOMY_BUGS]
