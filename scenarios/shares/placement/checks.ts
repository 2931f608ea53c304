/** What must hold of every story, whatever it is about. */

import { fluidShares } from '../../../actors/shares/fluid.ts'
import type { Check } from '../../../lib/cli.ts'
import type { Instance } from '../paper/placement.ts'
import type { PlacementRun } from './run.ts'
import type { Setting, Told } from './tell.ts'

/** Of sums and quotients of doubles. */
const ROUNDING = 1e-12

export const isWithin = (name: string, measured: number, expected: number, tolerance: number): Check => ({
  ...{ name, measured, expected, tolerance },
  ok: Math.abs(measured - expected) <= tolerance,
})

const none = (name: string, lines: readonly string[]): Check => {
  const measured = lines.slice(0, 3).join('; ') || 'none'
  return { name, ok: lines.length === 0, measured, expected: 'none', tolerance: null }
}

/** Nobody died or was refused, and the invariants of the ledger hold. */
export const checksOfRun = (name: string, { crashes, refusals, ledger }: PlacementRun): Check =>
  none(`${name}: deaths, refusals, broken invariants`, [...crashes, ...refusals, ...ledger.violations])

/** Does the pure rule give what the paper's fluid shares are? */
export function checkOfRule(name: string, { jobs, shares }: Instance): Check {
  const fluid = fluidShares(jobs)
  const errors = Object.entries(shares).map(([job, share]) => Math.abs((fluid.get(job) ?? 0) - share))
  return isWithin(`${name}: fluid shares by the rule`, Math.max(...errors), 0, ROUNDING)
}

/** Jobs are where they should be, with the tickets that they should have. */
export const checksOfPlaces = (name: string, { scenes }: Told): Check[] =>
  scenes.flatMap(({ what, jobs, ticketError }) => {
    const wrong = jobs.flatMap(({ job, machines }) =>
      machines.join() === job.nodes.map((node) => `m${node}`).join() ? [] : [`${job.name} on ${machines.join()}`],
    )
    return [
      none(`${name}, ${what}: jobs elsewhere`, wrong),
      isWithin(`${name}, ${what}: parts of the tickets, at every instant`, ticketError, 0, ROUNDING),
    ]
  })

/** Of sequential jobs: each has its fluid share of a scene to within a quantum. */
export const checksOfShares = (name: string, { scenes }: Told, { sharing, length }: Setting): Check[] =>
  scenes.map(({ what, jobs }) => {
    const fluid = fluidShares(jobs.map(({ job }) => job))
    const errors = jobs.map(({ job, used }) => Math.abs((used[0] ?? 0) - (fluid.get(job.name) ?? 0)))
    return isWithin(
      `${name}, ${what}: the job farthest from its share`,
      Math.max(...errors),
      0,
      sharing.quantum / length,
    )
  })
