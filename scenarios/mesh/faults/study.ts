/** What plans of faults do to jobs on a mesh: what they break, and what they cost. */
import { choiceIn } from '../../../lib/fields.ts'
import type { Plain } from '../../../lib/plain.ts'
import { toUnits } from '../../../lib/time.ts'
import { brokenIn, planName, RUNTIMES, type Runtime, type Toll, tollOfBlock, tollsOf } from '../../faults/soak.ts'
import { type MeshRun, runMesh } from '../mesh.ts'
import { KINDS, type Kind, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; times in seconds. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  /** Of these: that came to their end, and how often they were begun. */
  ended: of('ended'),
  attempts: of('attempts'),
  moves: of('moves'),
  messages: of('messages'),
  /** From arrival to the end, of those that ended; and of the same plans without faults. */
  time: of('time'),
  calmMessages: of('calmMessages'),
  calmTime: of('calmTime'),
  calmEnded: of('calmEnded'),
  /** How often the allocator asked all what they have, and how often it put all anew. */
  queries: of('queries'),
  anew: of('anew'),
})

export const TOLLS = tollsOf(ofEach)
type Sums = ReturnType<typeof ofEach>

async function runPlan(kind: Kind, n: number, plan: Plan, runtime: Runtime) {
  const run = await runMesh(plan.scene, { ...plan.options, runtime }, plan.faults)
  const broken = brokenIn({ ...run, broken: run.watch.broken })
  return { run, violations: broken.map((what) => `${planName(kind, n, plan.faults)}: ${what}`) }
}

/** What a plan broke, in words; nothing if all promises were kept. */
export const violationsOf = async (kind: Kind, n: number, runtime: Runtime): Promise<string[]> =>
  (await runPlan(kind, n, planOf(kind, n), runtime)).violations

/** The study of a sweep. */
export const toll = (point: Plain): Promise<Toll<Sums>> =>
  tollOfBlock(TOLLS, point, (n) => tollOf(choiceIn(point, 'kind', KINDS), n, choiceIn(point, 'runtime', RUNTIMES)))

const timeIn = ({ watch }: MeshRun): number =>
  [...watch.jobs.values()].reduce((sum, { began, ended }) => sum + (ended === null ? 0 : toUnits(ended - began)), 0)

async function tollOf(kind: Kind, n: number, runtime: Runtime): Promise<Toll<Sums>> {
  const plan = planOf(kind, n)
  const { run, violations } = await runPlan(kind, n, plan, runtime)
  const network = { latency: plan.options.network?.latency ?? 0 }
  const calm = await runMesh({ ...plan.scene, outages: [] }, { ...plan.options, network, runtime: 'inline' })
  const stories = [...run.watch.jobs.values()]
  const name = planName(kind, n, plan.faults)
  return {
    plans: 1,
    violations: [
      ...violations,
      ...brokenIn({ ...calm, broken: calm.watch.broken }).map((what) => `${name}, without its faults: ${what}`),
    ],
    jobs: stories.length,
    ended: stories.filter(({ ended }) => ended !== null).length,
    attempts: stories.reduce((sum, { attempts }) => sum + attempts, 0),
    moves: stories.reduce((sum, { moves }) => sum + moves, 0),
    messages: run.messages,
    time: timeIn(run),
    calmMessages: calm.messages,
    calmTime: timeIn(calm),
    calmEnded: [...calm.watch.jobs.values()].filter(({ ended }) => ended !== null).length,
    queries: run.watch.queries,
    anew: run.watch.anew,
  }
}
