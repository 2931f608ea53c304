/** Small clusters for bugs of a placer, or of parallel jobs. They become quiet, so that nothing waits for ever. */
import type { Arrive, Parallel } from '../../actors/processor/jobs.ts'
import { RUN_TO_COMPLETION, STANDARD } from '../../actors/processor/sharing.ts'
import {
  type Address,
  type Message,
  machineOf,
  type Plain,
  type Ref,
  ref,
  roleOf,
  type Time,
  units,
} from '../../lib/actor.ts'
import type { Circumstances } from '../../lib/scenario/definition.ts'
import { FactLog, type History, type Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { type Cluster, jobsOf, machinesOf, onCluster, runs } from '../../scenarios/shares/model.ts'
import { ClusterOracle } from '../../scenarios/shares/oracle.ts'
import { clusterOf as placementsOf } from '../../scenarios/shares/placement/one-run.ts'

type Scene = (actors?: URL) => Specification

/** Everything that happened in a run, and the jobs that users ordered. */
interface ObservedRun extends History {
  readonly jobs: readonly string[]
}

type Broken = (seen: ObservedRun) => readonly Violation[]

/** The oracle of a cluster with a promise that only some runs can keep. */
class SceneOracle extends ClusterOracle {
  readonly #log = new FactLog()
  readonly #jobs: readonly string[]
  readonly #broken: Broken

  constructor(cluster: Cluster, circumstances: Circumstances, broken: Broken) {
    super(cluster, circumstances)
    this.#jobs = jobsOf(cluster)
    this.#broken = broken
  }

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    this.#log.fold(fact, who, at)
  }

  override died(who: Address, at: Time): void {
    super.died(who, at)
    this.#log.died(who, at)
  }

  override violations(outcome: RunOutcome): Violation[] {
    const { facts, deaths } = this.#log
    return [...super.violations(outcome), ...this.#broken({ ...outcome, facts, deaths, jobs: this.#jobs })]
  }
}

const scene = (cluster: Cluster, broken: Broken): Scene => {
  const { specify } = defineScenario({
    name: 'scene',
    setUp: () => ({ model: cluster }),
    ...onCluster,
    oracle: (model, circumstances) => new SceneOracle(model, circumstances, broken),
  })
  const options = { seed: 1, network: { latency: units(1) } }
  return (actors) => specify({ ...cluster, until: units(400) }, options, [], actors)
}

// --- a placer finds machines for three jobs; processors have no quanta, so that the cluster becomes quiet -------------

const placements = placementsOf({
  machines: 3,
  sharing: RUN_TO_COMPLETION,
  jobs: ['a', 'b', 'c'].map((name, i) => ({ name, tickets: 1 + i, at: units(2 * i) })),
  terms: { ask: 2, balance: 'tickets', timeout: units(3) },
})

/** The machines with processes of a job at the end. */
function placesOf({ facts }: ObservedRun, job: string): string[] {
  const there = new Set<string>()
  for (const { fact, who } of facts) {
    if (roleOf(who) !== 'processor' || fact['job'] !== job) continue
    if (fact.type === 'joined') there.add(machineOf(who))
    if (fact.type === 'left' && (fact['why'] === 'withdrawn' || fact['why'] === 'done')) there.delete(machineOf(who))
  }
  return [...there].sort()
}

const named = (processors: Plain | undefined): string[] =>
  Array.isArray(processors) ? processors.map((processor) => machineOf(String(processor))) : []

function toldOf({ type, processors, processor }: Message): string[] {
  if (type === 'found') return [machineOf(String(processor))]
  return type === 'placed' ? named(processors) : []
}

/** Checks that users were told of each job, and that the last report of it is true. */
function misplaced(seen: ObservedRun): Violation[] {
  if (!seen.isIdle || seen.lost > 0 || seen.deaths.some(({ who }) => roleOf(who) === 'processor')) return []
  return seen.jobs.flatMap((job) => {
    const told = seen.facts.findLast(({ fact, who }) => roleOf(who) === 'user' && fact['job'] === job)
    const places = placesOf(seen, job)
    const text = `${job} is on ${places.join(' and ') || 'no machine'}`
    if (!told) {
      // a request on its way to a placer that died never arrived
      const isForgiven = seen.deaths.length > 0 && places.length === 0
      return isForgiven ? [] : [{ property: 'a request is answered', text: `nothing was heard of ${job}` }]
    }
    const said = toldOf(told.fact)
    if (said.join() === places.join()) return []
    return [
      { property: 'jobs are where their users were told', text: `${text}; told: ${told.fact.type} ${said.join()}` },
    ]
  })
}

// --- a parallel job with a process on each machine --------------------------------------------------------------------

const JOB = 'p'
const BARRIER: Ref<Arrive> = ref('barrier@p')

/** A parallel job with a process on each machine; `beside` are other jobs that run on the first machine for a while. */
function parallel(spin: number | null, beside: readonly string[] = []): Cluster {
  const machines = machinesOf({ machines: 2 })
  const program = (rank: number): Parallel => {
    return { kind: 'parallel', barrier: BARRIER, rank, granularity: units(10), imbalance: 0.4, spin }
  }
  const members = machines.map((machine): Address => `processor@${machine}`)
  return {
    machines: machines.length,
    sharing: { ...STANDARD, switching: 0, quantum: units(20), tick: null },
    orders: [
      ...machines.map((machine, rank) =>
        runs(JOB, machine, { currency: 'base', program: program(rank), at: units(rank) }),
      ),
      ...beside.map((job) => runs(job, 'm1', { currency: 'base', program: { kind: 'compute', work: units(150) } })),
    ],
    others: [{ address: BARRIER, module: 'shares/barrier.ts', input: { job: JOB, members, membership: null } }],
  }
}

const stopped = ({ isIdle, deaths, lost }: ObservedRun): Violation[] =>
  !isIdle || deaths.length + lost > 0
    ? []
    : [{ property: 'a parallel job runs for ever', text: 'nothing was left to do' }]

export const SCENES: Readonly<Record<string, Scene>> = {
  placements: scene(placements, misplaced),
  'parallel, spinning for 8': scene(parallel(units(8)), stopped),
  'parallel, with other jobs': scene(parallel(units(8), ['x']), stopped),
}
