/** One run of a cluster whose users have a placer, and what happened to their requests. */
import type { Arrive, ToScheduler } from '../../../actors/processor/jobs.ts'
import type { BarrierInput, Membership } from '../../../actors/shares/barrier.ts'
import type { Enlist, Place } from '../../../actors/shares/placer/messages.ts'
import type { PlacerInput, Terms } from '../../../actors/shares/placer/state.ts'
import { type Message, type Ref, ref, type Time, units } from '../../../lib/actor.ts'
import type { ScenarioRun } from '../../../lib/scenario/definition.ts'
import type { Fault } from '../../../lib/scenario/faults.ts'
import type { FactAbout, System, SystemInit } from '../../../lib/system.ts'
import { sharesCluster } from '../cluster.ts'
import { type Cluster, machinesOf, type Other, type Said } from '../model.ts'
import type { ClusterOracle } from '../oracle.ts'
import { Answers, type Heard } from './answers.ts'

const PLACER = 'placer@p'
const USER = 'user@u'

export interface Placements extends Pick<Cluster, 'machines' | 'sharing'> {
  /** The jobs as the placer receives them, in that order also within an instant. */
  readonly jobs: readonly Asked[]
  readonly terms: Pick<Terms, 'ask' | 'balance'> & Partial<Terms>
  /** The membership of all parallel jobs. */
  readonly membership?: Membership
}

export interface Asked {
  readonly name: string
  /** The tickets of the job, on each machine of a parallel job; base tickets unless a currency is given. */
  readonly tickets: number
  readonly currency?: string
  readonly at?: Time
  /** The numbers of the machines; by default the placer chooses them. */
  readonly on?: readonly number[]
  /** By default the job computes for ever. */
  readonly program?: Place['program']
}

export const barrierOf = (job: string): Ref<Arrive | Enlist> => ref(`barrier@${job}`)

const processorOf = (machine: string | number): Ref<ToScheduler> =>
  ref(`processor@${typeof machine === 'number' ? `m${machine}` : machine}`)

function said({ name, tickets, currency = 'base', at = 0, on, program }: Asked): Said {
  const message: Place = {
    type: 'place',
    job: name,
    currency,
    amount: tickets,
    program: program ?? { kind: 'compute', work: null },
    ...(on && { on: on.map(processorOf) }),
  }
  return { at, user: USER, to: PLACER, message }
}

function othersOf({ machines, sharing, jobs, terms, membership }: Placements): Other[] {
  const processors = machinesOf({ machines }).map(processorOf)
  const input: PlacerInput = { processors, funding: sharing.funding, timeout: units(10), ...terms }
  const parallel = [...new Set(jobs.flatMap(({ name, program }) => (program?.kind === 'parallel' ? [name] : [])))]
  const barriers = parallel.map((job): Other => {
    const input: BarrierInput = { job, members: [], membership: membership ?? null }
    return { address: barrierOf(job), module: 'shares/barrier.ts', input }
  })
  return [...barriers, { address: PLACER, module: 'shares/placer/placer.ts', input }]
}

export const clusterOf = (placements: Placements): Cluster => ({
  machines: placements.machines,
  sharing: placements.sharing,
  orders: placements.jobs.map(said),
  others: othersOf(placements),
})

export type PlacementRun = ScenarioRun<ClusterOracle> & {
  readonly heard: ReadonlyMap<string, Heard>
}

export interface PlacementCourse {
  readonly until?: Time
  readonly cuts?: readonly Time[]
  readonly faults?: readonly Fault[]
  readonly onSystem?: (system: System) => void
  readonly onFact?: (fact: Message, about: FactAbout) => void
}

/** Runs a cluster with a placer, and stops it. */
export async function runPlacements(
  placements: Placements,
  options: SystemInit,
  { until, cuts, faults, onSystem, onFact }: PlacementCourse,
): Promise<PlacementRun> {
  const answers = new Answers()
  const cluster = { ...clusterOf(placements), until, ...(cuts && { cuts }) }
  const run = await sharesCluster.run(cluster, options, faults, {
    onSystem: (system) => {
      onSystem?.(system)
      system.onFact((fact, about) => {
        answers.fold(fact, about.who, about.at)
        onFact?.(fact, about)
      })
    },
  })
  return { ...run, heard: answers.all }
}
