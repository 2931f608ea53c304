import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import type { SystemOptions } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, PROTOCOLS, type Protocol, termsOf } from '../../scenarios/bidding/model.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'
import { repeats, sampled } from '../repeats.ts'

const clients = ['c1', 'c2']
/** So many that every fault strikes. */
const TASKS = repeats(80)
const market = (tasks: number, protocol: Protocol): Market => ({
  protocol,
  speeds: [4, 1, 1, 1, 1],
  clients,
  jobs: withClients(generateJobs({ seed: 7, tasks, load: 0.7, speeds: [4, 1, 1, 1, 1], errors: 'gen' }), clients, 7),
  terms: termsOf(protocol, units(0.5), { i0: 0.3, query: units(20), timeout: units(5), silence: units(60) }),
})
const faults = [
  ...['kill @m1 at 200', 'restart @m1 at 260', 'pause client@c1 for 15 at 100', 'kill @m3 after 20 rfb'],
  'restart contractor@m4 when contractor@m2 enters busy',
].map((fault) => parseFault(fault))
const network = { latency: units(0.5), jitter: units(0.4), loss: 0, duplicate: 0 }

async function traceOf(protocol: Protocol, options: Partial<SystemOptions>): Promise<string> {
  const subject = market(TASKS, protocol)
  const run = await biddingMarket.run(subject, { seed: 7, network, trace: true, memoryMB: 16, ...options }, faults)
  assert.equal(run.missed, [])
  for (const { name, ok, measured } of checksOf(subject, run, false)) assert.ok(ok, `${name}: ${measured}`)
  return run.traceHash
}

/** The protocols that run on threads too, also with both engines together and under other schedules. */
const ON_THREADS = sampled(PROTOCOLS)

for (const protocol of PROTOCOLS) {
  test(`${protocol}: one seed, one trace: on threads and inline, and on all engines, with kills, a pause, and faults that wait for a count and a state`, async () => {
    const inline = await traceOf(protocol, { runtime: 'inline' })
    assert.is(await traceOf(protocol, { runtime: 'inline', engine: 'xstate' }), inline)
    if (ON_THREADS.includes(protocol)) {
      assert.is(await traceOf(protocol, { runtime: 'threads' }), inline)
      assert.is(await traceOf(protocol, { runtime: 'threads', engine: 'shadow' }), inline)
    }
  })

  test(`${protocol}: the schedule is a variable: other numbers give other traces, and every promise holds`, async () => {
    const traces = new Set<string>()
    for (const schedule of [1, 2, 3]) {
      const inline = await traceOf(protocol, { runtime: 'inline', schedule })
      if (ON_THREADS.includes(protocol) && schedule <= repeats(3)) {
        assert.is(await traceOf(protocol, { runtime: 'threads', schedule }), inline)
      }
      traces.add(inline)
    }
    assert.ok(traces.size >= 2, `${traces.size} different traces`)
  })
}

test('tracing does not change a run: the same tasks end on the same machines at the same times', async () => {
  const ends = async (trace: boolean) => {
    const options = { seed: 7, network, runtime: 'inline', trace, memoryMB: 16 } as const
    const {
      oracle: { ledger },
    } = await biddingMarket.run(market(TASKS, 'dsp'), options, faults)
    return [...ledger.endings.values()]
  }
  assert.equal(await ends(true), await ends(false))
})

test.run()
