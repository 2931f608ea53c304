/** A random plan of kills and restarts for a small market, and the run it gives. Shared by the tests and the soak. */
import { units } from '../../lib/actor.ts'
import { type Fault, parseFault, printFault } from '../../lib/faults/faults.ts'
import { PERFECT_NETWORK } from '../../lib/network.ts'
import { keyed } from '../../lib/random.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { checksOf } from '../../scenarios/bidding/results.ts'
import {
  type Market,
  type MarketRun,
  machinesOf,
  type Protocol,
  runMarket,
  termsOf,
} from '../../scenarios/bidding/run.ts'

const TASKS = 20
const LATENCIES = [0, 0.5, 3]

export interface Plan {
  readonly market: Market
  readonly faults: readonly Fault[]
  readonly seed: number
  readonly latency: number
  readonly schedule: 'fifo' | number
}

/** Kills one or several machines, single actors or a client, some of which come back; one machine is left alone. */
export function planOf(n: number, protocol: Protocol): Plan {
  let draws = 0
  const below = (limit: number) => Math.floor(keyed(n, 'kill plan', draws++) * limit)
  const speeds = Array.from({ length: 2 + below(4) }, () => 1 + below(4))
  const clients = ['c1', 'c2'].slice(0, 1 + below(2))
  const latency = LATENCIES[below(LATENCIES.length)] ?? 0
  const jobs = generateJobs({ seed: n, tasks: TASKS, load: 0.3 + below(6) / 10, speeds, errors: 'gen' })
  const span = jobs.at(-1)?.arrival ?? 0
  const spared = below(speeds.length)
  const faults: Fault[] = []
  const at = () => (Math.round((keyed(n, 'kill plan', draws++) * span) / 1e5) / 10).toFixed(1)
  for (const [i, machine] of machinesOf({ speeds }).entries()) {
    if (i === spared || below(3) === 0) continue
    const who = `${['', 'contractor', 'processor'][below(3)]}@${machine}`
    const killed = at()
    if (below(5) > 0) faults.push(parseFault(`kill ${who} at ${killed}`))
    if (below(2) === 0)
      faults.push(parseFault(`restart ${who} at ${(Number(killed) + 0.1 + below(800) / 10).toFixed(1)}`))
  }
  if (below(3) === 0) {
    const killed = at()
    faults.push(parseFault(`kill client@c1 at ${killed}`))
    if (below(2) === 0) faults.push(parseFault(`restart client@c1 at ${(Number(killed) + below(400) / 10).toFixed(1)}`))
  }
  const market: Market = {
    protocol,
    speeds,
    clients,
    jobs: withClients(jobs, clients, n),
    terms: termsOf(protocol, units(latency), {
      clash: (['hold', 'bump', 'commit'] as const)[below(3)] ?? 'hold',
      i0: [null, 0, 0.5][below(3)] ?? null,
      query: units(10),
      timeout: units(2 * latency + 5),
      silence: below(2) === 0 ? null : units(2 * latency + 30),
    }),
  }
  return { market, faults, seed: n, latency, schedule: below(2) === 0 ? 'fifo' : n }
}

/** What the run broke, or nothing; with `lossy` 5 % of the mail is lost, 2 % doubled, and requests are repeated. */
export async function runPlan(
  n: number,
  protocol: Protocol,
  runtime: 'threads' | 'inline',
  lossy: boolean,
): Promise<readonly string[]> {
  const { faults, seed, latency, schedule, ...plan } = planOf(n, protocol)
  const retry = units(2 * latency + 5)
  const market = lossy ? { ...plan.market, terms: { ...plan.market.terms, retry } } : plan.market
  const network = { ...PERFECT_NETWORK, latency: units(latency), ...(lossy ? { loss: 0.05, duplicate: 0.02 } : {}) }
  const options = { seed, runtime, network, schedule, memoryMB: 16, rounds: 200_000 }
  const run: MarketRun = await runMarket(market, options, faults)
  return checksOf(market, run, false)
    .filter(({ ok }) => !ok)
    .map(
      ({ name, measured }) =>
        `${protocol}, plan ${n}, ${runtime}${lossy ? ', lossy' : ''}: ${name}: ${measured} (${faults.map(printFault).join('; ')})`,
    )
}

/** All violations of plans `from` to `until`, that one left out. */
export async function runPlans(
  from: number,
  until: number,
  protocol: Protocol,
  runtime: 'threads' | 'inline',
  lossy = false,
): Promise<string[]> {
  const violations: string[] = []
  for (let n = from; n < until; n++) violations.push(...(await runPlan(n, protocol, runtime, lossy)))
  return violations
}
