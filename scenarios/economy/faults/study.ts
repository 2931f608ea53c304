/** What plans of faults do to an economy: what they break, and what they cost. */
import { toUnits } from '../../../lib/actor.ts'
import { choiceIn } from '../../../lib/fields.ts'
import { PERFECT_NETWORK } from '../../../lib/network.ts'
import type { Plain } from '../../../lib/plain.ts'
import { brokenIn, planName, RUNTIMES, type Runtime, type Toll, tollOfBlock, tollsOf } from '../../faults/soak.ts'
import { runEconomy } from '../one-run.ts'
import { finishedOf, responseOf } from '../results.ts'
import { KINDS, type Kind, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; times in minutes, of the jobs that finished with and without faults. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  jobs: of('jobs'),
  response: of('response'),
  /** Of the same jobs without faults. */
  calmResponse: of('calmResponse'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Attempts that lost a processor, or were given up. */
  failures: of('failures'),
  /** Processor time, and what of it came to nothing. */
  busy: of('busy'),
  wasted: of('wasted'),
  refused: of('refused'),
  /** Dollars that came in, and those that are nobody's any more. */
  received: of('received'),
  forfeited: of('forfeited'),
})

export const TOLLS = tollsOf(ofEach)
type Sums = ReturnType<typeof ofEach>

async function runPlan(kind: Kind, n: number, plan: Plan, runtime: Runtime) {
  const run = await runEconomy(plan.economy, { ...plan.options, runtime }, plan.faults)
  return { run, violations: brokenIn(run).map((what) => `${planName(kind, n, plan.faults)}: ${what}`) }
}

/** What a plan broke, in words; nothing if all promises were kept. */
export const violationsOf = async (kind: Kind, n: number, runtime: Runtime): Promise<string[]> =>
  (await runPlan(kind, n, planOf(kind, n), runtime)).violations

/** The study of a sweep. */
export const toll = (point: Plain): Promise<Toll<Sums>> =>
  tollOfBlock(TOLLS, point, (n) => tollOf(choiceIn(point, 'kind', KINDS), n, choiceIn(point, 'runtime', RUNTIMES)))

async function tollOf(kind: Kind, n: number, runtime: Runtime): Promise<Toll<Sums>> {
  const plan = planOf(kind, n)
  const { economy, options } = plan
  const { run, violations } = await runPlan(kind, n, plan, runtime)
  const network = { ...PERFECT_NETWORK, latency: options.network?.latency ?? 0 }
  const calm = await runEconomy(economy, { ...options, reliable: false, network, runtime: 'inline' })
  const calmly = new Map(finishedOf(calm).map((story) => [story.request.job, story]))
  const both = finishedOf(run).flatMap((story) => {
    const other = calmly.get(story.request.job)
    return other ? [[responseOf(story), responseOf(other)] as const] : []
  })
  const stories = [...run.ledger.jobs.values()]
  return {
    plans: 1,
    violations: [
      ...violations,
      ...brokenIn(calm).map((what) => `${planName(kind, n, plan.faults)}, without its faults: ${what}`),
    ],
    jobs: stories.length,
    response: both.reduce((sum, [ours]) => sum + toUnits(ours), 0),
    calmResponse: both.reduce((sum, [, theirs]) => sum + toUnits(theirs), 0),
    messages: run.messages,
    calmMessages: calm.messages,
    failures: stories.reduce((sum, { failures }) => sum + failures, 0),
    busy: toUnits(run.ledger.useful + run.ledger.lost),
    wasted: toUnits(run.ledger.lost),
    refused: stories.filter(({ end }) => end?.why === 'refused').length,
    received: run.money.sum('received'),
    forfeited: run.money.sum('forfeited'),
  }
}
