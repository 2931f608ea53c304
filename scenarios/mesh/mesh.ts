/** One run on a mesh: jobs, an allocator, and an operator if there is a script. */
import type { Admission } from '../../actors/mesh/allocator/admission.ts'
import type { EquiInput } from '../../actors/mesh/allocator/equi.ts'
import type { FoldInput } from '../../actors/mesh/allocator/fold.ts'
import type { ClockInput } from '../../actors/mesh/clock.ts'
import type { JobInput } from '../../actors/mesh/job.ts'
import { processorsOf } from '../../actors/mesh/mesh.ts'
import type { OperatorInput, Step } from '../../actors/mesh/operator.ts'
import type { MeshJob } from '../../actors/mesh/user.ts'
import { Watch } from '../../actors/mesh/watch.ts'
import type { Address } from '../../lib/actor.ts'
import type { Fault } from '../../lib/faults/faults.ts'
import { type Played, play } from '../../lib/play.ts'
import type { GivenOptions, System } from '../../lib/system.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const ALLOCATOR: Address = 'allocator@a'
export const USER: Address = 'user@u'
export const OPERATOR: Address = 'operator@o'
export const CLOCK: Address = 'clock@c'

/** Jobs count from 1, like those of the thesis. */
export const jobAddress = (number: number): Address => `job@j${number}`

export interface Scene {
  /** Without a limit as many jobs run as there are processors, and none is swapped. */
  readonly allocator: Partial<Admission> &
    (
      | ({ readonly policy: 'equi' } & Omit<EquiInput, 'operator' | keyof Admission>)
      | ({ readonly policy: 'fold' } & Omit<FoldInput, 'operator' | 'clock' | keyof Admission>)
    )
  /** When rings rotate; without it if a script says so. */
  readonly clock?: Omit<ClockInput, 'allocator'> | null
  readonly job: Omit<JobInput, 'allocator'>
  readonly leaders: number
  /** Who has the jobs: a script, or arrivals. */
  readonly work: { readonly script: readonly Step[] } | { readonly jobs: readonly MeshJob[] }
  /** A copy of `actors/`, to be run in its place. */
  readonly actors?: URL
}

/** In spawn order. */
export const addressesOf = ({ leaders, work, clock }: Scene): Address[] => [
  ...leadersOf(leaders),
  'script' in work ? OPERATOR : USER,
  ...(clock ? [CLOCK] : []),
  ALLOCATOR,
]

const leadersOf = (count: number): Address[] => Array.from({ length: count }, (_, index) => jobAddress(index + 1))

/** Spawns everybody. */
export async function open(system: System, scene: Scene): Promise<void> {
  const { allocator, clock = null, job, leaders, work, actors = ACTORS } = scene
  const at = (module: string) => new URL(`mesh/${module}.ts`, actors)
  const addresses = leadersOf(leaders)
  const isScript = 'script' in work
  const { policy, ...terms } = { limit: processorsOf(allocator.mesh), swaps: null, ...allocator }
  const clockInput: ClockInput | null = clock && { ...clock, allocator: ALLOCATOR }
  const operator = isScript ? OPERATOR : null
  const jobInput: JobInput = { ...job, allocator: ALLOCATOR }
  const operatorInput = (script: readonly Step[]): OperatorInput => ({ script, jobs: addresses, allocator: ALLOCATOR })
  await Promise.all([
    ...addresses.map((address) => system.spawn(address, at('job'), jobInput)),
    isScript
      ? system.spawn(OPERATOR, at('operator'), operatorInput(work.script))
      : system.spawn(USER, at('user'), { jobs: work.jobs, leaders: addresses }),
    ...(clockInput ? [system.spawn(CLOCK, at('clock'), clockInput)] : []),
    system.spawn(ALLOCATOR, at(`allocator/${policy}`), { ...terms, operator, clock: clock ? CLOCK : null }),
  ])
}

export interface MeshRun extends Played {
  readonly watch: Watch
}

export interface Hooks {
  /** Called with the system as soon as there is one, so that an interrupt can stop it. */
  readonly onSystem?: (system: System) => void
  /** Called when a job is over. */
  readonly onOver?: (over: number) => void
}

/** Runs until nothing is left to do, and stops. */
export async function runMesh(
  scene: Scene,
  options: GivenOptions,
  faults: readonly Fault[] = [],
  { onSystem, onOver }: Hooks = {},
): Promise<MeshRun> {
  let over = 0
  const watch = new Watch(scene.allocator.mesh)
  const played = await play({
    ...{ options, faults, onSystem },
    open: async (system) => {
      system.onFact((fact, { who, at }) => {
        watch.fold(fact, who, at)
        if (fact.type === 'ended') onOver?.(++over)
      })
      await open(system, scene)
    },
  })
  return { watch, ...played }
}
