import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFault } from '../../lib/faults/faults.ts'
import type { SystemOptions } from '../../lib/system.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { checksOf } from '../../scenarios/bidding/results.ts'
import { type Market, runMarket } from '../../scenarios/bidding/run.ts'

const clients = ['c1', 'c2']
const market = (tasks: number): Market => ({
  speeds: [4, 1, 1, 1, 1],
  clients,
  jobs: withClients(generateJobs({ seed: 7, tasks, load: 0.7, speeds: [4, 1, 1, 1, 1], errors: 'gen' }), clients, 7),
  ...{
    clash: 'hold',
    ties: 'random',
    wait: units(1),
    i0: 0.3,
    query: units(20),
    timeout: units(5),
    silence: units(60),
  },
})
const faults = ['kill @m1 at 200', 'restart @m1 at 260', 'stall client@c1 for 15 at 100', 'kill @m3 after 20 rfb'].map(
  (fault) => parseFault(fault),
)
const network = { latency: units(0.5), jitter: units(0.4), loss: 0, duplicate: 0 }

async function traceOf(options: Partial<SystemOptions>, tasks = 60): Promise<string> {
  const subject = market(tasks)
  const run = await runMarket(subject, { seed: 7, network, trace: true, memoryMB: 16, ...options }, faults)
  for (const { name, ok, measured } of checksOf(subject, run, false)) assert.ok(ok, `${name}: ${measured}`)
  return run.traceHash
}

test('one seed, one trace: five runs on threads and one inline, with kills, a stall and a counted fault', async () => {
  const inline = await traceOf({ runtime: 'inline' })
  for (let i = 0; i < 5; i++) assert.is(await traceOf({ runtime: 'threads' }), inline)
})

test('tracing changes nothing: the same tasks end on the same machines at the same times', async () => {
  const ends = async (trace: boolean) => {
    const { ledger } = await runMarket(market(60), { seed: 7, network, runtime: 'inline', trace, memoryMB: 16 }, faults)
    return [...ledger.endings.values()]
  }
  assert.equal(await ends(true), await ends(false))
})

test('the schedule is a variable: other numbers give other traces, and every promise holds in each', async () => {
  const traces = new Set<string>()
  for (const schedule of [1, 2, 3, 4, 5]) {
    const inline = await traceOf({ runtime: 'inline', schedule })
    assert.is(await traceOf({ runtime: 'threads', schedule }), inline)
    traces.add(inline)
  }
  assert.ok(traces.size >= 2, `${traces.size} different traces`)
})

test.run()
