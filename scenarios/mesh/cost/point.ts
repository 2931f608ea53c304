/** The messages of one policy by number of jobs, as a run for `sweep`. */
import * as v from 'valibot'
import type { Mesh } from '../../../actors/mesh/mesh.ts'
import type { Step } from '../../../actors/mesh/operator.ts'
import { decoderOf } from '../../../lib/core/decode.ts'
import { keyed } from '../../../lib/core/random.ts'
import { sum } from '../../../lib/core/tally.ts'
import { requireKept } from '../../../lib/scenario/verdict.ts'
import type { Runner } from '../../study/points.ts'
import { type Policy, runScript } from '../scripted.ts'

/** The number of rotations after each arrival. */
export const ROTATIONS = 8

const arrive = (job: number): Step => ({ type: 'arrive', job })
const rotate: Step = { type: 'rotate' }

/** A script: all jobs arrive, with rotations after each under folding, and then depart in a random order. */
function scriptOf(seed: number, policy: Policy, most: number): Step[] {
  const jobs = Array.from({ length: most }, (_, i) => i + 1)
  const order = jobs.toSorted((one, other) => keyed(seed, 'goes', one) - keyed(seed, 'goes', other))
  const rotations = Array.from({ length: policy === 'fold' ? ROTATIONS : 0 }, () => rotate)
  return [...jobs.flatMap((job) => [arrive(job), ...rotations]), ...order.map((job): Step => ({ type: 'depart', job }))]
}

export type Row = {
  readonly policy: Policy
  readonly mesh: { readonly [K in keyof Mesh]: Mesh[K] }
  readonly jobs: number
}

/** Messages by number of jobs less one: after an arrival, or before a departure. */
const BY_JOBS = v.array(v.number())

const COSTS = v.object({ arrival: BY_JOBS, departure: BY_JOBS, rotation: BY_JOBS, messages: v.number() })
export type Costs = v.InferOutput<typeof COSTS>

/**
 * Runs a point.
 *
 * @throws Error if a promise was broken
 */
export async function runPoint({ seed, policy, mesh, jobs: most }: Row & { readonly seed: number }): Promise<Costs> {
  const script = scriptOf(seed, policy, most)
  const {
    messagesOf,
    oracle: watch,
    crashes,
  } = await runScript(policy, mesh, script, {
    seed,
    runtime: 'inline',
    rounds: 10_000_000,
  })
  requireKept({ broken: watch.broken, crashes })
  const none = Array.from({ length: most }, () => 0)
  const [arrival, departure, rotation] = [[...none], [...none], [...none]]
  let jobs = 0
  for (const [i, { type }] of script.entries()) {
    const count = messagesOf[i] ?? Number.NaN
    if (type === 'arrive') arrival[jobs++] = count
    else if (type === 'depart') departure[--jobs] = count
    else rotation[jobs - 1] = (rotation[jobs - 1] ?? 0) + count / ROTATIONS
  }
  return { arrival, departure, rotation, messages: sum(messagesOf) }
}

export const runner: Runner<Row, Costs> = {
  module: new URL('./point.ts', import.meta.url),
  costOf: ({ jobs }) => jobs,
  ranOf: decoderOf(COSTS),
}
