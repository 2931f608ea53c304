/** The bare loops of the benchmarks give the same results as the actors and as known recursions: they do the same work. */
import { mean } from 'simple-statistics'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toUnits } from '../../lib/core/time.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { termsOf } from '../../scenarios/bidding/model.ts'
import { flowsOf } from '../../scenarios/bidding/results.ts'
import { kieferWolfowitz, take } from '../experiment/queues.ts'
import { meanFlow, meanWait } from './loops.ts'

const JOBS = 400
const speeds = [4, 1, 1, 1, 1]
const jobs = generateJobs({ seed: 3, tasks: JOBS, load: 0.8, speeds, errors: 'perfect' })

test('one queue before several servers equals the recursion of Kiefer and Wolfowitz', () => {
  const gaps = jobs.map(({ arrival }, i) => (jobs[i + 1]?.arrival ?? arrival) - arrival)
  const numbers = jobs.flatMap(({ work }, i) => [work, gaps[i] ?? 0]).values()
  const next = () => numbers.next().value ?? 0
  const asIs = (value: number) => value
  const waits = take(JOBS, kieferWolfowitz(next, 8, asIs, asIs))
  assert.ok(mean(waits) > 0)
  assert.is(meanWait(jobs, 8), mean(waits))
})

test('the shortest task to the fastest free machine equals the DSP market without delays', async () => {
  const market = { protocol: 'dsp', speeds, clients: ['c1'], jobs: withClients(jobs, ['c1'], 1) } as const
  const {
    oracle: { ledger },
  } = await biddingMarket.run({ ...market, terms: termsOf('dsp', 0, { ties: 'index' }) }, { runtime: 'inline' })
  assert.is(toUnits(Math.round(meanFlow(jobs, speeds))), Number(mean(flowsOf(ledger)).toFixed(6)))
})

test.run()
