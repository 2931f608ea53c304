/**
 * Jobs share a mesh of processors in rectangles (McCann 1994), by a script or with random arrivals. Without flags it
 * runs a short script.
 */
import { runProgram } from '../../lib/cli/index.ts'
import { resultFile } from '../../lib/core/result-file.ts'
import type { CommandRun, Results, ScenarioRun } from '../../lib/scenario/definition.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import type { Hooks } from '../../lib/scenario/run-scenario.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { sometime } from '../../lib/scenario/specification.ts'
import type { SystemInit } from '../../lib/system.ts'
import { demonstrate } from './demonstration.ts'
import { svgOfSteps } from './drawing.ts'
import { FAULT_PLANS } from './fault-plans.ts'
import { flags } from './flags.ts'
import { addressesOf, comingJobs, type MeshModel, type Multicomputer, open, plainModel } from './model.ts'
import { MeshOracle } from './oracle.ts'
import { meshPage } from './page.ts'
import { arrivedOf, checksIn, jobsCsv, stepsOf } from './results.ts'
import { aboutOf, type Options, patienceForFaults, setUp } from './setup.ts'
import { arrivedTable, stepText } from './tables.ts'

const OF_ALL = [
  sometime('job failed', 'user', 'failed'),
  sometime('job taken for dead', 'allocator', 'gave-up'),
  sometime('job swapped out', 'job', 'stopped'),
]
const SOMETIMES = {
  equi: OF_ALL,
  fold: [
    ...OF_ALL,
    sometime('all jobs asked', 'allocator', 'asked'),
    sometime('cell offered in an exchange', 'job', 'owns', ({ offered }) => offered !== null),
    sometime(
      'jobs rotate in two rings',
      'allocator',
      'ring',
      ({ rings }) => Array.isArray(rings) && rings.length > 1,
      'needs --limit 6 --jobs 8 --leaders 6',
    ),
  ],
  table: [],
}

/** The scenario of the mesh. */
export const meshRun = defineScenario({
  name: 'mesh/run',
  summary:
    'Jobs share a mesh of processors by rectangles, under EQUI, EQUI+ or folding (McCann 1994); times in seconds.',
  flags,
  // jobs wait for room, make room for others, exchange cells, and one processor dies
  small: {
    mesh: '4x4',
    jobs: 6,
    leaders: 5,
    load: 4,
    short: 1,
    shortMean: 10,
    latency: 0.1,
    limit: 3,
    quantum: 2,
    interval: 6,
    outages: '3,3 at 20',
  },
  setUp,
  about: aboutOf,
  addresses: ({ multicomputer }) => addressesOf(multicomputer),
  open: (system, { multicomputer }, actors) => open(system, multicomputer, actors),
  oracle: ({ multicomputer }, circumstances) => new MeshOracle(multicomputer, circumstances),
  until: ({ multicomputer }) => multicomputer.until,
  tasks: { of: ({ multicomputer }) => comingJobs(multicomputer).map(({ job }) => job), only: withJobs },
  isDone: ({ type }) => type === 'ended',
  sometimes: ({ multicomputer }) => SOMETIMES[multicomputer.allocator.policy],
  patience: patienceForFaults,
  faultPlans: FAULT_PLANS,
  notes: ({ ops, jobs }, { policy, seed }) => [
    `mesh/run, ${policy}, seed ${seed}: ${ops.length > 0 ? `${ops.length} operations` : `${jobs.length} jobs`}`,
  ],
  results: resultsIn,
  jobs: ({ model, oracle }) => jobsCsv(model, oracle),
  checks: ({ model, faults, ...run }) => checksIn(model, faults, run),
  page: meshPage,
  demonstration: demonstrate,
})

/** The model with only the jobs of these numbers. */
function withJobs({ multicomputer, ops, jobs }: MeshModel, numbers: readonly number[]): MeshModel {
  const some = comingJobs(multicomputer).filter(({ job }) => numbers.includes(job))
  const work = 'jobs' in multicomputer.work ? { jobs: some } : multicomputer.work
  return { multicomputer: { ...multicomputer, work }, ops, jobs: jobs.filter(({ job }) => numbers.includes(job)) }
}

function resultsIn({ model, options, ...run }: CommandRun<Options, MeshModel, MeshOracle>): Results {
  const { policy, mesh, svg } = options
  if (model.ops.length === 0) {
    const values = arrivedOf(model, run)
    return { values, tables: [arrivedTable(policy, values)] }
  }
  const steps = stepsOf(model, run.oracle)
  const drawn = svgOfSteps(mesh, policy, steps)
  resultFile(svg, '--svg')(drawn)
  const grids = steps.map((step) => stepText(mesh, step)).join('\n')
  const charts = [
    {
      title: `Partitions under ${policy}`,
      says: 'Each panel is the mesh after one operation. Orange: partitions that their jobs moved to in it; blue: those that they kept.',
      svg: drawn,
    },
  ]
  return { values: { steps }, drawn: grids, charts }
}

export type MeshRun = ScenarioRun<MeshOracle>

/** Runs until no work is left, and stops. */
export const runMesh = (
  multicomputer: Multicomputer,
  options: SystemInit,
  faults?: readonly Fault[],
  hooks?: Hooks,
): Promise<MeshRun> => meshRun.run(plainModel(multicomputer), options, faults, hooks)

await runProgram(meshRun, import.meta.url)
