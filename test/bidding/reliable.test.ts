/** Reliable delivery replaces queries as long as no actor dies. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFault } from '../../lib/scenario/faults.ts'
import { planOf } from '../../scenarios/bidding/fault-plans.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { PROTOCOLS, type Protocol } from '../../scenarios/bidding/model.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'

const PARTITIONS = ['partition m1,m2 | c1,c2 at 20 until 90', 'partition m2 | c1 at 120 until 180'].map((fault) =>
  parseFault(fault),
)

/** The violations of plans on a network that loses 20 % and duplicates 10 %, if clients never query their tasks. */
async function broken(protocol: Protocol, count: number, reliable: boolean): Promise<string[]> {
  const violations: string[] = []
  for (let n = 0; n < count; n++) {
    const { model: market, options } = planOf(protocol, 'reliable', n)
    const clients = ['c1', 'c2']
    const terms = { ...market.terms, query: null, timeout: null, silence: null }
    const subject = { ...market, clients, terms }
    const run = await biddingMarket.run(subject, { ...options, reliable, runtime: 'inline' }, PARTITIONS)
    for (const { name, ok, measured } of checksOf(subject, run, false)) {
      if (!ok) violations.push(`${protocol}, plan ${n}: ${name}: ${measured}`)
    }
  }
  return violations
}

for (const protocol of PROTOCOLS) {
  test(`${protocol}: clients without status queries lose no task to the network or to partitions that end`, async () => {
    assert.equal(await broken(protocol, 10, true), [])
  })
}

test('without reliable delivery the same network loses tasks, so these tests can fail', async () => {
  assert.ok((await broken('dsp', 5, false)).length > 0)
})

test.run()
