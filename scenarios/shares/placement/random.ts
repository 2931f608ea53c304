/** The evenness of placement if only some machines are asked: many equal jobs, one after the other. */
import { mean, standardDeviation } from 'simple-statistics'
import { STANDARD } from '../../../actors/processor/sharing.ts'
import { machineOf, units } from '../../../lib/actor.ts'
import { type Check, within } from '../../../lib/cli/index.ts'
import { table } from '../../../lib/core/table.ts'
import { machinesOf } from '../model.ts'
import { QUERIES, type Queries } from '../paper/placement.ts'
import { checkOfRuns, type Part } from './figures.ts'
import type { RunContext } from './measure.ts'
import { type PlacementRun, runPlacements } from './one-run.ts'

export interface Evenness {
  /** The most tickets of a machine, divided by the mean. */
  readonly most: number
  /** The standard deviation of the tickets, divided by the mean. */
  readonly deviation: number
  readonly run: PlacementRun
}

const MACHINES = 100
const JOBS = 500

/** One run: 500 jobs of one ticket on 100 machines; `ask` machines are asked for each. */
export async function evennessOf(ask: number, { seed, runtime, onSystem }: RunContext): Promise<Evenness> {
  const totals = new Map(machinesOf({ machines: MACHINES }).map((machine) => [machine, 0]))
  const jobs = Array.from({ length: JOBS }, (_, i) => ({ name: `j${i + 1}`, tickets: 1 }))
  const run = await runPlacements(
    { machines: MACHINES, sharing: STANDARD, jobs, terms: { ask, balance: 'tickets' } },
    { seed, runtime, memoryMB: 64 },
    {
      until: units(1),
      ...(onSystem && { onSystem }),
      onFact: ({ type, total }, { who }) => {
        if (type === 'joined') totals.set(machineOf(who), Number(total))
      },
    },
  )
  const tickets = [...totals.values()]
  return { most: Math.max(...tickets) / mean(tickets), deviation: standardDeviation(tickets) / mean(tickets), run }
}

interface Row {
  readonly queries: Queries
  readonly most: number
  readonly deviation: number
}

/**
 * Measures evenness by the number of machines that are asked. Asking all of them costs most and leaves nothing to
 * chance, so it is included only if `full`.
 */
export async function askingAtRandom(seeds: number, full: boolean, context: RunContext): Promise<Part> {
  const rows: Row[] = []
  const checks: Check[] = []
  const runs: PlacementRun[] = []
  for (const queries of QUERIES.filter(({ asked }) => full || asked < MACHINES)) {
    const { asked } = queries
    const found = []
    for (let n = 0; n < (asked === MACHINES ? 1 : seeds); n++) {
      const seed = context.seed + n
      const evenness = await evennessOf(asked, { ...context, seed })
      runs.push(evenness.run)
      found.push(evenness)
    }
    const most = mean(found.map((evenness) => evenness.most))
    const deviation = mean(found.map((evenness) => evenness.deviation))
    rows.push({ queries, most, deviation })
    checks.push(
      within(`${asked} asked: most tickets of a machine over the mean`, most, queries.most, queries.tolerance),
    )
  }
  const lines = rows.map(({ queries, most, deviation }) => [
    ...[String(queries.asked), most.toFixed(3), `${queries.most.toFixed(3)} ± ${queries.tolerance}`],
    ...[deviation.toFixed(3), queries.deviation.toFixed(3)],
  ])
  return {
    results: {
      rows: rows.map(({ queries: { asked, ...expected }, most, deviation }) => ({ asked, most, deviation, expected })),
    },
    checks: [...checks, checkOfRuns('asking at random', runs)],
    messages: runs.reduce((sum, run) => sum + run.messages, 0),
    text: [
      `Asking at random. ${JOBS} jobs of one ticket on ${MACHINES} machines; for each job, some machines are asked. The paper calls this promising.`,
      '',
      table(['asked', 'most / mean', 'converged', 'deviation / mean', 'converged'], lines),
      '',
    ].join('\n'),
    rows: [],
  }
}
