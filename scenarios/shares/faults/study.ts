/** The study of fault plans on a cluster: the promises that they break, and their costs. */
import { toUnits } from '../../../lib/actor.ts'
import type { Plain } from '../../../lib/core/data.ts'
import { choiceIn } from '../../../lib/core/decode.ts'
import type { ScenarioRun } from '../../../lib/scenario/definition.ts'
import { inWords, listen } from '../../../lib/scenario/oracle.ts'
import {
  calmly,
  type PlanNumber,
  planSeed,
  RUNTIMES,
  type Runtime,
  type Toll,
  toldOf,
  tollOfBlock,
  tollsOf,
} from '../../faults/study.ts'
import { sharesCluster } from '../cluster.ts'
import type { ClusterOracle } from '../oracle.ts'
import { Observations } from './observations.ts'
import { KINDS, type Kind, type Plan, planOf } from './plans.ts'
import { Promises } from './promises.ts'

/** The sum of every field over plans; times are in units. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  /** Parallel jobs, those that were given up, and those of them whose members all lived. */
  jobs: of('jobs'),
  givenUp: of('givenUp'),
  wronged: of('wronged'),
  /** Jobs that lost a member and were given up, and the time that this took. */
  detected: of('detected'),
  detection: of('detection'),
  /** The processor time of all jobs and the barriers opened, with and without faults. */
  cpu: of('cpu'),
  calmCpu: of('calmCpu'),
  rounds: of('rounds'),
  calmRounds: of('calmRounds'),
  /**
   * The time from the end of all faults until shares were right, and the number of plans whose shares were wrong at
   * that end.
   */
  stale: of('stale'),
  staled: of('staled'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
})

export const TOLLS = tollsOf(ofEach)
type Sums = ReturnType<typeof ofEach>

type ClusterRun = ScenarioRun<ClusterOracle>

interface Seen {
  readonly run: ClusterRun
  readonly observations: Observations
}

/** Runs a plan and records its observations. */
export async function watch({ cluster, faults, options, until }: Plan, runtime: Runtime, trace = false): Promise<Seen> {
  const observations = new Observations()
  const run = await sharesCluster.run({ ...cluster, until }, { ...options, runtime, trace }, faults, {
    onSystem: (system) => {
      listen(system, observations)
      system.onLine((line) => observations.hear(line))
    },
  })
  return { run, observations }
}

/** Whether a plan is run a second time, inline, to check that the same seed gives the same run. */
const isRepeated = (runtime: Runtime, n: number) => runtime === 'threads' || n % 10 === 0

async function promisesOf(n: number, plan: Plan, runtime: Runtime) {
  const isTraced = isRepeated(runtime, n)
  const { run, observations } = await watch(plan, runtime, isTraced)
  const promises = new Promises(plan, observations, run)
  const broken = [...promises.violations]
  if (isTraced) {
    const again = await watch(plan, 'inline', true)
    if (again.run.traceHash !== run.traceHash) broken.push('the same seed gave another trace')
  }
  return { run, observations, promises, broken }
}

const toldIn = (kind: Kind, number: PlanNumber, plan: Plan, broken: readonly string[]) =>
  toldOf({ family: 'shares', group: kind, ...number }, plan, broken)

/** The promises that a plan broke, as text; empty if all were kept. */
export async function violationsOf(kind: Kind, number: PlanNumber, runtime: Runtime): Promise<string[]> {
  const plan = planOf(kind, planSeed(number))
  return toldIn(kind, number, plan, (await promisesOf(number.n, plan, runtime)).broken)
}

/** Measures one point of a sweep. */
export const toll = (point: Plain): Promise<Toll<Sums>> =>
  tollOfBlock(TOLLS, point, (number) =>
    tollOf(choiceIn(point, 'kind', KINDS), number, choiceIn(point, 'runtime', RUNTIMES)),
  )

const roundsOf = ({ opened }: Observations) => [...opened.values()].reduce((sum, { length }) => sum + length, 0)
const cpuOf = ({ oracle }: ClusterRun) => oracle.usage.totals.reduce((sum, { cpu }) => sum + toUnits(cpu), 0)

async function tollOf(kind: Kind, number: PlanNumber, runtime: Runtime): Promise<Toll<Sums>> {
  const plan = planOf(kind, planSeed(number))
  const { run, observations, promises, broken } = await promisesOf(number.n, plan, runtime)
  const { detections, wronged, stale } = promises
  const calm = await watch(calmly(plan), 'inline')
  return {
    violations: toldIn(kind, number, plan, [
      ...broken,
      ...inWords(calm.run.broken).map((what) => `without its faults: ${what}`),
    ]),
    plans: 1,
    jobs: plan.gangs.length,
    givenUp: new Set(observations.givenUp.map(({ job }) => job)).size,
    wronged,
    detected: detections.length,
    detection: detections.reduce((sum, time) => sum + toUnits(time), 0),
    cpu: cpuOf(run),
    calmCpu: cpuOf(calm.run),
    rounds: roundsOf(observations),
    calmRounds: roundsOf(calm.observations),
    stale: toUnits(stale),
    staled: stale > 0 ? 1 : 0,
    messages: run.messages,
    calmMessages: calm.run.messages,
  }
}
