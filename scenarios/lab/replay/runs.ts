/** Runs of every family in real time on threads, under plans of faults, to be recorded. */
import type { Address } from '../../../lib/core/address.ts'
import { type Time, toUnits, UNIT } from '../../../lib/core/time.ts'
import { type Fault, parseFault } from '../../../lib/scenario/faults.ts'
import { runScenario } from '../../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../../lib/system.ts'
import { KINDS as BIDDING, planOf as marketOf } from '../../bidding/faults/plans.ts'
import { addressesOf as marketAddresses, PROTOCOLS, type Protocol } from '../../bidding/model.ts'
import { open as openMarket } from '../../bidding/one-run.ts'
import { KINDS as CONTRACTS, planOf as contractsOf } from '../../contracts/faults/plans.ts'
import { addressesOf as contractsAddresses } from '../../contracts/model.ts'
import { open as openContracts } from '../../contracts/one-run.ts'
import { KINDS as ECONOMY, planOf as economyOf } from '../../economy/faults/plans.ts'
import { addressesOf as economyAddresses } from '../../economy/model.ts'
import { open as openEconomy } from '../../economy/one-run.ts'
import { Dice, restarts } from '../../faults/dice.ts'
import { KINDS as MESH, planOf as meshOf } from '../../mesh/faults/plans.ts'
import { addressesOf as meshAddresses } from '../../mesh/model.ts'
import { open as openMesh } from '../../mesh/one-run.ts'
import { planOf as clusterOf, KINDS as SHARES } from '../../shares/faults/plans.ts'
import { addressesOf as clusterAddresses, open as openCluster } from '../../shares/one-run.ts'

export const FAMILIES = [...PROTOCOLS, 'shares', 'economy', 'contracts', 'mesh'] as const
export type Family = (typeof FAMILIES)[number]

/** Where nothing says when a run ends: so long after the last arrival, in times of that until it. */
const REST = 2

/** How many milliseconds of the clock a run takes at least: until the last of what is planned for it. */
const SPAN_MS = 60

interface Planned {
  readonly options: SystemInit
  readonly faults: readonly Fault[]
  readonly addresses: readonly Address[]
  /** Until the last of what comes. */
  readonly span: Time
  /** Default: REST after that. */
  readonly until?: Time
  open(system: System): Promise<void>
}

const kindIn = <K>(kinds: readonly [K, ...K[]], n: number): K => kinds[n % kinds.length] ?? kinds[0]

function marketIn(protocol: Protocol, n: number): Planned {
  const { market, ...plan } = marketOf(protocol, kindIn(BIDDING, n), n)
  const span = market.jobs.at(-1)?.arrival ?? UNIT
  return { ...plan, span, addresses: marketAddresses(market), open: (system) => openMarket(system, market) }
}

const PLANS: Readonly<Record<Family, (n: number) => Planned>> = {
  dsp: (n) => marketIn('dsp', n),
  eager: (n) => marketIn('eager', n),
  random: (n) => marketIn('random', n),
  shares: (n) => {
    const { cluster, ...plan } = clusterOf(kindIn(SHARES, n), n)
    const addresses = clusterAddresses(cluster)
    return { ...plan, span: plan.until, addresses, open: (system) => openCluster(system, cluster) }
  },
  economy: (n) => {
    const { economy, ...plan } = economyOf(kindIn(ECONOMY, n), n)
    const span = economy.jobs.at(-1)?.arrival ?? UNIT
    return { ...plan, span, addresses: economyAddresses(economy), open: (system) => openEconomy(system, economy) }
  },
  contracts: (n) => {
    const { market, ...plan } = contractsOf(kindIn(CONTRACTS, n), n)
    const span = market.tasks.at(-1)?.arrival ?? UNIT
    return { ...plan, span, addresses: contractsAddresses(market), open: (system) => openContracts(system, market) }
  },
  mesh: (n) => {
    const { scene, ...plan } = meshOf(kindIn(MESH, n), n)
    const span = ('jobs' in scene.work ? scene.work.jobs.at(-1)?.arrival : undefined) ?? UNIT
    return { ...plan, span, addresses: meshAddresses(scene), open: (system) => openMesh(system, scene) }
  },
}

/** Two actors that die and come back, whatever else the plan has. */
function deaths(n: number, addresses: readonly Address[], span: Time): Fault[] {
  const dice = new Dice(n, 'deaths', span)
  const victims = [addresses[dice.below(addresses.length)], addresses[dice.below(addresses.length)]]
  return victims
    .flatMap((who) => (who === undefined ? [] : restarts(dice, who, toUnits(span) / 4)))
    .map((line) => parseFault(line))
}

/** Run `n` of a family, its trace in a file. */
export async function recordRun(family: Family, n: number, path: string, onSystem: (system: System) => void) {
  const { options, faults, addresses, span, until, open } = PLANS[family](n)
  // what is traced waits in mail memory until main, which has little of the processors, reads it
  const real = { time: 'real', runtime: 'threads', trace: path, schedule: 'fifo', memoryMB: 256 } as const
  return runScenario({
    options: { ...options, ...real, scale: SPAN_MS / toUnits(span), about: { family, n } },
    faults: [...faults, ...deaths(n, addresses, until === undefined ? span : span / 2)],
    until: until ?? (1 + REST) * span,
    open,
    onSystem,
  })
}
