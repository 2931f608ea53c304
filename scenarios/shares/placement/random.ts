/** The evenness of placement if only some machines are asked: many equal jobs, one after the other. */
import { mean, standardDeviation } from 'simple-statistics'
import { STANDARD } from '../../../actors/processor/sharing.ts'
import { machineOf, units } from '../../../lib/actor.ts'
import { machinesOf } from '../model.ts'
import type { RunContext } from './measure.ts'
import { type PlacementRun, runPlacements } from './one-run.ts'

interface Evenness {
  /** The most tickets of a machine, divided by the mean. */
  readonly most: number
  /** The standard deviation of the tickets, divided by the mean. */
  readonly deviation: number
  readonly run: PlacementRun
}

export const MACHINES = 100
export const JOBS = 500

/** One run: 500 jobs of one ticket on 100 machines; `ask` machines are asked for each. */
export async function evennessOf(ask: number, { seed, runtime }: RunContext): Promise<Evenness> {
  const totals = new Map(machinesOf({ machines: MACHINES }).map((machine) => [machine, 0]))
  const jobs = Array.from({ length: JOBS }, (_, i) => ({ name: `j${i + 1}`, tickets: 1 }))
  const run = await runPlacements(
    { machines: MACHINES, sharing: STANDARD, jobs, terms: { ask, balance: 'tickets' } },
    { seed, runtime, memoryMB: 64 },
    {
      until: units(1),
      onFact: ({ type, total }, { who }) => {
        if (type === 'joined') totals.set(machineOf(who), Number(total))
      },
    },
  )
  const tickets = [...totals.values()]
  return { most: Math.max(...tickets) / mean(tickets), deviation: standardDeviation(tickets) / mean(tickets), run }
}
