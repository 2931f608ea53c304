/** Turns the flags of a run on a mesh into a model. */
import { deepestOf, ringOf } from '../../actors/mesh/fold/cells.ts'
import { meanStepTime } from '../../actors/mesh/job/pace.ts'
import { simple } from '../../actors/mesh/mapping.ts'
import { columnsOf, floorLog2, meshText, processorsOf, rowsOf, wholeOf } from '../../actors/mesh/mesh.ts'
import type { Model } from '../../actors/mesh/model.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import { units } from '../../lib/actor.ts'
import { hasFaults, type OptionsOf, UsageError } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'
import type { Setup } from '../../lib/scenario/definition.ts'
import { enough, patienceOf } from '../patience.ts'
import type { flags } from './flags.ts'
import type { MeshModel, Multicomputer } from './model.ts'
import { type ClassedJob, generateMeshJobs } from './workload/generate.ts'
import { mostOf } from './workload/script.ts'

export type Options = OptionsOf<typeof flags>

const JOBS = 100

/** Rejects flags that have no meaning with a script. */
function requireAlone({ script, jobs, interval, quantum, svg, onlyTasks }: Options): void {
  if (!script && svg !== undefined) throw UsageError.requires('--svg', '--script')
  const given = { '--jobs': jobs, '--interval': interval, '--quantum': quantum, '--only-tasks': onlyTasks }
  const [extra] = Object.entries(given).flatMap(([flag, one]) => (script && one !== undefined ? [flag] : []))
  if (extra !== undefined) throw UsageError.conflicts(extra, '--script')
}

function swapsOf({ script, quantum = units(10), overhead }: Options): { every: number; takes: number } | null {
  if (script || quantum === null) return null
  if (overhead >= quantum) {
    throw UsageError.invalid('--overhead', `less than --quantum (${printUnits(quantum)})`, printUnits(overhead))
  }
  return { every: quantum, takes: overhead }
}

/** @throws UsageError for a mesh on which these jobs cannot form a ring */
function requireRing({ policy, mesh }: Options, most: number): void {
  if (policy !== 'fold') return
  const area = wholeOf(mesh)
  const level = Math.min(deepestOf(area), most > 1 ? floorLog2(most - 1) + 1 : 0)
  try {
    ringOf(area, level)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--policy fold needs a mesh with a ring of ${1 << level} cells, not --mesh ${meshText(mesh)}`)
  }
}

function jobsOf(options: Options, model: Model): readonly ClassedJob[] {
  const { seed, jobs = JOBS, load } = options
  try {
    return generateMeshJobs(seed, jobs, options, meanStepTime(model, simple, wholeOf(model.mesh)))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`--jobs ${jobs} and --load ${load} make a run too long: choose fewer jobs or a higher load`)
  }
}

/** The grace of the default patience. */
const GRACE = units(5)

/** The default patience of a run with faults. */
export const patienceForFaults = (options: Options): Time => enough(options, GRACE)

function outagesOn({ mesh, outages = [] }: Options): readonly Outage[] {
  const absent = outages.find(({ row, column }) => row >= rowsOf(mesh) || column >= columnsOf(mesh))
  if (absent) throw UsageError.invalid('--outages', `processors of ${meshText(mesh)}`, `${absent.row},${absent.column}`)
  return outages.toSorted((one, other) => one.at - other.at)
}

/** @throws UsageError for combinations of flags that cannot be run */
export function setUp(options: Options): Setup<MeshModel> {
  const { policy, mesh, deal, divide, interval, script, moving, compute, delta } = options
  const { limit = processorsOf(mesh), message, switching, data, code } = options
  requireAlone(options)
  if (limit > processorsOf(mesh))
    throw UsageError.invalid('--limit', `at most ${processorsOf(mesh)} on ${meshText(mesh)}`, `${limit}`)
  if (interval && policy !== 'fold') throw UsageError.requires('--interval', `--policy fold, not ${policy}`)
  if (delta > compute)
    throw UsageError.invalid('--delta', `at most --compute (${printUnits(compute)})`, printUnits(delta))
  const model: Model = { mesh, compute, delta, message, switching, data, code, charged: moving === 'charged' }
  const ops = script ?? []
  const jobs = script ? [] : jobsOf(options, model)
  const there = script ? mostOf(ops, mesh, limit < processorsOf(mesh), '--script') : options.leaders
  requireRing(options, Math.min(there, limit))
  const admission = { limit, swaps: swapsOf(options) }
  const steps = ops.flatMap((one) => one.steps)
  const calm: Multicomputer = {
    allocator:
      policy === 'fold'
        ? { policy: 'fold', mesh, divides: divide === 'yes', ...admission }
        : { policy: 'equi', mesh, deal, ...admission },
    clock: interval ?? null,
    job: { model, mapping: policy === 'equi+' ? 'snake' : 'simple' },
    leaders: script
      ? Math.max(0, ...steps.map((step) => (step.type === 'rotate' ? 0 : step.job)))
      : Math.min(options.leaders, jobs.length),
    work: script ? { script: steps } : { jobs: jobs.map(({ class: _, ...job }) => job) },
  }
  const outages = outagesOn(options)
  const isFaulty = hasFaults(options) || options.outages !== undefined
  const patience = patienceOf(options, isFaulty, isFaulty, GRACE)
  const multicomputer: Multicomputer = {
    ...calm,
    outages,
    attempts: options.attempts,
    ...(patience !== null && { patience }),
  }
  return { model: { multicomputer, ops, jobs } }
}

/** All that a reader of the trace needs to repeat the run. */
export function aboutOf({ multicomputer, ops, jobs }: MeshModel, options: Options) {
  const { allocator, job, patience = null, outages = [] } = multicomputer
  const mesh = meshText(options.mesh)
  return {
    policy: options.policy,
    mesh,
    limit: allocator.limit ?? null,
    model: { ...job.model, mesh },
    work: ops.length > 0 ? ops.map(({ op }) => op) : { jobs: jobs.length, load: options.load, short: options.short },
    patience,
    attempts: options.attempts,
    outages: [...outages],
  }
}
