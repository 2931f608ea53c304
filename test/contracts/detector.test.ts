/** The detector study: clients that find the death of a site out by probes, and clients that know it at once. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { runSetting, type Setting } from '../../scenarios/contracts/negotiation/setting.ts'
import { runScenario } from '../bidding/command.ts'

const SETTING: Setting = { seed: 2, tasks: 60, load: 2, stale: 'honour', latency: 0, detector: 'probes' }

test('a perfect detector gives up the contracts of a dead site at once and sends no query, probes need up to two patiences', async () => {
  const [probes, perfect] = [
    await runSetting(SETTING, { runtime: 'inline' }),
    await runSetting({ ...SETTING, detector: 'perfect' }, { runtime: 'inline' }),
  ]
  assert.equal([probes.run.broken, perfect.run.broken], [[], []])
  assert.ok(perfect.givenUpAfter.length > 0)
  assert.ok(perfect.givenUpAfter.every((after) => after === 0))
  const patience = 10
  assert.ok(probes.givenUpAfter.length > 0)
  assert.ok(
    probes.givenUpAfter.every((after) => after > 0 && after <= 2 * patience),
    `${probes.givenUpAfter}`,
  )
  assert.equal([perfect.queries, probes.queries > 0], [0, true])
})

test('a run with a perfect detector is the same on threads and inline', async () => {
  const setting: Setting = { ...SETTING, tasks: 24, latency: units(5), detector: 'perfect' }
  const hashes = new Set<string>()
  for (const runtime of ['inline', 'threads'] as const) {
    hashes.add((await runSetting(setting, { runtime, trace: true })).run.traceHash)
  }
  assert.is(hashes.size, 1)
})

test('a client that restarts watches its sites again', async () => {
  const faults = ['--fault', 'restart client@c1 at 150', '--fault', 'kill site@s2 at 300']
  const market = ['--sites', '2', '--processors', '2', '--tasks', '30', '--load', '1.5']
  const args = [...market, ...faults, '--detector', 'perfect', '--runtime', 'inline', '--json', '--quiet']
  const { code, stdout, stderr } = await runScenario('contracts/run', args)
  assert.is(code, 0, stderr)
  assert.ok(JSON.parse(stdout).results.lost > 0, stdout)
})

test('the command compares both detectors at each latency', async () => {
  const args = ['--tasks', '30', '--seeds', '2', '--latency', '0,10', '--json', '--quiet']
  const { code, stdout, stderr } = await runScenario('contracts/detector', args)
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.is(results.detectors.rows.length, 2 * 2)
  assert.is(results.conclusions.length, 2)
})

test.run()
