/** One run on a mesh: jobs, an allocator, and an operator if there is a script. */
import type { ClockInput } from '../../actors/mesh/clock.ts'
import type { JobInput } from '../../actors/mesh/job/book.ts'
import { processorsOf } from '../../actors/mesh/mesh.ts'
import type { OperatorInput, Step } from '../../actors/mesh/operator.ts'
import type { ProcessorInput } from '../../actors/mesh/processor/book.ts'
import type { MeshJob, UserInput } from '../../actors/mesh/user.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { listen } from '../../lib/scenario/oracle.ts'
import { type Hooks, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Watched } from '../promises.ts'
import { ALLOCATOR, CLOCK, leadersOf, type Multicomputer, OPERATOR, processorsIn, SENTRY, USER } from './model.ts'
import { Watch } from './oracle.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

/**
 * Spawns all actors.
 *
 * @throws RangeError if processors hold threads and actors may die, or if a table policy is given a script
 */
export async function open(system: System, multicomputer: Multicomputer): Promise<void> {
  const { allocator, clock = null, job, leaders, work, detail = 'coarse', actors = ACTORS } = multicomputer
  const { patience = null, attempts = 1, outages = [] } = multicomputer
  if (detail !== 'coarse' && (patience !== null || outages.length > 0))
    throw new RangeError(
      'detail other than coarse cannot be combined with patience or outages: processors that hold threads must not die',
    )
  if (allocator.policy === 'table' && 'script' in work)
    throw new RangeError('the table policy needs jobs: it cannot run a script')
  const at = (module: string) => new URL(`mesh/${module}.ts`, actors)
  const addresses = leadersOf(leaders)
  const isScript = 'script' in work
  const { policy, ...terms } = { limit: processorsOf(allocator.mesh), swaps: null, ...allocator }
  const clockInput: ClockInput | null = clock && { ...clock, allocator: ALLOCATOR }
  const operator = isScript ? OPERATOR : null
  const jobInput: JobInput = { ...job, detail, allocator: ALLOCATOR, patience }
  const operatorInput = (script: readonly Step[]): OperatorInput => ({ script, jobs: addresses, allocator: ALLOCATOR })
  const userInput = (jobs: readonly MeshJob[]): UserInput => ({
    jobs,
    leaders: addresses,
    allocator: ALLOCATOR,
    patience,
    attempts,
  })
  const processorInput: ProcessorInput = { model: job.model }
  await Promise.all([
    ...processorsIn(multicomputer).map((address) => system.spawn(address, at('processor'), processorInput)),
    ...addresses.map((address) => system.spawn(address, at('job'), jobInput)),
    isScript
      ? system.spawn(OPERATOR, at('operator'), operatorInput(work.script))
      : system.spawn(USER, at('user'), userInput(work.jobs)),
    ...(clockInput ? [system.spawn(CLOCK, at('clock'), clockInput)] : []),
    system.spawn(ALLOCATOR, at(`allocator/${policy}`), { ...terms, operator, clock: clock ? CLOCK : null, patience }),
    ...(outages.length > 0 ? [system.spawn(SENTRY, at('sentry'), { outages, allocator: ALLOCATOR, patience })] : []),
  ])
}

export interface MeshRun extends Watched {
  readonly watch: Watch
}

/** Runs until no work is left, and stops. */
export async function runMesh(
  multicomputer: Multicomputer,
  options: SystemInit,
  faults: readonly Fault[] = [],
  hooks: Hooks = {},
): Promise<MeshRun> {
  const watch = new Watch((multicomputer.detail ?? 'coarse') === 'coarse' ? null : multicomputer.job.model.mesh)
  const played = await runScenario({
    ...hooks,
    options,
    faults,
    until: multicomputer.until,
    open: async (system) => {
      listen(system, watch)
      await open(system, multicomputer)
    },
    isDone: ({ type }) => type === 'ended',
  })
  if (played.isIdle) watch.close()
  return { watch, broken: watch.broken, ...played }
}
