/** Markets whose workstations are on three hosts, each a process of its own: they keep the same promises, and give a usable trace. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { machineOf, units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { headOf } from '../../lib/system/options.ts'
import type { System, SystemInit } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { readWorkload } from '../../lib/workload/file.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Market, termsOf } from '../../scenarios/bidding/model.ts'
import { checksOf } from '../../scenarios/bidding/oracle.ts'
import { HostProcesses, on } from './hosts.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else await testMarkets(program)

async function testMarkets(program: string): Promise<void> {
  const test = suite('markets on hosts')
  const hosts = new HostProcesses()
  let server: Server

  test.before(async () => {
    server = await startServer(program)
    hosts.start(server.url, 'h1', 'h2', 'h3')
    await hosts.ready()
  })
  test.after(async () => {
    await hosts.end()
    await server.remove()
  })

  const elsewhere = (): SystemInit => ({ time: 'real', memoryMB: 16, hosts: on(server.url, ['h1', 'h2', 'h3']) })

  const clients = ['c1', 'c2']
  const speeds = [4, 2, 1]
  const market: Market = {
    protocol: 'dsp',
    speeds,
    clients,
    jobs: withClients(generateJobs({ seed: 5, tasks: 40, load: 0.6, speeds, errors: 'perfect' }), clients, 5),
    terms: termsOf('dsp', 0, { wait: units(20), query: units(300), timeout: units(400) }),
  }

  test('every task is done once, and the trace of all hosts is read and replayed like that of one machine', async () => {
    const lines: Line[] = []
    const onSystem = (system: System): void => {
      lines.push(headOf(system.options))
      system.onLine((line) => lines.push(line))
    }
    const run = await biddingMarket.run(market, { ...elsewhere(), trace: true }, [], { onSystem })
    for (const { name, ok, measured } of checksOf(market, run, false)) assert.ok(ok, `${name}: ${measured}`)
    assert.is(run.oracle.ledger.endings.size, 40)
    assert.equal([run.end.ended, run.deadLetters.size], ['idle', 0])
    assert.is(
      lines.filter(({ t, from, to }) => t === 'send' && machineOf(String(from)) !== machineOf(String(to))).length,
      run.messages,
    )
    // each line follows the line of its cause
    const sent = new Set<unknown>()
    for (const { t, id, order } of lines) {
      if (t === 'send' || t === 'begin') sent.add(id)
      if (t === 'deliver') assert.ok(sent.has(id), `${String(id)} is delivered before it is sent`)
      if (t === 'computed') sent.add(order)
    }
    const replay = await Replay.open(traceOf(JSON.parse(JSON.stringify(lines))))
    const steps = [...replay]
    assert.is(steps.length, run.steps)
  })

  const EXAMPLES = [
    {
      name: 'awards that find the machine taken are held (g3)',
      protocol: 'dsp',
      workload: 'basic',
      terms: {},
      over: 1,
    },
    {
      name: 'a late bid wins by 0.612 against 0.6 (g4)',
      protocol: 'dsp',
      workload: 'late',
      terms: { i0: 0.6 },
      over: 1,
    },
    {
      name: 'or refused, and announced again (g3b)',
      protocol: 'dsp',
      workload: 'basic',
      terms: { clash: 'bump' },
      over: 1,
    },
    // a late end would be reported as a broken promise, so all tasks have long estimates
    {
      name: 'under eager a task is pushed back, asks again, and stays (g7)',
      protocol: 'eager',
      workload: 'stays',
      terms: {},
      over: 1.1,
    },
  ] as const

  const DELAY = units(5)

  /** The events of the tasks of an example, in order. */
  async function storyOf(example: (typeof EXAMPLES)[number], options: SystemInit): Promise<string[]> {
    const { protocol, workload, terms, over } = example
    const path = new URL(`../fixtures/bidding/${workload}.csv`, import.meta.url).pathname
    const jobs = readWorkload(path).jobs.map((job) => ({ ...job, estimate: Math.round(over * job.estimate) }))
    const market: Market = {
      protocol,
      speeds: [4, 1],
      clients: ['c1'],
      jobs: withClients(jobs, ['c1'], 1),
      // a little longer than bids take, since real hosts are slower than the stated latency
      terms: termsOf(protocol, DELAY, { ties: 'index', wait: units(12), ...terms }),
    }
    const story: string[] = []
    const onSystem = (system: System) =>
      system.onFact(({ type, task, contractor }) => {
        const isTold = ['awarded', 'bumped', 'replaced', 'moved', 'done'].includes(type)
        if (isTold) story.push([type, Number(task), contractor ?? ''].join(' '))
      })
    await biddingMarket.run(market, { ...options, network: { latency: DELAY, ...options.network } }, [], { onSystem })
    return story
  }

  const here: SystemInit = { runtime: 'inline', memoryMB: 16 }
  const expected = await Promise.all(EXAMPLES.map((example) => storyOf(example, here)))

  test('examples on hosts have the same events in the same order as inline', async () => {
    // a delay of three quarters of a unit (300 ms) does not change the order, as the next test shows
    const stories = await Promise.all(EXAMPLES.map((example) => storyOf(example, { ...elsewhere(), scale: 400 })))
    for (const [i, { name }] of EXAMPLES.entries()) {
      assert.ok(Number(expected[i]?.length) > 3)
      assert.equal(stories[i], expected[i], name)
    }
  })

  test('in these examples mail may be late by three quarters of a unit without a change of the order', async () => {
    for (const [i, example] of EXAMPLES.entries()) {
      for (let seed = 1; seed <= 20; seed++) {
        const late = await storyOf(example, { ...here, seed, network: { jitter: units(0.75) } })
        assert.equal(late, expected[i], `${example.name}, seed ${seed}`)
      }
    }
  })

  test.run()
}
