/**
 * Tasks that are calls: their results and errors, the estimates that clients learn from them, and how they are stopped.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClientFact } from '../../actors/bidding/messages.ts'
import type { Work } from '../../actors/processor/messages.ts'
import { type Message, type Plain, units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, type MarketTask, PROTOCOLS, termsOf } from '../../scenarios/bidding/model.ts'
import { isClientFact } from '../../scenarios/bidding/oracle/ledger.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'
import { resultsOf } from '../../scenarios/bidding/results.ts'
import { fixture, openHandles, spawnPuppets, until } from '../system/harness.ts'

const CALLS = new URL('../fixtures/modules/calls.ts', import.meta.url).href
const call = (name: string, ...args: readonly Plain[]): Work => ({ module: CALLS, export: name, args })
const task = (work: Work, more: Partial<MarketTask> = {}): MarketTask => {
  return { id: 'x', client: 'c1', arrival: 0, estimate: units(50), work, ...more }
}
const SMALL = { memoryMB: 16, actors: 15 } as const
const REAL = { ...SMALL, time: 'real', scale: 1 } as const

/**
 * The terms of a market in real time, where bids take some milliseconds to arrive. However slow the computer is, no
 * contractor gives back its promise, so that an eager client moves no task, which its holder may just have started.
 */
const marketOf = (protocol: Market['protocol'], jobs: readonly MarketTask[], terms = {}): Market => ({
  protocol,
  jobs,
  speeds: [1, 2],
  clients: ['c1'],
  terms: termsOf(protocol, 0, {
    wait: units(5),
    retry: protocol === 'dsp' ? null : units(25),
    tolerance: units(1_000_000),
    ...terms,
  }),
})

async function factsOf(market: Market, options = {}) {
  const client: ClientFact[] = []
  const all: Message[] = []
  const run = await biddingMarket.run(market, { ...REAL, ...options }, [], {
    onSystem: (system) =>
      system.onFact((fact, { who }) => {
        all.push(fact)
        if (isClientFact(fact, who)) client.push(fact)
      }),
  })
  assert.is(run.end.ended, 'idle')
  assert.equal(run.crashes, [])
  return { client, all, run }
}

for (const protocol of PROTOCOLS) {
  test(`${protocol}: the results of calls reach their client, and what one throws ends its task for good`, async () => {
    const market = marketOf(protocol, [task(call('add', 1, 2)), task(call('refuses', 5)), task(call('later', 3))])
    const { client, all, run } = await factsOf(market)
    const results = client.flatMap((fact) => (fact.type === 'done' ? [[fact.task, fact.result] as const] : []))
    assert.equal(
      new Map(results),
      new Map<number, Plain>([
        [0, 3],
        [2, { n: 3 }],
      ]),
    )
    const ended = client.filter(({ type }) => type === 'ended')
    assert.is(ended.length, 1)
    assert.match(JSON.stringify(ended), /"task":1.*"threw".*"name":"Refusal","message":"no deal at 5"/)
    const about = all.filter((fact) => fact['task'] === 1)
    assert.is(about.at(-1)?.type, 'ended')
    assert.is(about.filter(({ type }) => type === 'started').length, 1)
    assert.ok(checksOf(market, run, false).every(({ ok }) => ok))
    assert.is(resultsOf(market, run).ended, 1)
  })
}

test('a client estimates a call by the earlier calls of its function that did not throw', async () => {
  const contractor = fixture('contractor.ts')
  const dsp = new URL('../../actors/bidding/dsp/client.ts', import.meta.url)
  const works = [call('add'), call('add'), call('add'), call('add'), call('later'), units(8)]
  const jobs = works.map((work, i) => task(work, { arrival: units(i) }))
  const market: Market = { ...marketOf('dsp', jobs, { wait: 0 }), protocol: { client: dsp, contractor }, speeds: [1] }
  const { all } = await factsOf(market, { time: 'virtual', runtime: 'inline' })
  const asked = all.filter(({ type }) => type === 'asked').map(({ estimate }) => Number(estimate) / units(1))
  assert.equal(asked, [50, 10, 15, 15, 50, 50])
})

test('a call that runs for too long is cut off, and its thread is gone', async () => {
  const system = new System(REAL) // loads the modules that are loaded only once
  await spawnPuppets(system, 'a@m1')
  await system.stop()
  const before = openHandles()
  const endless = task(call('neverEnds'), { estimate: units(20) })
  const short = task(call('add', 1, 2), { estimate: units(100_000) })
  const { client, run } = await factsOf(marketOf('dsp', [endless, short], { cutoff: 1 }))
  assert.equal(
    client.flatMap((fact) => (fact.type === 'ended' ? [[fact.task, fact.reason]] : [])),
    [[0, 'cut off']],
  )
  assert.equal([...run.oracle.ledger.ended.keys()], [0])
  await until(() => openHandles() === before)
})

test.run()
