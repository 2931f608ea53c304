/** Histories of the project's machines from runs with faults: the start of each incarnation, and the events that it handled. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Step } from '../../actors/mesh/operator.ts'
import { inputOf } from '../../lib/actor/incarnation.ts'
import type { Incoming } from '../../lib/actor/step-context.ts'
import { units } from '../../lib/actor.ts'
import type { Plain } from '../../lib/core/data.ts'
import { machineIn } from '../../lib/engine/machine.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { FAMILIES } from '../../scenarios/families.ts'
import { exampleOf } from '../../scenarios/family.ts'
import type { Multicomputer } from '../../scenarios/mesh/model.ts'
import { runMesh } from '../../scenarios/mesh/run.ts'
import { clusterOf, networkOf } from '../../scenarios/shares/coscheduling/model.ts'
import { coscheduling } from '../../scenarios/shares/coscheduling.ts'
import { DEFAULTS } from '../../scenarios/shares/paper/parameters.ts'

/** The history of one incarnation of an actor. */
export interface Specimen {
  readonly who: { readonly address: string; readonly incarnation: number }
  readonly seed: number
  readonly input: Plain
  readonly told: readonly (Incoming & { readonly at: number })[]
}

export interface Species {
  /** The path of the module from the root of the package. */
  readonly module: string
  readonly machine: unknown
  readonly incarnations: readonly Specimen[]
  readonly events: readonly string[]
}

const MESH = { m: 2, n: 2 }
const ARRIVALS = Array.from({ length: 6 }, (_, i): Step => ({ type: 'arrive', job: i + 1 }))
const SCRIPT: readonly Step[] = [...ARRIVALS, { type: 'depart', job: 2 }, { type: 'depart', job: 5 }]
const JOBS = ARRIVALS.map((_, i) => ({ job: i + 1, arrival: units(5 * i), work: units(10), minimum: 1 }))

const meshOf = (policy: 'equi' | 'fold', work: Multicomputer['work']): Multicomputer => ({
  allocator: policy === 'equi' ? { policy, mesh: MESH, deal: 'arrival' } : { policy, mesh: MESH, divides: true },
  clock: policy === 'equi' ? null : { interval: units(4), isPerJob: false },
  job: { model: { ...BASELINE, mesh: MESH }, mapping: 'simple' },
  leaders: ARRIVALS.length,
  work,
})

type Run = (options: SystemInit, onSystem: (system: System) => void) => Promise<unknown>

/** Runs every family with each kind of faults, or with a few of them. */
async function* runs(isWhole: boolean): AsyncGenerator<Run> {
  for (const family of FAMILIES) {
    const { kinds, draw } = exampleOf(family)[1].faultPlans(new Map())
    // a bit of everything, in bidding for each protocol, and the placers of shares
    const few = kinds.filter((kind) => /everything|placer/.test(kind))
    for (const kind of isWhole ? kinds : few.length > 0 ? few : kinds.slice(-1)) {
      const { specification } = await draw(kind, kinds.indexOf(kind))
      yield (how, onSystem) =>
        runScenario({
          ...specification,
          options: { ...specification.options, ...how },
          onSystem,
        })
    }
  }
  yield (how, onSystem) => runMesh(meshOf('equi', { script: SCRIPT }), how, [], { onSystem })
  for (const [policy, at] of [['equi', 9] as const, ['fold', 12] as const]) {
    const multicomputer = { ...meshOf(policy, { jobs: JOBS }), patience: units(30), attempts: 2 }
    const outages = [{ row: 1, column: 2, at: units(at) }]
    yield (how, onSystem) => runMesh({ ...multicomputer, outages }, how, [], { onSystem })
  }
  const few = JOBS.slice(0, 3).map((job) => ({ ...job, arrival: job.arrival / 10, work: units(1) }))
  for (const policy of ['equi', 'fold'] as const)
    yield (how, onSystem) => runMesh({ ...meshOf(policy, { jobs: few }), detail: 'fine' }, how, [], { onSystem })
  const table = { policy: 'table', rule: 'buddy', mesh: MESH, line: null, period: units(8) } as const
  yield (how, onSystem) => runMesh({ ...meshOf('equi', { jobs: JOBS }), allocator: table }, how, [], { onSystem })
  for (const scheduler of ['gang', 'implicit'] as const) {
    const parameters = { ...DEFAULTS, nodes: 3 }
    const mix = { parameters, tickets: [1, 2], scheduler, servers: true, membership: null }
    const span = { warmUp: units(100), measure: units(700) }
    yield (how, onSystem) =>
      coscheduling.run(clusterOf(mix, span, 1), { network: networkOf(parameters), ...how }, [], { onSystem })
  }
}

async function livesOf(run: Run): Promise<[module: string, Specimen][]> {
  let system: System | undefined
  await run({ runtime: 'inline', record: true, memoryMB: 64 }, (one) => {
    system = one
  })
  if (!system) throw new Error('a run without a system')
  const replay = await Replay.open(traceOf([...system.recorded()]))
  const told = new Map<string, (Incoming & { at: number })[]>()
  for (const { incoming, step } of replay) {
    const incarnation = `${step.slot}.${step.incarnation}`
    const list = told.get(incarnation) ?? []
    if (incoming) list.push({ ...incoming, at: step.at })
    told.set(incarnation, list)
  }
  const { seed } = system.options
  return replay.run.incarnations.map(({ module, who, incarnation, slot, input, records }) => {
    const events = told.get(`${slot}.${incarnation}`) ?? []
    return [module, { who: { address: who, incarnation }, seed, input: inputOf(input, records), told: events }]
  })
}

const ACTORS = fileURLToPath(new URL('../../actors/', import.meta.url))

/** The machines of all modules below actors/ that export one by default, by name. */
export async function species(isWhole: boolean): Promise<Species[]> {
  const incarnations = new Map<string, Specimen[]>()
  for await (const run of runs(isWhole)) {
    for (const [module, incarnation] of await livesOf(run))
      incarnations.set(module, [...(incarnations.get(module) ?? []), incarnation])
  }
  const files = readdirSync(ACTORS, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const all = await Promise.all(
    files.sort().map(async (path) => {
      const module = `actors/${path.replaceAll('\\', '/')}`
      const { default: machine }: { default?: unknown } = await import(`../../${module}`)
      if (machine === undefined) return []
      return [
        { module, machine, incarnations: incarnations.get(module) ?? [], events: machineIn(machine, module).events },
      ]
    }),
  )
  return all.flat()
}
