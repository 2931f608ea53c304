/** One run on a mesh: jobs, an allocator, and an operator if there is a script. */
import type { EquiInput } from '../../actors/mesh/allocator/equi/book.ts'
import type { FoldInput } from '../../actors/mesh/allocator/fold/book.ts'
import type { TableInput } from '../../actors/mesh/allocator/table.ts'
import type { Admission } from '../../actors/mesh/allocator/terms.ts'
import type { ClockInput } from '../../actors/mesh/clock.ts'
import type { JobInput } from '../../actors/mesh/job/book.ts'
import { processorsOf } from '../../actors/mesh/mesh.ts'
import type { Detail } from '../../actors/mesh/model.ts'
import type { OperatorInput, Step } from '../../actors/mesh/operator.ts'
import type { ProcessorInput } from '../../actors/mesh/processor/book.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import { processorAt } from '../../actors/mesh/threads/crew.ts'
import type { MeshJob, UserInput } from '../../actors/mesh/user.ts'
import type { Address, Time } from '../../lib/actor.ts'
import type { Fault } from '../../lib/scenario/faults.ts'
import { type Hooks, runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Watched } from '../promises.ts'
import { Watch } from './oracle.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const ALLOCATOR: Address = 'allocator@a'
export const USER: Address = 'user@u'
export const OPERATOR: Address = 'operator@o'
export const CLOCK: Address = 'clock@c'
export const SENTRY: Address = 'sentry@w'

/** Jobs count from 1, like those of the thesis. */
export const jobAddress = (number: number): Address => `job@j${number}`

/** What a scene sees to. */
type Wired = keyof Admission | 'operator' | 'clock' | 'patience' | 'records'

export interface Scene {
  /** Without a limit as many jobs run as there are processors, and none is swapped. */
  readonly allocator: Partial<Admission> &
    (
      | ({ readonly policy: 'equi' } & Omit<EquiInput, Wired>)
      | ({ readonly policy: 'fold' } & Omit<FoldInput, Wired>)
      | ({ readonly policy: 'table' } & TableInput)
    )
  /** When rings rotate; without it if a script says so. */
  readonly clock?: Omit<ClockInput, 'allocator'> | null
  readonly job: Omit<JobInput, 'allocator' | 'patience' | 'detail'>
  /** Default: coarse. Nobody may die in other runs. */
  readonly detail?: Detail
  readonly leaders: number
  /** Who has the jobs: a script, or arrivals. */
  readonly work: { readonly script: readonly Step[] } | { readonly jobs: readonly MeshJob[] }
  /** Who does not answer is asked again every so often; default: nobody dies, and everybody is waited for. */
  readonly patience?: Time
  /** How often a job that fails is begun; default 1. */
  readonly attempts?: number
  /** Processors that die. */
  readonly outages?: readonly Outage[]
  /** Default: until nothing is left to do. */
  readonly until?: Time
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL | undefined
}

/** In spawn order. */
export const addressesOf = ({ leaders, work, clock, job, detail, outages = [] }: Scene): Address[] => [
  ...processorsIn({ job, detail }),
  ...leadersOf(leaders),
  'script' in work ? OPERATOR : USER,
  ...(clock ? [CLOCK] : []),
  ALLOCATOR,
  ...(outages.length > 0 ? [SENTRY] : []),
]

const leadersOf = (count: number): Address[] => Array.from({ length: count }, (_, index) => jobAddress(index + 1))

const processorsIn = ({ job: { model }, detail = 'coarse' }: Pick<Scene, 'job'> & { detail?: Detail | undefined }) =>
  detail === 'coarse'
    ? []
    : Array.from({ length: processorsOf(model.mesh) }, (_, number) => processorAt(model.mesh, number))

/**
 * Spawns everybody.
 *
 * @throws RangeError where processors have threads and somebody is to die, or where tables are to follow a script
 */
export async function open(system: System, scene: Scene): Promise<void> {
  const { allocator, clock = null, job, leaders, work, detail = 'coarse', actors = ACTORS } = scene
  const { patience = null, attempts = 1, outages = [] } = scene
  if (detail !== 'coarse' && (patience !== null || outages.length > 0))
    throw new RangeError('expected nobody to die where processors have threads, got patience or outages')
  if (allocator.policy === 'table' && 'script' in work) throw new RangeError('expected jobs for tables, got a script')
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
    ...processorsIn(scene).map((address) => system.spawn(address, at('processor'), processorInput)),
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

/** Runs until nothing is left to do, and stops. */
export async function runMesh(
  scene: Scene,
  options: SystemInit,
  faults: readonly Fault[] = [],
  hooks: Hooks = {},
): Promise<MeshRun> {
  const watch = new Watch((scene.detail ?? 'coarse') === 'coarse' ? null : scene.job.model.mesh)
  const played = await runScenario({
    ...hooks,
    options,
    faults,
    until: scene.until,
    watcher: watch,
    open: (system) => open(system, scene),
    isDone: ({ type }) => type === 'ended',
  })
  if (played.isIdle) watch.close()
  return { watch, broken: watch.broken, ...played }
}
