/** Parallel jobs that coschedule themselves on few machines, compared with the formula and the converged values. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import type { ScenarioRun } from '../../lib/scenario/definition.ts'
import { clusterOf, type Mix, networkOf } from '../../scenarios/shares/coscheduling/model.ts'
import { type MixOracle, perFirst } from '../../scenarios/shares/coscheduling/oracle.ts'
import { coscheduling } from '../../scenarios/shares/coscheduling.ts'
import { DEDICATED, dedicatedRate, PROGRESS } from '../../scenarios/shares/paper/converged.ts'
import { DEFAULTS, type Parameters } from '../../scenarios/shares/paper/parameters.ts'
import { runScenario } from '../bidding/command.ts'
import { repeats, sampled } from '../repeats.ts'

interface Given {
  readonly parameters: Parameters
  readonly tickets: readonly number[]
  readonly runtime?: 'threads' | 'inline'
  readonly scheduler?: Mix['scheduler']
  readonly seed?: number
  /** In milliseconds of the model. */
  readonly measure: number
}

async function runOf(given: Given): Promise<ScenarioRun<MixOracle>> {
  const { parameters, tickets, runtime = 'inline', scheduler = 'implicit', seed = 1, measure } = given
  const mix = { parameters, tickets, scheduler, servers: false, membership: null }
  const cluster = clusterOf(mix, { warmUp: units(500), measure: units(measure) }, seed)
  const options = { seed, runtime, network: networkOf(parameters), memoryMB: 16, actors: 63 }
  const run = await coscheduling.run(cluster, options)
  assert.equal([run.broken, run.crashes, run.oracle.refusals], [[], [], []])
  return run
}

const progressOf = async (given: Given): Promise<MixOracle> => (await runOf(given)).oracle

const few = { ...DEFAULTS, nodes: 4 }
const isNear = (one: number, other: number, by: number) =>
  assert.ok(Math.abs(one - other) <= by, `${one}, not ${other}`)

for (const { parameters, rate } of DEDICATED.filter(({ parameters: { nodes } }) => nodes <= 8)) {
  test(`alone on ${parameters.nodes} machines a job passes as many barriers as the formula says`, async () => {
    const { rates } = await progressOf({ parameters, tickets: [1], measure: 3000 })
    // a round more or less at the ends, and 300 rounds that vary
    isNear(rates[0] ?? 0, dedicatedRate(parameters), rate / 100)
  })
}

const SMALL = PROGRESS.filter(
  ({ varied, parameters: { nodes } }) => Object.keys(varied).join() === 'nodes' && nodes <= 8,
)
assert.equal(
  SMALL.map(({ parameters: { nodes } }) => nodes),
  [2, 4, 8],
)

function agrees(runs: readonly MixOracle[], { progress, slowdown }: (typeof SMALL)[number]): void {
  const mean = (of: (run: MixOracle) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length
  for (const [i, [value, tolerance]] of progress.entries()) {
    const ours = mean((run) => perFirst(run.rates)[i + 1] ?? 0)
    isNear(ours, value, tolerance)
  }
  const ours = mean((run) => run.slowdown ?? Number.NaN)
  isNear(ours, ...slowdown)
}

for (const row of sampled(SMALL)) {
  const { parameters } = row
  test(`on ${parameters.nodes} machines tickets of 1:2:3 give the progress that the model converges to`, async () => {
    const runs = await Promise.all(
      [1, 2].map((seed) => progressOf({ parameters, tickets: [1, 2, 3], seed, measure: 5000 })),
    )
    agrees(runs, row)
  })
}

const NODES = repeats(8)

test(`on ${NODES} machines with a thread per actor the run and its results are the same`, async () => {
  const given: Given = { parameters: { ...DEFAULTS, nodes: NODES }, tickets: [1, 2, 3], measure: repeats(3000) }
  const [threads, inline] = [await runOf({ ...given, runtime: 'threads' }), await runOf(given)]
  assert.equal([threads.oracle.rates, threads.oracle.cpu], [inline.oracle.rates, inline.oracle.cpu])
  assert.is(threads.messages, inline.messages)
})

test('jobs that sleep at once or after a while lose little, jobs that spin without end lose much', async () => {
  const slowdownOf = async (spin: Parameters['spin'], credit: Parameters['credit'] = 'system') =>
    (await progressOf({ parameters: { ...few, spin, credit }, tickets: [1, 1, 1], measure: 3000 })).slowdown ??
    Number.NaN
  const [block, twoPhase, endless] = [
    await slowdownOf('block'),
    await slowdownOf(DEFAULTS.spin),
    await slowdownOf('endless', 'none'),
  ]
  assert.ok(block < 1.1 && twoPhase < 1.15, `${block} ${twoPhase}`)
  assert.ok(endless > 1.2, `${endless}`)
})

test('a gang scheduler gives each job its tickets of the slots, and all of the cluster in them', async () => {
  const { rates, slowdown } = await progressOf({
    parameters: few,
    tickets: [1, 2, 3],
    scheduler: 'gang',
    measure: 6000,
  })
  const [first = 0, second = 0, third = 0] = rates
  isNear(second / first, 2, 0.05)
  isNear(third / first, 3, 0.05)
  isNear(slowdown ?? Number.NaN, 1, 0.02)
})

test('a run that is too short for its ratios says so, and names what prints intervals', async () => {
  const saidAfter = async (measure: string) => {
    const length = ['--warm-up', '0', '--measure', measure, '--timeline', '0', '--runtime', 'inline']
    const { stdout } = await runScenario('shares/coscheduling', ['--machines', '1', '--granularity', '500', ...length])
    return stdout.split('\n').find((line) => line.includes('converged.ts'))
  }
  const said = 'which is short: its ratios depend on the seed. For intervals: npx tsx scenarios/shares/converged.ts'
  assert.is(await saidAfter('1500'), `each run measures 1.5 s, ${said}`)
  assert.is(await saidAfter('60000'), undefined)
})

test.run()
