/** Some of the fault plans; `npm run soak` runs 300 of each kind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/core/time.ts'
import { planSeed } from '../../lib/scenario/fault-plans.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { planOf } from '../../scenarios/bidding/fault-plans.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { PROTOCOLS, termsOf } from '../../scenarios/bidding/model.ts'
import { brokenBy } from '../broken-plans.ts'

const plans = biddingMarket.faultPlans()
const { kinds, violationsOf, broken } = plans

test('every task of a living client is done exactly once, under deaths, pauses, partitions and losses', async () => {
  assert.equal(await brokenBy(plans, 'inline', 5), [])
})

test('a machine whose processor and client are dead comes to rest, even with an overdue task', async () => {
  const speeds = [1, 3, 1]
  const clients = ['c1']
  const jobs = generateJobs({ seed: 258, tasks: 20, load: 0.6, speeds, errors: 'gen' })
  const single = withClients(jobs, clients, 258).map((job, i) => (i % 3 === 0 ? { ...job, restartable: false } : job))
  const latency = units(3)
  const terms = termsOf('eager', latency, { i0: 0.5, query: units(10), timeout: units(109), silence: null })
  const faults = [
    'partition c1 | m1,m2,m3 at 62.9 until 109.1',
    'kill client@c1 at 171.4',
    'kill processor@m3 at 205.6',
    'partition m1 | m2,m3,c1 at 234 until 276.3',
  ].map((line) => parseFault(line))
  const market = { protocol: 'eager', speeds, clients, jobs: single, terms } as const
  const network = { latency, jitter: 0, loss: 0.2, duplicate: 0.1 }
  assert.equal(
    await violationsOf({ model: market, faults, options: { seed: 258, network, reliable: true, memoryMB: 16 } }),
    [],
  )
})

test('a paused contractor learns late of a restart of its processor, and does not stop the task of the new one', async () => {
  const faults = ['pause contractor@m1 for 30 at 20', 'restart processor@m1 at 45'].map((line) => parseFault(line))
  const latency = units(8)
  const job = { id: 't1', arrival: 0, work: units(100), estimate: units(100), client: 'c1' }
  for (const protocol of PROTOCOLS) {
    const terms = termsOf(protocol, latency, { query: units(10), timeout: units(100) })
    const market = { protocol, speeds: [1], clients: ['c1'], jobs: [job], terms }
    const options = { seed: 1, runtime: 'inline', network: { latency }, memoryMB: 16 } as const
    assert.equal(await violationsOf({ model: market, faults, options }), [])
    assert.is((await biddingMarket.run(market, options, faults)).oracle.ledger.restarts, 0)
  }
})

test('a slow machine that is left alone completes the tasks of a fast one', async () => {
  assert.equal((await broken('random kills', { seed: 570540566, n: 240 }, 'inline')).violations, [])
})

test('a task that its client gives up for ever is excused only if messages are lost for good', async () => {
  const plan = planOf('eager', 'loss', planSeed({ seed: 570540566, n: 27 }))
  const short = { ...plan, options: { ...plan.options, rounds: 100_000 } }
  assert.equal(await violationsOf(short), [])
  const reliable = { ...short, options: { ...short.options, reliable: true, rounds: 500 } }
  assert.match((await violationsOf(reliable)).join('; '), /tasks of living clients that never finished: \d/)
})

test('the plans break no promise on threads, either', async () => {
  // each kind of fault under one of the protocols in turn; `npm run soak` runs all of them on threads
  const some = kinds.filter((_, i) => i % PROTOCOLS.length === Math.floor(i / PROTOCOLS.length) % PROTOCOLS.length)
  for (const protocol of PROTOCOLS) assert.ok(some.some((kind) => kind.startsWith(protocol)))
  assert.is(new Set(some.map((kind) => kind.split(' ')[1])).size, kinds.length / PROTOCOLS.length)
  assert.equal(await brokenBy(plans, 'threads', 1, some), [])
})

test.run()
