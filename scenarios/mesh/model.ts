/** The model of a run on a mesh, and the addresses of its actors. */
import type { EquiInput } from '../../actors/mesh/allocator/equi/book.ts'
import type { FoldInput } from '../../actors/mesh/allocator/fold/book.ts'
import type { TableInput } from '../../actors/mesh/allocator/table.ts'
import type { Admission } from '../../actors/mesh/allocator/terms.ts'
import type { ClockInput } from '../../actors/mesh/clock.ts'
import type { JobInput } from '../../actors/mesh/job/book.ts'
import { processorsOf } from '../../actors/mesh/mesh.ts'
import type { Detail } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import { processorAt } from '../../actors/mesh/threads/crew.ts'
import type { MeshJob } from '../../actors/mesh/user.ts'
import type { Address, Time } from '../../lib/actor.ts'

export const ALLOCATOR: Address = 'allocator@a'
export const USER: Address = 'user@u'
export const OPERATOR: Address = 'operator@o'
export const CLOCK: Address = 'clock@c'
export const SENTRY: Address = 'sentry@w'

/** The leader of a number, from 1 like the jobs of the thesis. */
export const jobAddress = (number: number): Address => `job@j${number}`

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
  /** A copy of `actors/` that is run in its place. */
  readonly actors?: URL | undefined
}

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
export const leadersOf = (count: number): Address[] =>
  Array.from({ length: count }, (_, index) => jobAddress(index + 1))

/** The addresses of the processors; none in coarse detail. */
export const processorsIn = ({
  job: { model },
  detail = 'coarse',
}: Pick<Multicomputer, 'job'> & { detail?: Detail | undefined }) =>
  detail === 'coarse'
    ? []
    : Array.from({ length: processorsOf(model.mesh) }, (_, number) => processorAt(model.mesh, number))
