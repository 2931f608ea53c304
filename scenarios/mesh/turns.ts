/** Checks a ring of actors over a whole cycle of rotations: all jobs have equal shares (section 5.3). */
import type { Mesh } from '../../actors/mesh/mesh.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { inWords } from '../../lib/scenario/oracle.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { exchangesOf, periodOf, sizesOf } from './formulas/policies.ts'
import { runScript } from './scripted.ts'

/**
 * Lets jobs arrive, rotates until the sizes are in equilibrium, and then N(J) times.
 *
 * @returns the violations: each job must take part in f(J) exchanges, and be small for exactly its share of the ticks
 */
export async function unevenIn(
  mesh: Mesh,
  jobs: number,
  options: SystemInit,
  onSystem?: (system: System) => void,
): Promise<readonly string[]> {
  const [period, { small, large }] = [periodOf(jobs), sizesOf(jobs)]
  const ticks = Math.min(small, large) + period
  const script: Step[] = [
    ...Array.from({ length: jobs }, (_, i): Step => ({ type: 'arrive', job: i + 1 })),
    ...Array.from({ length: ticks }, (): Step => ({ type: 'rotate' })),
  ]
  const { oracle: watch, crashes } = await runScript('fold', mesh, script, options, onSystem)
  const sizes = watch.steps.slice(-period - 1).map(({ rings }) => new Map(rings.flat().map((of) => [of.job, of.size])))
  const missing = watch.steps.length === script.length ? [] : [`${watch.steps.length} of ${script.length} steps`]
  const uneven = Array.from({ length: jobs }, (_, i) => i + 1).flatMap((job) => {
    const own = sizes.map((of) => of.get(job))
    const exchanges = own.filter((size, i) => i > 0 && size !== own[i - 1]).length
    const smalls = own.slice(1).filter((size) => size === 's').length
    if (exchanges === exchangesOf(jobs) && smalls * jobs === small * period) return []
    return [`job ${job} of ${jobs}: ${exchanges} exchanges, small in ${smalls} of ${period}`]
  })
  return [...inWords(watch.broken), ...crashes, ...missing, ...uneven]
}
