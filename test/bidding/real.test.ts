import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, termsOf } from '../../scenarios/bidding/model.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'

const clients = ['c1', 'c2']
const speeds = [4, 2, 1]
const market: Market = {
  protocol: 'dsp',
  speeds,
  clients,
  jobs: withClients(generateJobs({ seed: 5, tasks: 120, load: 0.6, speeds, errors: 'perfect' }), clients, 5),
  terms: termsOf('dsp', 0, { wait: units(2), query: units(30), timeout: units(40) }),
}

test('in real time every task is done once, though a machine dies and comes back, and no fact overtakes its cause', async () => {
  const faults = ['kill @m1 at 200', 'restart @m1 at 300'].map((fault) => parseFault(fault))
  const run = await biddingMarket.run(market, { time: 'real', scale: 1, memoryMB: 16 }, faults)
  for (const { name, ok, measured } of checksOf(market, run, false)) assert.ok(ok, `${name}: ${measured}`)
  assert.is(run.oracle.ledger.endings.size, 120)
})

for (const runtime of ['threads', 'inline'] as const) {
  test(`a machine that is restarted during a task starts from scratch, and breaks no promise (${runtime})`, async () => {
    const faults = ['restart @m1 at 100', 'restart processor@m2 at 150', 'restart contractor@m3 at 200'].map((fault) =>
      parseFault(fault),
    )
    const run = await biddingMarket.run(market, { runtime, memoryMB: 16 }, faults)
    for (const { name, ok, measured } of checksOf(market, run, false)) assert.ok(ok, `${name}: ${measured}`)
  })
}

test.run()
