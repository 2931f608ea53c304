/** How even placement is when only some machines are asked: many equal jobs, one after the other. */
import { mean, standardDeviation } from 'simple-statistics'
import { STANDARD } from '../../../actors/processor/sharing.ts'
import { machineOf, units } from '../../../lib/actor.ts'
import { machinesOf } from '../run.ts'
import { type PlacementRun, runPlacements } from './run.ts'
import type { Stage } from './tell.ts'

export interface Evenness {
  /** Most tickets of a machine over the mean. */
  readonly most: number
  /** Their standard deviation over the mean. */
  readonly deviation: number
  readonly run: PlacementRun
}

export const MACHINES = 100
export const JOBS = 500

/** One run: 500 jobs of one ticket on 100 machines, `ask` of which are asked for each. */
export async function evennessOf(ask: number, { seed, runtime, onSystem }: Stage): Promise<Evenness> {
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
