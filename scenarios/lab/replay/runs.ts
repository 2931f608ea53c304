/** Runs of every family in real time on threads, under plans of faults, to be recorded. */
import type { Address } from '../../../lib/address.ts'
import { type Fault, parseFault } from '../../../lib/faults/faults.ts'
import { play } from '../../../lib/play.ts'
import type { System } from '../../../lib/system.ts'
import { type Time, toUnits, UNIT } from '../../../lib/time.ts'
import { KINDS as BIDDING, planOf as marketOf } from '../../bidding/faults/plans.ts'
import { addressesOf as marketAddresses, open as openMarket, PROTOCOLS } from '../../bidding/run.ts'
import { Dice, restarts } from '../../faults/dice.ts'
import { planOf as clusterOf, KINDS as SHARES } from '../../shares/faults/plans.ts'
import { addressesOf as clusterAddresses, open as openCluster } from '../../shares/run.ts'

export const FAMILIES = [...PROTOCOLS, 'shares'] as const
export type Family = (typeof FAMILIES)[number]

/** Of a market that has not come to rest by then, the time after the last arrival, in times of that until it. */
const REST = 2

/** How many milliseconds of the clock a run takes at least: until the last of what is planned for it. */
const SPAN_MS = 60

/** Two actors that die and come back, whatever else the plan has. */
function deaths(n: number, addresses: readonly Address[], span: Time): Fault[] {
  const dice = new Dice(n, span)
  const victims = [addresses[dice.below(addresses.length)], addresses[dice.below(addresses.length)]]
  return victims
    .flatMap((who) => (who === undefined ? [] : restarts(dice, who, toUnits(span) / 4)))
    .map((line) => parseFault(line))
}

/** Run `n` of a family, its trace in a file. */
export async function recordRun(family: Family, n: number, path: string, onSystem: (system: System) => void) {
  // what is traced waits in mail memory until main, which has little of the processors, reads it
  const real = { time: 'real', runtime: 'threads', trace: path, schedule: 'fifo', memoryMB: 256 } as const
  if (family === 'shares') {
    const { cluster, faults, options, until } = clusterOf(SHARES[n % SHARES.length] ?? 'everything', n)
    const scale = SPAN_MS / toUnits(until)
    return play({
      options: { ...options, ...real, scale, about: { family, n } },
      ...{ faults: [...faults, ...deaths(n, clusterAddresses(cluster), until / 2)], until, onSystem },
      open: (system) => openCluster(system, cluster),
    })
  }
  const { market, faults, options } = marketOf(family, BIDDING[n % BIDDING.length] ?? 'everything', n)
  const last = market.jobs.at(-1)?.arrival ?? UNIT
  return play({
    options: { ...options, ...real, scale: SPAN_MS / toUnits(last), about: { family, n } },
    ...{ faults: [...faults, ...deaths(n, marketAddresses(market), last)], until: (1 + REST) * last, onSystem },
    open: (system) => openMarket(system, market),
  })
}
