/** Small clusters for bugs of a placer, or of parallel jobs. They become quiet, so that nothing waits for ever. */
import type { Arrive, Parallel } from '../../actors/processor/jobs.ts'
import { RUN_TO_COMPLETION, STANDARD } from '../../actors/processor/sharing.ts'
import { type Address, type Message, type Ref, ref, roleOf, type Time, units } from '../../lib/actor.ts'
import type { Violation } from '../../lib/scenario/oracle.ts'
import type { RunOutcome } from '../../lib/scenario/outcome.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import { type Cluster, machinesOf, onCluster, runs } from '../../scenarios/shares/model.ts'
import { ClusterOracle } from '../../scenarios/shares/oracle.ts'
import { barrierOf, clusterOf as placementsOf } from '../../scenarios/shares/placement/one-run.ts'
import { MESHES } from './scenes-mesh.ts'

type Scene = (actors?: URL) => Specification

/**
 * The oracle of a cluster with a parallel job. The job runs for ever, or until its barrier gives it up, if no message is lost and
 * only barriers die, which are restarted. A placer may refuse the job instead: a schedule can hold the answers of the machines back
 * for longer than it waits for them, and it promises only an answer.
 */
class EndlessOracle extends ClusterOracle {
  #mayEnd = false

  override fold(fact: Message, who: Address, at: Time): void {
    super.fold(fact, who, at)
    if (fact.type === 'aborted' || fact.type === 'refused') this.#mayEnd = true
  }

  override died(who: Address, at: Time): void {
    super.died(who, at)
    if (roleOf(who) !== 'barrier') this.#mayEnd = true
  }

  override violations(outcome: RunOutcome): Violation[] {
    const { isIdle, lost } = outcome
    const stopped = { property: 'a parallel job runs for ever', text: 'nothing was left to do' }
    return [...super.violations(outcome), ...(isIdle && !this.#mayEnd && lost === 0 ? [stopped] : [])]
  }
}

const scene = (cluster: Cluster, Oracle = ClusterOracle): Scene => {
  const { specify } = defineScenario({
    name: 'scene',
    setUp: () => ({ model: cluster }),
    ...onCluster,
    oracle: (model, circumstances) => new Oracle(model, circumstances),
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

// --- a parallel job for which a placer finds the machines; its barrier gives it up when a member stays away ----------

const placedParallel = placementsOf({
  machines: 2,
  sharing: { ...STANDARD, switching: 0, quantum: units(20), tick: null },
  jobs: [
    {
      name: JOB,
      tickets: 1,
      program: {
        kind: 'parallel',
        barrier: barrierOf(JOB),
        size: 2,
        granularity: units(10),
        imbalance: 0.4,
        spin: units(8),
      },
    },
  ],
  terms: { ask: 2, balance: 'tickets', timeout: units(3) },
  membership: { patience: units(30), timeout: units(20) },
})

export const SCENES: Readonly<Record<string, Scene>> = {
  placements: scene(placements),
  'parallel, placed': scene(placedParallel, EndlessOracle),
  'parallel, spinning for 8': scene(parallel(units(8)), EndlessOracle),
  'parallel, with other jobs': scene(parallel(units(8), ['x']), EndlessOracle),
  ...MESHES,
}
