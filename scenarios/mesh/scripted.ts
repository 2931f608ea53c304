/** Runs scripts on a mesh with actors, and counts the messages of each step. */
import type { Mesh } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { keyed } from '../../lib/core/random.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { OPERATOR } from './model.ts'
import { type MeshRun, runMesh } from './run.ts'

/**
 * Whether a message is counted: those between jobs and the allocator and among jobs are, those of the operator are not.
 */
const COUNTED = new Set([
  ...['arrive', 'depart', 'vacate', 'freeze', 'frozen', 'remap', 'resume', 'done', 'report'],
  ...['start', 'link', 'split', 'tick', 'shift', 'size', 'cell', 'taken'],
])

export interface ScriptRun extends MeshRun {
  /** The number of messages handled in each step. */
  readonly messagesOf: readonly number[]
}

export type Policy = 'equi' | 'fold'

export async function runScript(
  policy: Policy,
  mesh: Mesh,
  script: readonly Step[],
  options: SystemInit,
  onSystem?: (system: System) => void,
): Promise<ScriptRun> {
  const leaders = script.reduce((most, step) => (step.type === 'rotate' ? most : Math.max(most, step.job)), 0)
  const messagesOf: number[] = []
  let count = 0
  const run = await runMesh(
    {
      allocator: policy === 'fold' ? { policy, mesh, divides: true } : { policy, mesh, deal: 'arrival' },
      job: { model: { ...BASELINE, mesh, charged: true }, mapping: 'simple' },
      leaders,
      work: { script },
    },
    options,
    [],
    {
      onSystem: (system) => {
        onSystem?.(system)
        system.onDelivery(({ who, type }) => {
          if (who === OPERATOR && type === 'rested') {
            messagesOf.push(count)
            count = 0
          } else if (COUNTED.has(String(type))) count++
        })
      },
    },
  )
  // the operator hears that all is at rest before it does anything
  return { ...run, messagesOf: messagesOf.slice(1) }
}

/** A random script with a limit on jobs at the same time; departed jobs may arrive again. */
export function randomScript(seed: number, events: number, most: number): Step[] {
  const there = new Set<number>()
  const draw = (i: number, what: string, below: number) => Math.floor(keyed(seed, what, i) * below)
  return Array.from({ length: events }, (_, i): Step => {
    const kind = draw(i, 'event', 4)
    const jobs = [...there]
    const gone = jobs[draw(i, 'who', jobs.length)]
    if (gone !== undefined && (kind === 0 || (kind === 1 && there.size === most))) {
      there.delete(gone)
      return { type: 'depart', job: gone }
    }
    if (kind > 1 && there.size > 0) return { type: 'rotate' }
    const free = Array.from({ length: most }, (_, job) => job + 1).filter((job) => !there.has(job))
    const job = free[draw(i, 'who', free.length)] ?? 1
    there.add(job)
    return { type: 'arrive', job }
  })
}
