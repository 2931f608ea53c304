/** Markets whose workstations are on three hosts, each a process of its own: the same promises, and the same laboratory. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { machineOf, units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { headOf } from '../../lib/system/options.ts'
import type { GivenOptions, System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { readWorkload } from '../../lib/workload/file.ts'
import { generateJobs } from '../../lib/workload/generate.ts'
import { withClients } from '../../lib/workload/job.ts'
import { checksOf } from '../../scenarios/bidding/results.ts'
import { type Market, runMarket, termsOf } from '../../scenarios/bidding/run.ts'
import { HostProcesses, on } from './hosts.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testMarkets(program)

function testMarkets(program: string): void {
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

  const elsewhere = (): GivenOptions => ({ time: 'real', memoryMB: 16, hosts: on(server.url, ['h1', 'h2', 'h3']) })

  const clients = ['c1', 'c2']
  const speeds = [4, 2, 1]
  const market: Market = {
    ...{ protocol: 'dsp', speeds, clients },
    jobs: withClients(generateJobs({ seed: 5, tasks: 40, load: 0.6, speeds, errors: 'perfect' }), clients, 5),
    terms: termsOf('dsp', 0, { wait: units(20), query: units(300), timeout: units(400) }),
  }

  test('every task is done once; the trace of all hosts is read and replayed as that of one machine', async () => {
    const lines: Line[] = []
    const onSystem = (system: System): void => {
      lines.push(headOf(system.options))
      system.onLine((line) => lines.push(line))
    }
    const run = await runMarket(market, { ...elsewhere(), trace: true }, [], { onSystem })
    for (const { name, ok, measured } of checksOf(market, run, false)) assert.ok(ok, `${name}: ${measured}`)
    assert.is(run.ledger.endings.size, 40)
    assert.equal([run.end.ended, run.deadLetters.size], ['idle', 0])
    assert.is(
      lines.filter(({ t, from, to }) => t === 'send' && machineOf(String(from)) !== machineOf(String(to))).length,
      run.messages,
    )
    // each line behind that of what it comes of
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
    // an end that is a little late is a promise broken, and told of: so all are thought to take longer
    {
      name: 'under eager a task is pushed back, asks again, and stays (g7)',
      protocol: 'eager',
      workload: 'stays',
      terms: {},
      over: 1.1,
    },
  ] as const

  for (const { name, protocol, workload, terms, over } of EXAMPLES) {
    test(`${name}: the same happens in the same order`, async () => {
      const delay = units(5)
      const path = new URL(`../fixtures/bidding/${workload}.csv`, import.meta.url).pathname
      const jobs = readWorkload(path).jobs.map((job) => ({ ...job, estimate: Math.round(over * job.estimate) }))
      const example: Market = {
        ...{ protocol, speeds: [4, 1], clients: ['c1'] },
        jobs: withClients(jobs, ['c1'], 1),
        // a little longer than bids take, since here that is more than the latency says
        terms: termsOf(protocol, delay, { ties: 'index', wait: units(12), ...terms }),
      }
      const storyOf = async (options: GivenOptions): Promise<string[]> => {
        const story: string[] = []
        const onSystem = (system: System) =>
          system.onFact(({ type, task, contractor }) => {
            const isTold = ['awarded', 'bumped', 'replaced', 'moved', 'done'].includes(type)
            if (isTold) story.push([type, Number(task), contractor ?? ''].join(' '))
          })
        await runMarket(example, { ...options, network: { latency: delay } }, [], { onSystem })
        return story
      }
      const expected = await storyOf({ runtime: 'inline', memoryMB: 16 })
      assert.ok(expected.length > 3)
      // a message takes 200 ms, hundreds of times what NATS takes
      assert.equal(await storyOf({ ...elsewhere(), scale: 40 }), expected)
    })
  }

  test.run()
}
