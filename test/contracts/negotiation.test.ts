/** The negotiation study: what each site earns, pays and owes, if one site accepts everything and one dies. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { runSetting, type Setting, SITES } from '../../scenarios/contracts/negotiation/setting.ts'
import { conclusionOf } from '../../scenarios/contracts/negotiation/study.ts'
import { runScenario } from '../bidding/command.ts'

const SETTING: Setting = { seed: 1, tasks: 60, load: 1.2, stale: 'honour', latency: units(20), detector: 'probes' }

test('clients pay the earnings of sites less penalties, and the site that accepts everything pays the most penalties', async () => {
  const { run, accounts, paid, reneged } = await runSetting(SETTING, { runtime: 'inline' })
  assert.equal(run.broken, [])
  const net = accounts.reduce((sum, { earned, penalties }) => sum + earned - penalties, 0)
  assert.ok(Math.abs(net - paid) < 1e-6, `${net}, paid ${paid}`)
  const penalties = accounts.map((one) => one.penalties)
  assert.is(penalties.indexOf(Math.max(...penalties)), SITES.indexOf('takes all'))
  assert.is(reneged, 0)
})

test('the site that dies owes claims, and the others do its tasks', async () => {
  const { run, accounts } = await runSetting({ ...SETTING, seed: 2, load: 2, latency: 0 }, { runtime: 'inline' })
  const [dead] = accounts.slice(SITES.indexOf('dies'))
  assert.ok(dead && dead.claims > 0 && dead.taken > 0)
  const lost = [...run.oracle.ledger.tasks.values()].filter(({ deals }) => deals.some(({ claim }) => claim !== null))
  assert.ok(lost.length > 0)
  for (const { task, site, paid } of lost) assert.ok(site !== null && site !== 's4' && paid !== null, `task ${task}`)
})

test('with renege sites turn down outdated awards, and fewer tasks are late', async () => {
  const honour = await runSetting(SETTING, { runtime: 'inline' })
  const renege = await runSetting({ ...SETTING, stale: 'renege' }, { runtime: 'inline' })
  assert.ok(renege.reneged > 0)
  assert.ok(renege.late < honour.late, `${renege.late}, ${honour.late}`)
})

test('accounts and messages are the same on threads', async () => {
  const setting: Setting = { ...SETTING, tasks: 24, stale: 'renege' }
  const [inline, threads] = [
    await runSetting(setting, { runtime: 'inline' }),
    await runSetting(setting, { runtime: 'threads' }),
  ]
  assert.equal(threads.accounts, inline.accounts)
  assert.is(threads.run.messages, inline.run.messages)
})

const CHOICES = ['turning down outdated awards', 'honouring them'] as const

test('a conclusion names a difference only if its interval excludes 0', () => {
  assert.is(
    conclusionOf({ mean: 14.61, halfWidth: 12.26 }, CHOICES),
    'turning down outdated awards brings 14.6 ± 12.3 points of the value offered more than honouring them',
  )
  assert.match(conclusionOf({ mean: -3, halfWidth: 2 }, CHOICES), /brings 3\.0 ± 2\.0 points .* less than/)
  assert.is(
    conclusionOf({ mean: -3, halfWidth: 3 }, CHOICES),
    'these seeds show no difference (turning down outdated awards brings 3.0 ± 3.0 points of the value offered less)',
  )
})

test('the command prints both tables, and writes and draws them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-negotiation-'))
  try {
    const written = ['--csv', join(folder, 'sites.csv'), '--markdown', join(folder, 'all.md'), '--svg', folder]
    const args = ['--tasks', '30', '--seeds', '2', '--latency', '0,10', '--json', '--quiet', ...written]
    const { code, stdout, stderr } = await runScenario('contracts/negotiation', args)
    assert.is(code, 0, stderr)
    const { results } = JSON.parse(stdout)
    assert.is(results.sites.rows.length, 2 * 2 * SITES.length)
    assert.is(results.price.rows.length, 2 * 2)
    assert.is(results.conclusions.length, 2)
    assert.is(readFileSync(join(folder, 'sites.csv'), 'utf8').trim().split('\r\n').length, 1 + 2 * 2 * SITES.length)
    assert.match(readFileSync(join(folder, 'all.md'), 'utf8'), /beyond honour/)
    assert.match(readFileSync(join(folder, 'negotiation.svg'), 'utf8'), /^<svg /)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
