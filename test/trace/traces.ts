/** Helpers that the tests of the laboratory share: traces of small runs, in memory. */
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { headOf } from '../../lib/system/options.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { type Run, runOf } from '../../lib/trace/steps.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, type Protocol, termsOf } from '../../scenarios/bidding/model.ts'

const SMALL = { runtime: 'inline', trace: true, memoryMB: 16 } as const

/** The head and all lines of the run that `use` drives. */
export async function linesOf(options: SystemInit, use: (system: System) => Promise<unknown>): Promise<Line[]> {
  const system = new System({ ...SMALL, ...options })
  const lines: Line[] = [headOf(system.options)]
  system.onLine((line) => lines.push(line))
  system.onDeath(() => {})
  try {
    await use(system)
  } finally {
    await system.stop()
  }
  return lines
}

interface MarketShape {
  readonly protocol?: Protocol | undefined
  readonly tasks?: number | undefined
  /** The period of status queries; null: none are sent (default 20 units). */
  readonly query?: number | null | undefined
  readonly seed?: number | undefined
}

type MarketOptions = SystemInit & MarketShape & { readonly faults?: readonly string[] }

/** A market of three contractors and two clients, whose messages take a unit. */
export function smallMarket({ protocol = 'dsp', tasks = 6, query = units(20), seed = 1 }: MarketShape = {}): Market {
  const clients = ['c1', 'c2']
  const speeds = [1, 1, 2]
  const jobs = withClients(generateJobs({ seed, tasks, load: 0.8, speeds, errors: 'gen' }), clients, seed)
  return { protocol, speeds, jobs, clients, terms: termsOf(protocol, units(1), { i0: 0.3, query, timeout: units(5) }) }
}

/** The lines of a run of `smallMarket`. */
export async function marketLines({ protocol, tasks, faults = [], query, ...options }: MarketOptions = {}) {
  const market = smallMarket({ protocol, tasks, query, seed: options.seed })
  const network = { latency: units(1), jitter: 0, loss: 0, duplicate: 0 }
  const lines: Line[] = []
  await biddingMarket.run(
    market,
    { ...SMALL, network, about: { terms: market.terms }, ...options },
    faults.map((fault) => parseFault(fault)),
    {
      onSystem: (system) => {
        lines.push(headOf(system.options))
        system.onLine((line) => lines.push(line))
      },
    },
  )
  return lines
}

export const marketRun = async (options: MarketOptions = {}): Promise<Run> => runOf(traceOf(await marketLines(options)))
