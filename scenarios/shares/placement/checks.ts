/** What must hold of the stories of a figure, whatever they are about; each check is of all of them together. */

import { type Check, none, within } from '../../../lib/cli/index.ts'
import { fluidShares } from '../fluid.ts'
import type { PlacementRun } from './run.ts'
import type { SceneMeasured, Setting, Told } from './tell.ts'

/** Of sums and quotients of doubles. */
const ROUNDING = 1e-12

/** Nobody died or was refused, and no promise of proportional share was broken. */
export const checkOfRuns = (name: string, runs: readonly PlacementRun[]): Check =>
  none(
    `${name}: deaths, refusals and broken invariants in ${runs.length} runs`,
    runs.flatMap(({ crashes, refusals, broken }) => [...crashes, ...refusals, ...broken]),
  )

/** The pure rule gives the paper's fluid shares, and jobs are where they should be, with the tickets they should have. */
export function checksOfPlaces(name: string, told: readonly Told[]): Check[] {
  const scenes = told.flatMap((one) => one.scenes)
  const ruled = told.flatMap(({ story }) =>
    story.scenes.flatMap(({ jobs, shares }) => {
      const fluid = fluidShares(jobs)
      return Object.entries(shares).map(([job, share]) => Math.abs((fluid.get(job) ?? 0) - share))
    }),
  )
  const ticketErrors = scenes.map(({ ticketError }) => ticketError)
  return [
    within(`${name}: fluid shares by the rule, farthest from the paper's`, Math.max(...ruled), 0, ROUNDING),
    none(`${name}: jobs on other machines`, scenes.flatMap(strays)),
    within(
      `${name}: a job's part of the tickets at any instant, farthest from due`,
      Math.max(...ticketErrors),
      0,
      ROUNDING,
    ),
  ]
}

const strays = ({ what, jobs }: SceneMeasured): string[] =>
  jobs.flatMap(({ job, machines }) =>
    machines.join() === job.nodes.map((node) => `m${node}`).join()
      ? []
      : [`${what}: ${job.name} on ${machines.join()}`],
  )

/** Of sequential jobs: each has its fluid share of each scene to within a quantum. */
export function checkOfShares(name: string, told: readonly Told[], { sharing, length }: Setting): Check {
  const errors = told.flatMap(({ scenes }) => scenes.flatMap(shareErrors))
  return within(
    `${name}: a job's part of its machine, farthest from due`,
    Math.max(...errors),
    0,
    sharing.quantum / length,
  )
}

/** How far each is from its fluid share; of one that runs nowhere all of it is missing. */
export function shareErrors({ jobs }: SceneMeasured): number[] {
  const fluid = fluidShares(jobs.map(({ job }) => job))
  return jobs.map(({ job, used }) => Math.abs((used[0] ?? 0) - (fluid.get(job.name) ?? 0)))
}
