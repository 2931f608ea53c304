/** The HTML document of a page. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Command, execute, type Outcome, outputFlags, type SeedOptions, UsageError } from '../../lib/cli/index.ts'
import { htmlOf } from '../../lib/report/page.ts'
import { titleOf } from '../../lib/report/title.ts'
import type { Report } from '../../lib/report/types.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { elementIn, rowsIn, runsIn, textIn, textOf } from './html.ts'

const EVIL = '<img src=x onerror=alert(1)></script><!-- <script>'

const report: Report = {
  scenario: EVIL,
  summary: EVIL,
  command: EVIL,
  version: EVIL,
  options: [[EVIL, EVIL]],
  story: [[EVIL, [EVIL, '#at=1']]],
  tiles: [{ label: EVIL, value: EVIL, unit: EVIL, amount: null, better: null, without: EVIL, change: 'other' }],
  claims: [],
  pictures: [],
  text: EVIL,
  checks: [{ name: EVIL, ok: false, measured: [EVIL], expected: EVIL, evidence: [[EVIL]], repeat: EVIL }],
  tables: [{ title: EVIL, head: [EVIL], rows: [[EVIL]], left: [true], notes: [EVIL] }],
  charts: [],
  runs: [],
  omitted: 0,
}

test('no text of a report is markup in its page, and none of it is lost', async () => {
  const html = await htmlOf(report)
  assert.not.match(html, '<img')
  assert.match(html, '<title>failed: &lt;img src=x onerror=alert(1)>')
  const said = textOf(html.slice(html.indexOf('<main>'), html.indexOf('</main>')))
  assert.is(said.split(EVIL).length - 1, 25)
})

test('the page loads nothing, and its policy allows only its own style and script', async () => {
  const html = await htmlOf({ ...report, scenario: 'a', summary: '', command: '', options: [], text: '' })
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(html) ?? []
  assert.ok(script.length > 500 && script.length < 100_000, `${script.length} characters of script`)
  assert.match(
    html,
    `content="default-src 'none'; img-src data:; style-src ${hash(style)}; script-src ${hash(script)}"`,
  )
  assert.not.match(html, /<(link|script)[^>]+(href|src)=(?!"data:,")/)
  // without an icon of its own, a browser asks the server of a live page for one
  assert.match(html, '<link rel="icon" href="data:,">')
})

test('the title of a page says what was run, and that a check failed', () => {
  const titleFor = (command: string, oks: readonly boolean[]): string =>
    titleOf({ scenario: 'bidding/market', command, checks: oks.map((ok) => ({ ...check, ok })) })
  const check = { name: '', measured: [], expected: '', evidence: [], repeat: '' }
  const command = 'npx tsx scenarios/bidding/market.ts'
  assert.is(titleFor(command, []), 'bidding/market - Bourse')
  assert.is(titleFor('npx bourse run bidding/market', [true]), 'bidding/market - Bourse')
  assert.is(titleFor('npx tsx scenarios/lab/run.ts my/market.ts --tasks 9', []), 'bidding/market --tasks 9 - Bourse')
  assert.is(titleFor(`${command} --tasks 9 --quiet`, [true, true]), 'bidding/market --tasks 9 - Bourse')
  assert.is(titleFor(`${command} --tasks 9`, [true, false]), 'failed: bidding/market --tasks 9 - Bourse')
  const long = titleFor(`${command} ${'--fault x '.repeat(40)}`, [])
  assert.ok(long.length < 100 && long.includes('... - Bourse'), long)
})

test('a page that is made twice is the same, byte for byte', async () => {
  assert.is(await htmlOf(report), await htmlOf(report))
})

const folder = mkdtempSync(join(tmpdir(), 'bourse-page-'))

const run = async (args: readonly string[], outcome: Outcome) => {
  let [out, err] = ['', '']
  const scenario: Command<SeedOptions> = {
    name: 'test/scenario',
    summary: 'Tests.',
    flags: outputFlags,
    main: async () => outcome,
  }
  const code = await execute(scenario, {
    args,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text), isTerminal: false },
    onInterrupt: () => {},
  })
  return { code, out, err }
}

const outcome: Outcome = {
  results: {},
  messages: 0,
  text: 'a table',
  checks: [{ name: 'mean', ok: false, measured: 3.5, expected: 3, tolerance: 0.25 }],
  tables: [
    {
      title: 'Means',
      columns: [{ name: 'row' }, { name: 'ours', unit: 's' }],
      rows: [['a', { mean: 1, halfWidth: 0.5 }]],
      notes: ['n'],
    },
  ],
  exhibits: {
    charts: [
      {
        title: 'Chart',
        x: { label: 'x' },
        y: { label: 'y' },
        series: [
          { name: 'run', points: [{ x: 1, y: 2 }] },
          { name: 'not run', points: [{ x: 1, y: null }] },
        ],
      },
      { title: 'Nothing', x: { label: 'x' }, y: { label: 'y' }, series: [] },
    ],
  },
}

test('--report writes what a command printed and checked, with its tables and charts, also if a check failed', async () => {
  const file = join(folder, 'a.html')
  const { code } = await run(['--report', file], outcome)
  assert.is(code, 1)
  const html = readFileSync(file, 'utf8')
  assert.is(textIn(html, 'command'), 'npx tsx scenarios/test/scenario.ts')
  assert.is(textIn(html, 'verdict'), '✗ 1 check failed')
  assert.equal(rowsIn(elementIn(html, 'checks')), [
    ['what must hold', 'verdict', 'measured', 'expected'],
    ['mean', '✗ failed', '3.5', '3 ± 0.25'],
  ])
  const results = elementIn(html, 'results')
  assert.match(results, '<caption>Means</caption>')
  assert.equal(rowsIn(results).slice(0, 4), [
    ['x', 'run'],
    ['1', '2'],
    ['row', 'ours [s]'],
    ['a', '1 ± 0.5'],
  ])
  const charts = [...results.matchAll(/<svg [^>]*aria-label="([^"]*)"/g)].map(([, says]) => says)
  const says = 'Chart. y over x: run (1 points).'
  assert.equal(charts, [says, says], 'for wide and for narrow screens; a chart without points is left out')
  assert.is(textIn(html, 'text'), 'a table')
  assert.equal(runsIn(html).runs, [])
})

test('the page of a study begins with the claims that hold, and names those that do not', async () => {
  const file = join(folder, 'claims.html')
  const claim = { says: 'it is fast', ours: '3 s', verdict: 'holds', word: 'holds', remark: '' } as const
  const claims = [
    claim,
    { ...claim, says: 'it is <small>', verdict: 'fails', word: 'corrected', remark: 'only if it is idle' } as const,
    { ...claim, says: 'it is cheap', verdict: 'open', word: 'cannot be judged' } as const,
  ]
  const kept = { ...outcome, checks: [{ name: 'mean', ok: true, measured: 3, expected: 3, tolerance: null }] }
  const exhibits = { claims, story: ['2 values agree.'], text: 'a note' }
  await run(['--report', file], { ...kept, exhibits })
  const html = readFileSync(file, 'utf8')
  assert.is(textIn(html, 'claims'), '1 of 2 claims holds; these runs cannot judge 1 more')
  const answer = textIn(html, 'answer')
  assert.match(
    answer,
    '2 values agree.✗ corrected: it is <small>. Ours: 3 s. Note: only if it is idle.Claims that hold (1)',
  )
  assert.not.match(html, 'id="verdict"')
  assert.is(textIn(html, 'text'), 'a note')
  const values = { judged: 60, agree: 57, with: "the paper's values" }
  await run(['--report', file], { ...kept, exhibits: { ...exhibits, values } })
  const judged = readFileSync(file, 'utf8')
  assert.is(textIn(judged, 'values'), "57 of 60 values agree with the paper's values")
  assert.not.match(judged, 'id="claims"', 'that some claims fail is no failure of the values')
  const open = claims.map((one) => ({ ...one, verdict: 'open' }) as const)
  await run(['--report', file], { ...outcome, exhibits: { claims: open } })
  const short = readFileSync(file, 'utf8')
  assert.is(textIn(short, 'claims'), '3 claims, none of which these runs can judge')
  assert.is(textIn(short, 'verdict'), '✗ 1 check failed', 'a failed check is always told')
})

test('words of a table have tones on its page', async () => {
  const file = join(folder, 'tones.html')
  const columns = [{ name: 'row' }, { name: 'agrees', tones: { yes: 'good', no: 'bad' } as const }]
  const rows = [
    ['a', 'yes'],
    ['b', 'no: mean'],
    ['c', 'perhaps'],
  ]
  await run(['--report', file], { ...outcome, tables: [{ columns, rows }] })
  const results = elementIn(readFileSync(file, 'utf8'), 'results')
  for (const cell of [
    '<span class="good">yes</span>',
    '<span class="bad">no: mean</span>',
    '<td class="number">perhaps',
  ])
    assert.ok(results.includes(cell), cell)
})

test('a page that cannot be written is reported before the run', async () => {
  const { code, err } = await run(['--report', join(folder, 'nowhere', 'a.html')], outcome)
  assert.is(code, 2)
  assert.match(err, /^bourse: cannot write --report .*a\.html: no such folder \(ENOENT\)\n$/)
})

test('a command prints its results although its page cannot be made', async () => {
  const broken: Iterable<Line> = {
    [Symbol.iterator]() {
      throw new UsageError('this run cannot be read')
    },
  }
  const exhibits = { runs: [{ name: '', lines: broken }] }
  const { code, out, err } = await run(['--report', join(folder, 'b.html')], { ...outcome, exhibits })
  assert.is(code, 2)
  assert.match(out, /^Means\n[\s\S]*\na table\nFAILED mean: 3\.5/)
  assert.match(err, 'this run cannot be read')
})

test.after(() => rmSync(folder, { recursive: true }))
test.run()
