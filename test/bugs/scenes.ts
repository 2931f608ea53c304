/** Small clusters for bugs of a placer, or of parallel jobs. They become quiet, so that nothing waits for ever. */
import type { Parallel } from '../../actors/processor/jobs.ts'
import { RUN_TO_COMPLETION, STANDARD } from '../../actors/processor/sharing.ts'
import { type Address, type Message, machineOf, type Plain, roleOf, units } from '../../lib/actor.ts'
import type { Violation } from '../../lib/scenario/oracle.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { Cluster } from '../../scenarios/shares/model.ts'
import { machinesOf, runs } from '../../scenarios/shares/one-run.ts'
import { clusterOf as placementsOf } from '../../scenarios/shares/placement/one-run.ts'
import { clusterSpecification, type ObservedRun, roundsSkipped } from '../../scenarios/shares/specification.ts'

type Scene = (actors?: URL) => Specification

const scene =
  (cluster: Cluster, promises: (seen: ObservedRun) => readonly Violation[]): Scene =>
  (actors) =>
    clusterSpecification({
      cluster: { ...cluster, actors },
      options: { seed: 1, network: { latency: units(1) } },
      faults: [],
      until: units(400),
      promises,
    })

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
const BARRIER: Address = 'barrier@p'

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

const goesOn = (seen: ObservedRun): Violation[] => [...stopped(seen), ...roundsSkipped(seen)]

export const SCENES: Readonly<Record<string, Scene>> = {
  placements: scene(placements, misplaced),
  'parallel, spinning for 8': scene(parallel(units(8)), goesOn),
  'parallel, with other jobs': scene(parallel(units(8), ['x']), goesOn),
}
