/** What plans of faults do to a contracts market: what they break, and what they cost. */
import type { Story } from '../../../actors/contracts/story.ts'
import { choiceIn } from '../../../lib/fields.ts'
import { PERFECT_NETWORK } from '../../../lib/network.ts'
import type { Plain } from '../../../lib/plain.ts'
import { brokenIn, planName, RUNTIMES, type Runtime, type Toll, tollOfBlock, tollsOf } from '../../faults/soak.ts'
import { runMarket } from '../one-run.ts'
import { KINDS, type Kind, type Plan, planOf } from './plans.ts'

/** Of every field, the sum over plans; money in dollars. */
const ofEach = (of: (field: string) => number) => ({
  plans: of('plans'),
  tasks: of('tasks'),
  /** What all would be worth without delay; what they were worth; and of the same plans without faults. */
  offered: of('offered'),
  yield: of('yield'),
  calmYield: of('calmYield'),
  messages: of('messages'),
  calmMessages: of('calmMessages'),
  /** Executions that lost their processor, or were taken to have. */
  failures: of('failures'),
  contracts: of('contracts'),
  /** Of these: whose site was given up; that were not wanted any more when they were done. */
  lost: of('lost'),
  wasted: of('wasted'),
  claimed: of('claimed'),
  unplaced: of('unplaced'),
})

export const TOLLS = tollsOf(ofEach)
type Sums = ReturnType<typeof ofEach>

async function runPlan(kind: Kind, n: number, plan: Plan, runtime: Runtime) {
  const run = await runMarket(plan.market, { ...plan.options, runtime }, plan.faults)
  return { run, violations: brokenIn(run).map((what) => `${planName(kind, n, plan.faults)}: ${what}`) }
}

/** What a plan broke, in words; nothing if all promises were kept. */
export const violationsOf = async (kind: Kind, n: number, runtime: Runtime): Promise<string[]> =>
  (await runPlan(kind, n, planOf(kind, n), runtime)).violations

/** The study of a sweep. */
export const toll = (point: Plain): Promise<Toll<Sums>> =>
  tollOfBlock(TOLLS, point, (n) => tollOf(choiceIn(point, 'kind', KINDS), n, choiceIn(point, 'runtime', RUNTIMES)))

const yieldOf = (stories: readonly Story[]) => stories.reduce((sum, story) => sum + (story.yield ?? 0), 0)

async function tollOf(kind: Kind, n: number, runtime: Runtime): Promise<Toll<Sums>> {
  const plan = planOf(kind, n)
  const { market, options } = plan
  const { run, violations } = await runPlan(kind, n, plan, runtime)
  const network = { ...PERFECT_NETWORK, latency: options.network?.latency ?? 0 }
  const calm = await runMarket(market, { ...options, reliable: false, network, runtime: 'inline' })
  const name = planName(kind, n, plan.faults)
  const stories = [...run.ledger.tasks.values()]
  const deals = stories.flatMap((story) => story.deals)
  return {
    plans: 1,
    violations: [...violations, ...brokenIn(calm).map((what) => `${name}, without its faults: ${what}`)],
    tasks: market.tasks.length,
    offered: market.tasks.reduce((sum, { worth }) => sum + worth.value, 0),
    yield: yieldOf(stories),
    calmYield: yieldOf([...calm.ledger.tasks.values()]),
    messages: run.messages,
    calmMessages: calm.messages,
    failures: deals.reduce((sum, { failures }) => sum + failures, 0),
    contracts: deals.length,
    lost: deals.filter(({ isLost }) => isLost).length,
    wasted: deals.filter(({ state, finish }) => state === 'voided' && finish !== null).length,
    claimed: deals.reduce((sum, { claim }) => sum + (claim ?? 0), 0),
    unplaced: stories.filter(({ site }) => site === null).length,
  }
}
