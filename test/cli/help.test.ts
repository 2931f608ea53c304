/** What `--help` says about running a command without flags, and where it lists the flags of the families. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AnyFlags } from '../../lib/scenario/flags.ts'
import { FAMILIES } from '../../scenarios/families.ts'
import { runScenario } from '../bidding/command.ts'

for (const [name, says] of [
  ['host', 'Needs --nats URL'],
  ['shares/converged', 'Without flags: some rows'],
  ['shares/frontier', 'Without flags: 27 points'],
  ['shares/waiting', 'Without flags: all ways of waiting'],
] as const) {
  test(`the help of ${name} does not promise everything without flags`, async () => {
    const { stdout } = await runScenario(name, ['--help'])
    assert.match(stdout, says)
    assert.not.match(stdout, 'Without flags: everything')
  })
}

for (const name of ['run', 'explore', 'faults', 'races']) {
  test(`the help of ${name} without a scenario lists its own flags, and how to see those of a scenario`, async () => {
    const { code, stdout, stderr } = await runScenario(`lab/${name}`, ['--help'])
    assert.equal([code, stderr], [0, ''])
    assert.match(stdout, new RegExp(`lab/${name}.ts SCENARIO --help. lists`))
    assert.not.match(stdout, '--speeds')
    const market = await runScenario(`lab/${name}`, ['bidding/market', '--help'])
    if (name !== 'faults') assert.match(market.stdout, '--speeds') // the plans of a market choose its flags
  })
}

const GROUPS = {
  workload: ['jobs', 'onlyTasks', 'onlyJobs', 'clients', 'user', 'currency', 'tickets'],
  protocol: ['policy', 'period', 'quantum', 'patience', 'independent', 'credit', 'catchUp', 'preempt'],
  output: ['svg', 'timeline'],
  none: ['mesh', 'machines', 'sites', 'processors'],
} as const

const scenarios = FAMILIES.flatMap((family) => Object.entries(family.scenarios))

for (const [name, { flags }] of scenarios) {
  test(`${name} lists flags in the groups in which the other families list them`, () => {
    const all: AnyFlags = flags
    for (const [group, keys] of Object.entries(GROUPS))
      for (const key of keys) if (all[key]) assert.is(all[key].group ?? 'none', group, key)
  })
}

test.run()
