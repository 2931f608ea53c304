/** Reliable delivery makes up for queries as long as nobody dies. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFault } from '../../lib/scenario/faults.ts'
import { planOf } from '../../scenarios/bidding/faults/plans.ts'
import { PROTOCOLS, type Protocol } from '../../scenarios/bidding/model.ts'
import { runMarket } from '../../scenarios/bidding/one-run.ts'
import { checksOf } from '../../scenarios/bidding/results.ts'

const CUTS = ['cut m1,m2 | c1,c2 at 20 until 90', 'cut m2 | c1 at 120 until 180'].map((fault) => parseFault(fault))

/** What plans of a network that loses 20 % and doubles 10 % break, if clients never ask after their tasks. */
async function broken(protocol: Protocol, count: number, reliable: boolean): Promise<string[]> {
  const violations: string[] = []
  for (let n = 0; n < count; n++) {
    const { market, options } = planOf(protocol, 'reliable', n)
    const clients = ['c1', 'c2']
    const terms = { ...market.terms, query: null, timeout: null, silence: null }
    const subject = { ...market, clients, terms }
    const run = await runMarket(subject, { ...options, reliable, runtime: 'inline' }, CUTS)
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

test('without it the same network takes some: these tests can fail', async () => {
  assert.ok((await broken('dsp', 5, false)).length > 0)
})

test.run()
