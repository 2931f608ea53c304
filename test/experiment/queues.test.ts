import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exponential, hyperexponential, keyedDraws, type Uniform } from '../../lib/core/random.ts'
import { toUnits, units } from '../../lib/core/time.ts'
import { sptByEstimate } from '../../lib/experiment/closed-forms.ts'
import { tInterval } from '../../lib/experiment/interval.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import type { Job } from '../../lib/workload/job.ts'
import { flowsInMarket } from '../validation/market.ts'
import { kieferWolfowitz, sptFlows } from './queues.ts'

const test = suite('queues and markets')

const JOBS = 400
const inOrder = (values: readonly number[]): Uniform => {
  let i = 0
  return () => values[i++] ?? 0
}

/** Jobs of unknown length, which a market serves in order of arrival, and a queue of the same jobs. */
async function bothFlows(machines: number, work: (u: number) => number, load: number) {
  const [gap, size] = [keyedDraws(5, 'gap', 1), keyedDraws(5, 'size', 1)]
  let arrival = 0
  const jobs: Job[] = Array.from({ length: JOBS }, (_, i) => {
    arrival += units(exponential(gap(), 60 / (load * machines)))
    return { id: `t${i}`, arrival, work: units(work(size())), estimate: units(60) }
  })
  const inMarket = await flowsInMarket(jobs, new Array<number>(machines).fill(1), 1)
  // the recursion takes a service and then the gap to the next arrival; here both come from the jobs
  const times = jobs.flatMap((job, i) => [job.work, (jobs[i + 1]?.arrival ?? job.arrival) - job.arrival])
  const nextWait = kieferWolfowitz(
    inOrder(times),
    machines,
    (time) => time,
    (time) => time,
  )
  return { inMarket, inQueue: jobs.map((job) => toUnits(nextWait() + job.work)) }
}

for (const [name, machines, work, load] of [
  ['M/M/1', 1, (u: number) => exponential(u, 60), 0.8],
  ['M/M/4', 4, (u: number) => exponential(u, 60), 0.8],
  ['M/G/1', 1, (u: number) => hyperexponential(u, 60), 0.6],
] as const)
  test(`a market of equal machines and tasks of unknown length equals ${name}, job by job`, async () => {
    const { inMarket, inQueue } = await bothFlows(machines, work, load)
    assert.is(inMarket.length, JOBS)
    assert.equal(inMarket, inQueue)
    assert.ok(inMarket.some((flow, i) => i > 0 && flow > 120))
  })

for (const errors of ['perfect', 'mult'] as const)
  test(`a market of one machine takes the shortest estimate first, job by job (${errors})`, async () => {
    const jobs = generateJobs({ seed: 2, tasks: JOBS, load: 0.8, speeds: [1], errors })
    const inMarket = await flowsInMarket(jobs, [1], 2)
    assert.equal(inMarket, sptFlows(jobs))
    assert.not.equal(inMarket, sptFlows(jobs.map((job, i) => ({ ...job, estimate: i }))))
  })

test('a market of one machine has the exact mean time of shortest estimate first, not that of first come, first served', async () => {
  const means: number[] = []
  for (let r = 0; r < 10; r++) {
    const seed = replicationSeed(1, r)
    const jobs = generateJobs({ seed, tasks: 500, load: 0.7, speeds: [1], errors: 'perfect' })
    const flows = (await flowsInMarket(jobs, [1], seed)).slice(100)
    means.push(flows.reduce((sum, flow) => sum + flow, 0) / flows.length)
  }
  const { mean, halfWidth } = tInterval(means)
  assert.ok(halfWidth !== null && Math.abs(mean - sptByEstimate(0.7, 'perfect')) <= halfWidth, `${mean} ± ${halfWidth}`)
  // first come, first served: 60 / (1 - 0.7)
  assert.ok(mean + (halfWidth ?? 0) < 200, `${mean} ± ${halfWidth}`)
})

test.run()
