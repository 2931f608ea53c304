/** One run of section 5.4 in its own process, as a study of `sweep`: plain data in, plain data out. */
import * as v from 'valibot'
import { meanStepTime } from '../../../actors/mesh/job/pace.ts'
import { simple } from '../../../actors/mesh/mapping.ts'
import { wholeOf } from '../../../actors/mesh/mesh.ts'
import { BASELINE, type Model } from '../../../actors/mesh/model.ts'
import { toUnits, units } from '../../../lib/actor.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { sum } from '../../../lib/core/tally.ts'
import { inWords } from '../../../lib/scenario/oracle.ts'
import type { SystemOptions } from '../../../lib/system.ts'
import { measuresOf } from '../measures.ts'
import type { Multicomputer } from '../model.ts'
import type { Setting } from '../paper/simulated.ts'
import { runMesh } from '../run.ts'
import { type ClassedJob, generateMeshJobs, OF_THESIS } from '../workload/generate.ts'

/** Everything that the result of a run depends on. */
export type Point = { readonly seed: number; readonly jobs: number } & { readonly [K in keyof Setting]: Setting[K] }

/** The spread of uniform thread times to either side: 5 ms of 100. */
export const DELTA = units(0.005)
export const MESH = { m: 4, n: 4 } as const

/** The time between swaps while jobs wait. */
const QUANTUM = units(10)

/** The number of leaders. At this load fewer jobs run at once, so that no job waits for a leader. */
const LEADERS = 64

export function multicomputerOf({ seed, jobs: count, ...setting }: Point): {
  readonly multicomputer: Multicomputer
  readonly jobs: readonly ClassedJob[]
} {
  const { policy, deal, short, limit, overhead, interval, isPerJob, isCharged } = setting
  const model: Model = { ...BASELINE, mesh: MESH, delta: DELTA, charged: isCharged }
  const jobs = generateMeshJobs(seed, count, { ...OF_THESIS, short }, meanStepTime(model, simple, wholeOf(MESH)))
  const admission = {
    ...(limit === null ? {} : { limit }),
    swaps: overhead === null ? null : { every: QUANTUM, takes: Math.round(QUANTUM * overhead) },
  }
  const multicomputer: Multicomputer = {
    allocator:
      policy === 'fold'
        ? { policy, mesh: MESH, divides: false, ...admission }
        : { policy: 'equi', mesh: MESH, deal: deal ?? 'arrival', ...admission },
    clock: interval === null ? null : { interval: units(interval), isPerJob },
    job: { model, mapping: policy === 'equi+' ? 'snake' : 'simple' },
    leaders: Math.min(LEADERS, count),
    work: { jobs: jobs.map(({ class: _, ...job }) => job) },
  }
  return { multicomputer, jobs }
}

const ESTIMATE = v.nullable(v.object({ mean: v.number(), halfWidth: v.nullable(v.number()) }))

/** Means with half-widths at 90 %, responses in seconds; null without jobs. */
const RAN = v.object({
  short: ESTIMATE,
  long: ESTIMATE,
  all: ESTIMATE,
  'blow-up': ESTIMATE,
  /** Standard deviation of blow-ups over their mean; 0 for a single job. */
  variation: v.number(),
  /** The mean time that a job takes alone, in seconds. */
  alone: v.number(),
  messages: v.number(),
})
export type Ran = v.InferOutput<typeof RAN>

/**
 * Runs a point.
 *
 * @throws Error if an invariant was violated, an actor died or a job is not over
 */
export async function runPoint(point: Point, runtime: SystemOptions['runtime'] = 'inline'): Promise<Ran> {
  const { multicomputer, jobs } = multicomputerOf(point)
  const { oracle: watch, crashes, messages } = await runMesh(multicomputer, { seed: point.seed, runtime })
  const open = jobs.filter(({ job }) => watch.jobs.get(job)?.ended == null).length
  const broken = [...inWords(watch.broken), ...crashes, ...(open > 0 ? [`${open} jobs are not over`] : [])]
  if (broken.length > 0) throw new Error(`${broken.length} violations: ${broken.slice(0, 3).join('; ')}`)
  const { all, short, long } = measuresOf(jobs, watch.jobs)
  return {
    short: short?.response ?? null,
    long: long?.response ?? null,
    all: all?.response ?? null,
    'blow-up': all?.blowUp ?? null,
    variation: all?.variation ?? 0,
    alone: sum(jobs, ({ work }) => toUnits(work)) / jobs.length,
    messages,
  }
}

/** Reads the result that a process sent back. */
export const ranOf = decoderOf(RAN)
