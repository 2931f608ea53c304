/** Commands with --report that run as processes. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ShownGrid } from '../../lib/report/types.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'bourse-reports-'))

async function reportOf(scenario: string, ...args: readonly string[]) {
  const page = join(folder, 'page.html')
  const command = ['--import', 'tsx', join(root, 'scenarios', `${scenario}.ts`), ...args, '--quiet', '--report', page]
  await promisify(execFile)(process.execPath, command, { cwd: root })
  const [, json = ''] = /id="report">(.*?)<\/script>/s.exec(readFileSync(page, 'utf8')) ?? []
  return JSON.parse(json)
}

test('the page of a run has its actors, bars and machines, and its trace makes the same page', async () => {
  const trace = join(folder, 'run.jsonl')
  const flags = ['--tasks', '5', '--speeds', '2,1', '--runtime', 'inline', '--trace', trace]
  const { scenario, checks, runs, options } = await reportOf('bidding/market', ...flags)
  assert.is(scenario, 'bidding/market')
  assert.ok(checks.length > 2 && checks.every(({ ok }: { ok: boolean }) => ok))
  assert.equal(options[0], ['--seed', '1'])
  const [run] = runs
  assert.equal(run.rows, ['m1', 'm2'])
  assert.is(run.bars.row.length, 5)
  assert.is(run.machines.length, 3)
  const again = await reportOf('lab/trace', 'summary', trace)
  assert.equal({ ...again.runs[0], name: '' }, run)
})

test('the page of a comparison has all runs, named by their differences', async () => {
  const { runs, text } = await reportOf('mesh/run')
  assert.equal(
    runs.map(({ name }: { name: string }) => name),
    ['policy equi', 'policy fold'],
  )
  assert.match(text, 'Five jobs arrive')
  assert.ok(
    runs.every(({ grid }: { grid: ShownGrid }) => grid.name === 'mesh' && grid.rows === 8 && grid.columns === 8),
  )
})

test('the page of a calculation has its tables and charts', async () => {
  const { runs, tables, charts } = await reportOf('mesh/efficiency')
  assert.equal(runs, [])
  assert.ok(tables.length > 2 && tables[0].rows.length > 2)
  assert.ok(charts.length > 0 && charts.every(({ svg }: { svg: string }) => svg.startsWith('<svg')))
})

test('the page of a race has both orders, each at its first event', async () => {
  const args = ['--tasks', '4', '--speeds', '1,1', '--latency', '1', '--tries', '1']
  const { runs } = await reportOf('lab/races', ...args)
  assert.is(runs.length, 2)
  assert.match(runs[0].name, /^As recorded: /)
  assert.match(runs[1].name, /^Race \d+, the other order: /)
  assert.ok(runs.every(({ focus }: { focus: number }) => focus > 0))
})

test('a result file takes only one result', async () => {
  const same = reportOf('bidding/market', '--tasks', '2', '--trace', join(folder, 'page.html'))
  await same.then(
    () => assert.unreachable(),
    (error) => assert.match(String(error), /--report and --trace name the same file/),
  )
})

test.after(() => rmSync(folder, { recursive: true }))
test.run()
