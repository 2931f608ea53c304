/** Every family on three hosts, each a process of its own. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { runScenario } from '../../lib/scenario/run-scenario.ts'
import { rehearse } from '../../lib/scenario/specification.ts'
import type { SystemInit } from '../../lib/system.ts'
import { type EconomyRun, economyRun } from '../../scenarios/economy/run.ts'
import { FAMILIES } from '../../scenarios/families.ts'
import { clusterOf, networkOf } from '../../scenarios/shares/coscheduling/model.ts'
import { coscheduling } from '../../scenarios/shares/coscheduling.ts'
import { DEFAULTS } from '../../scenarios/shares/paper/parameters.ts'
import { economyOf } from '../economy/golden/economy.ts'
import { VECTORS } from '../economy/golden/vectors.ts'
import { lineOf, specificationOf } from '../lab/examples.ts'
import { HostProcesses, on } from './hosts.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testFamilies(program)

function testFamilies(program: string): void {
  const test = suite('families on hosts')
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

  const elsewhere = (scale: number): SystemInit => ({
    time: 'real',
    scale,
    memoryMB: 16,
    hosts: on(server.url, ['h1', 'h2', 'h3']),
  })

  test('parallel jobs coschedule themselves, and ticket servers exchange the tickets of users', async () => {
    const parameters = { ...DEFAULTS, nodes: 3, granularity: 100 }
    const mix = { parameters, tickets: [1, 2], scheduler: 'implicit', servers: true, membership: null } as const
    const span = { warmUp: units(500), measure: units(2500) }
    const options = { ...elsewhere(1), network: networkOf(parameters) }
    const run = await coscheduling.run(clusterOf(mix, span, 1), options)
    const { rates, refusals } = run.oracle
    assert.equal([run.broken, run.crashes, refusals], [[], [], []])
    assert.is(rates.length, 2)
    for (const rate of rates) assert.ok(rate > 0, `barriers passed: ${rates.join(', ')}`)
    assert.ok(run.messages > 0)
  })

  /** The order of the starts of jobs, with their kinds, and the order of their ends. */
  const orderOf = ({ oracle: { ledger } }: EconomyRun): string => {
    const jobs = [...ledger.jobs]
    const starts = jobs.map(([job, { started }]) => ({ at: started?.at ?? -1, what: `${job} ${started?.kind}` }))
    const ends = jobs.map(([job, { end }]) => ({ at: end?.at ?? -1, what: `${job}` }))
    const listed = (all: typeof starts) => [...all].sort((a, b) => a.at - b.at).map(({ what }) => what)
    return [...listed(starts), 'then', ...listed(ends)].join(', ')
  }

  // only vectors with one user: real time does not fix the order of what several users do at one instant
  for (const [name, policy] of [
    ['G3', 'FCFS'],
    ['G4', 'FCFS'],
    ['G10', 'ECON/paper'],
    ['G10', 'ECON/literal'],
  ] as const) {
    test(`${name} ${policy}: jobs start and end in the expected order`, async () => {
      const vector = VECTORS.find((one) => one.name === name)
      assert.ok(vector)
      const expected = await economyRun.run(economyOf(vector, policy), { runtime: 'inline', memoryMB: 16 })
      const run = await economyRun.run(economyOf(vector, policy), elsewhere(100))
      assert.equal([run.broken, run.crashes, run.deadLetters.size], [[], [], 0])
      assert.is(orderOf(run), orderOf(expected))
    })
  }

  for (const { name, scenarios } of FAMILIES) {
    const [example = ''] = Object.keys(scenarios)
    test(`${name} keeps its promises on hosts`, async () => {
      const specification = specificationOf(example, lineOf(example))
      const { options, until } = specification
      const { length } = await rehearse(specification)
      const run = await runScenario({
        options: { ...options, ...elsewhere(5), actors: length },
        faults: [],
        until,
        open: (system) => specification.open(system),
      })
      assert.equal(run.oracle.violations(run), [])
      assert.equal([run.crashes, run.deadLetters.size], [[], 0])
      assert.ok(run.messages > 0)
    })
  }

  test.run()
}
