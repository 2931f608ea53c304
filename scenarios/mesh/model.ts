/** The model of a run on a mesh, and its actors. */
import type { EquiInput } from '../../actors/mesh/allocator/equi/book.ts'
import type { FoldInput } from '../../actors/mesh/allocator/fold/book.ts'
import type { TableInput } from '../../actors/mesh/allocator/table.ts'
import type { Admission } from '../../actors/mesh/allocator/terms.ts'
import type { ClockInput } from '../../actors/mesh/clock.ts'
import type { JobInput } from '../../actors/mesh/job/book.ts'
import { processorsOf } from '../../actors/mesh/mesh.ts'
import type { ToAllocator, ToJob, ToOperator, ToUser } from '../../actors/mesh/messages.ts'
import type { Detail } from '../../actors/mesh/model.ts'
import type { OperatorInput, Step } from '../../actors/mesh/operator.ts'
import type { ProcessorInput } from '../../actors/mesh/processor/book.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import { processorAt } from '../../actors/mesh/threads/crew.ts'
import type { MeshJob, UserInput } from '../../actors/mesh/user.ts'
import { type Address, type Ref, ref, type Time } from '../../lib/actor.ts'
import type { System } from '../../lib/system.ts'
import type { ClassedJob } from './workload/generate.ts'
import type { Op } from './workload/script.ts'

const ACTORS = new URL('../../actors/', import.meta.url)

export const ALLOCATOR: Ref<ToAllocator> = ref('allocator@a')
export const USER: Ref<ToUser> = ref('user@u')
export const OPERATOR: Ref<ToOperator> = ref('operator@o')
const CLOCK: Address = 'clock@c'
const SENTRY: Address = 'sentry@w'

/** The leader of a number, from 1 like the jobs of the thesis. */
export const jobAddress = (number: number): Ref<ToJob> => ref(`job@j${number}`)

/** Inputs of allocators that are derived from the rest of the model. */
type Wired = keyof Admission | 'operator' | 'clock' | 'patience' | 'records'

/** A message-passing parallel computer with a mesh of processors, its allocator and its jobs. */
export interface Multicomputer {
  /** The allocator. Without a limit as many jobs run as there are processors, and none is swapped. */
  readonly allocator: Partial<Admission> &
    (
      | ({ readonly policy: 'equi' } & Omit<EquiInput, Wired>)
      | ({ readonly policy: 'fold' } & Omit<FoldInput, Wired>)
      | ({ readonly policy: 'table' } & TableInput)
    )
  /** The clock of rotations; without it rings rotate when the script says so. */
  readonly clock?: Omit<ClockInput, 'allocator'> | null
  readonly job: Omit<JobInput, 'allocator' | 'patience' | 'detail'>
  /** The level of detail, `coarse` by default. In other runs no actor and no processor may die. */
  readonly detail?: Detail
  readonly leaders: number
  /** The source of jobs: a script, or arrivals. */
  readonly work: { readonly script: readonly Step[] } | { readonly jobs: readonly MeshJob[] }
  /** The time after which an unanswered message is repeated. By default no actor dies, and all are waited for. */
  readonly patience?: Time
  /** The most attempts at a job; default 1. */
  readonly attempts?: number
  /** Processors that die. */
  readonly outages?: readonly Outage[]
  /** The end of the run; by default it ends when no work is left. */
  readonly until?: Time
}

/** A computer with its work as the flags say it: a script or jobs; one of the two is empty. */
export interface MeshModel {
  readonly multicomputer: Multicomputer
  readonly ops: readonly Op[]
  readonly jobs: readonly ClassedJob[]
}

/** A computer whose work no flags say. */
export const plainModel = (multicomputer: Multicomputer): MeshModel => ({ multicomputer, ops: [], jobs: [] })

/** The jobs that arrive; none with a script. */
export const comingJobs = ({ work }: Pick<Multicomputer, 'work'>): readonly MeshJob[] =>
  'jobs' in work ? work.jobs : []

/** All addresses in spawn order. */
export const addressesOf = ({ leaders, work, clock, job, detail, outages = [] }: Multicomputer): Address[] => [
  ...processorsIn({ job, detail }),
  ...leadersOf(leaders),
  'script' in work ? OPERATOR : USER,
  ...(clock ? [CLOCK] : []),
  ALLOCATOR,
  ...(outages.length > 0 ? [SENTRY] : []),
]

/** The addresses of the leaders, in order. */
const leadersOf = (count: number): Ref<ToJob>[] => Array.from({ length: count }, (_, index) => jobAddress(index + 1))

/** The addresses of the processors; none in coarse detail. */
const processorsIn = ({
  job: { model },
  detail = 'coarse',
}: Pick<Multicomputer, 'job'> & { detail?: Detail | undefined }) =>
  detail === 'coarse'
    ? []
    : Array.from({ length: processorsOf(model.mesh) }, (_, number) => processorAt(model.mesh, number))

/**
 * Spawns all actors.
 *
 * @throws RangeError if processors hold threads and actors may die, or if a table policy is given a script
 */
export async function open(system: System, multicomputer: Multicomputer, actors: URL = ACTORS): Promise<void> {
  const { allocator, clock = null, job, leaders, work, detail = 'coarse' } = multicomputer
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
