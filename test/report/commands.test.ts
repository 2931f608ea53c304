/** Commands with --report that run as processes. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TYPESCRIPT } from '../typescript.ts'
import { elementIn, rowsIn, runsIn, textIn, textOf } from './html.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'bourse-reports-'))

async function pageOf(scenario: string, ...args: readonly string[]): Promise<string> {
  const page = join(folder, 'page.html')
  const command = [...TYPESCRIPT, join(root, 'scenarios', `${scenario}.ts`), ...args, '--quiet', '--report', page]
  await promisify(execFile)(process.execPath, command, { cwd: root })
  return readFileSync(page, 'utf8')
}

test('the page of a run has its actors, bars and machines, and its trace makes the same page', async () => {
  const trace = join(folder, 'run.jsonl')
  const flags = ['--tasks', '5', '--speeds', '2,1', '--runtime', 'inline', '--trace', trace]
  const html = await pageOf('bidding/market', ...flags)
  assert.match(html, '<h1>bidding/market</h1>')
  assert.match(textIn(html, 'verdict'), /^✓ \d checks held$/)
  assert.equal(rowsIn(elementIn(html, 'options'))[1], ['--seed', '1'])
  const [run] = runsIn(html).runs
  assert.ok(run)
  assert.equal(run.rows, ['m1', 'm2'])
  assert.is(run.bars.row.length, 5)
  assert.is(run.machines.length, 3)
  const [again] = runsIn(await pageOf('lab/trace', 'summary', trace)).runs
  assert.ok(again)
  // without a model, wasted work is not known, but processor time is, and of the tasks only those that were announced
  assert.equal({ ...again, name: '', tiles: [], story: [] }, { ...run, tiles: [], story: [] })
  assert.match(JSON.stringify(again.story), 'Of the announced tasks, all 5')
  assert.is(JSON.stringify(again.story).replace('announced tasks', 'tasks'), JSON.stringify(run.story))
  const killed = join(folder, 'killed.jsonl')
  await pageOf('bidding/market', ...flags.slice(0, -1), killed, '--fault', 'kill @m2 at 1')
  const diff = await pageOf('lab/trace', 'diff', trace, killed)
  assert.match(
    textIn(diff, 'story'),
    /^The runs diverge at \w+@m2, after 1 identical step of this actor\. In .*; in .* it died at 1\.00 and/,
  )
  const summary = await pageOf('lab/trace', 'summary', trace)
  assert.match(textIn(summary, 'results'), /actors.*client@c1.*messages.*rfb/s)
  assert.is([...elementIn(summary, 'results').matchAll(/<caption>/g)].length, 2)
})

test('the page of a comparison has all runs, under their names', async () => {
  const html = await pageOf('mesh/run')
  const { runs } = runsIn(html)
  assert.equal(
    runs.map(({ name }) => name),
    ['equi', 'fold'],
  )
  assert.match(textIn(html, 'text'), 'Five jobs arrive')
  assert.not.match(html, '1 1 1 1')
  assert.ok(runs.every(({ grid }) => grid?.name === 'mesh' && grid.rows === 8 && grid.columns === 8))
  const answer = elementIn(html, 'answer')
  assert.match(answer, '<caption>The runs side by side</caption>')
  assert.match(answer, '<dt>equi</dt>')
  // what the arrivals cost, and how even partitions are: the drawn partitions of equi and fold, counted by hand
  assert.match(
    textIn(html, 'story'),
    /^The arrivals of 5 jobs moved running jobs to other partitions 4 times under fold and 10 times under equi\. After them a job has 8 to 16 processors under fold and 12 to 16 processors under equi\. With the rotations and the departure that follow jobs move 30 times under fold and 14 times under equi: only folding rotates\. /,
  )
  assert.match(answer, '<a href="#run=2">fold</a>')
  assert.not.match(answer, 'mean response time', 'a script says when a job departs')
  assert.match(answer, '<dt>fold</dt>')
})

test('the page of a study begins with one sentence that answers its question', async () => {
  assert.match(
    textIn(await pageOf('mesh/cost', '--jobs', '2'), 'story'),
    /^With 2 jobs an arrival takes 11 messages under EQUI and 9 under folding, and a departure 9 and 17\. Under folding a rotation takes 8\.0 more\./,
  )
  const some = ['--loads', '3', '--seeds', '2', '--tasks', '60']
  assert.match(
    textIn(await pageOf('contracts/figure-6', ...some), 'story'),
    /^At a load of 3, one processor and alpha 0\.3, tasks yield more with admission control than if all are accepted; these runs are too short to say how much\. /,
  )
})

test('the page of a calculation has its tables and charts', async () => {
  const html = await pageOf('mesh/efficiency')
  assert.equal(runsIn(html).runs, [])
  const results = elementIn(html, 'results')
  assert.ok([...results.matchAll(/<table/g)].length > 2)
  assert.match(results, /<div class="wide"><svg [^>]*role="group"/)
})

test('the page of a race has both orders, each at its first event', async () => {
  const args = '--tasks 4 --speeds 1,1 --clients 1 --load 0.5 --late-bids off --query off --tries 1'.split(' ')
  const html = await pageOf('lab/races', ...args)
  const { runs, pairs = [] } = runsIn(html)
  assert.is(runs.length, 6)
  assert.match(runs[0]?.name ?? '', /^As recorded$/)
  assert.match(runs[1]?.name ?? '', /^Race \d+, the other order$/)
  assert.equal(
    pairs.map((pair) => pair.runs),
    [1, 2, 3, 4, 5].map((other) => [0, other]),
  )
  assert.match(
    textIn(html, 'story'),
    /^\d+ pairs of events could have come in the other order: .* Each of them is shown below\.$/,
  )
  assert.match(textOf(html), /As recorded, \S+@\w+ handled the \w+ of \S+ before /)
  assert.is(rowsIn(elementIn(html, 'results'))[0]?.[0], 'race')
  // commands can be copied, and nothing is a block of characters
  assert.match(elementIn(html, 'text'), /<p class="copyable"><code>npx tsx scenarios\/bidding\/market.ts /)
  assert.not.match(html, '<pre')
  assert.ok(runs.every(({ focus }) => focus > 0))
})

test('a result file takes only one result', async () => {
  const same = pageOf('bidding/market', '--tasks', '2', '--trace', join(folder, 'page.html'))
  await same.then(
    () => assert.unreachable(),
    (error) => assert.match(String(error), /--report and --trace name the same file/),
  )
})

test.after(() => rmSync(folder, { recursive: true }))
test.run()
