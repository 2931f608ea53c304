/** The commands that reproduce the paper's tables and figures: their verdicts, their files, and their errors. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { execute } from '../../lib/cli/index.ts'
import { textOf, wholePercent } from '../../lib/core/table.ts'
import { FIGURE_6, FIGURE_6_SPEEDS } from '../../scenarios/bidding/paper/figure-6.ts'
import {
  agreement,
  isLongEnough,
  linesOf,
  storyOf,
  valuesIn,
  verdictOf,
} from '../../scenarios/bidding/study/agreement.ts'
import { type CellPoint, type Measured, measuredOf, messagesOf, runPoint } from '../../scenarios/bidding/study/cell.ts'
import { seriesOf } from '../../scenarios/bidding/study/charts.ts'
import { type Figure, type Found, figureOf } from '../../scenarios/bidding/study/figure.ts'
import { type StudyOptions, studyFlags } from '../../scenarios/bidding/study/flags.ts'
import { flowIn } from '../../scenarios/bidding/study/statements.ts'
import { tablesOf } from '../../scenarios/bidding/study/tables.ts'
import { scenarioOf } from '../../scenarios/study/main.ts'
import { remainingMs } from '../../scenarios/time-left.ts'
import { TYPESCRIPT } from '../typescript.ts'

const verdicts = suite('verdicts')

verdicts('two means agree inside their joint interval, nearly within twice that, and not beyond', () => {
  const around = (mean: number) => verdictOf({ mean, halfWidth: 3 }, { mean: 10, halfWidth: 4 })
  assert.equal([10, 15, 5].map(around), ['yes', 'yes', 'yes'])
  assert.equal([15.01, 20, 0].map(around), ['nearly', 'nearly', 'nearly'])
  assert.equal([20.01, -0.01].map(around), ['no', 'no'])
})

verdicts('the busier the machines, the longer a run must be for its interval', () => {
  assert.equal(
    [180, 181].map((tasks) => isLongEnough(tasks, 0.1)),
    [false, true],
  )
  assert.equal(
    [981, 982].map((tasks) => isLongEnough(tasks, 0.5)),
    [false, true],
  )
  assert.equal(
    [31_000, 32_000].map((tasks) => isLongEnough(tasks, 0.9)),
    [false, true],
  )
})

const judged = (isLong: boolean, asConverged: Found['asConverged'], asPaper: Found['asPaper'] = null) => ({
  isLong,
  asConverged,
  asPaper,
})

verdicts('agreement is not counted for runs that are too short, and not for values that do not exist', () => {
  const cells = [judged(true, 'yes', 'no'), judged(true, 'nearly'), judged(false, 'no'), judged(false, null)]
  assert.equal(linesOf(agreement(cells, () => '')), [
    'converged values: 1 of 2 inside the joint 90 % interval, 1 within twice that, 0 beyond',
    "the paper's values: 0 of 1 inside the joint 90 % interval, 0 within twice that, 1 beyond",
  ])
})

verdicts('the story counts what can be judged, and says how many runs are too short', () => {
  const cells = [judged(true, 'yes', 'no'), judged(true, 'nearly', 'yes'), judged(true, 'yes'), judged(false, 'no')]
  assert.equal(
    storyOf(
      agreement(cells, () => ''),
      1,
    ),
    [
      'Of 3 means that can be judged, 2 agree with the value that the model converges to, 1 nearly.',
      'With the value in the paper 1 of 2 agree, 1 not.',
      '1 value is of a run too short to judge; runs with --full are long enough.',
    ],
  )
  const all = agreement(cells, () => '')
  assert.equal(valuesIn(all), { judged: 2, agree: 1, with: "the paper's values" })
  const converged = all.filter((one) => one.with === 'converged values')
  assert.equal(valuesIn(converged), { judged: 3, agree: 2, with: 'converged values' })
  assert.is(valuesIn([]), undefined)
})

verdicts('the remaining time follows from the cells that were run, not from kept results', () => {
  assert.is(remainingMs([8, 4, 2, 2], 0, 1, 1000), 1000)
  assert.is(remainingMs([8, 4, 2, 2], 1, 2, 1000), 1000)
  assert.is(remainingMs([8, 4], 1, 1, 1000), null)
})
verdicts.run()

const cells = suite('a cell')

const POINT: CellPoint = {
  seed: 1,
  runtime: 'inline',
  tasks: 200,
  protocol: 'dsp',
  speeds: [4, 1],
  load: 0.5,
  errors: 'gen',
  delay: 0,
  i0: null,
  abort: 'yes',
}
const run = async (more: Partial<CellPoint>): Promise<Measured> => measuredOf(await runPoint({ ...POINT, ...more }))

cells('is the same with threads and inline, whatever the protocol', async () => {
  for (const protocol of ['dsp', 'eager', 'random'] as const) {
    const few = { protocol, tasks: 60 }
    assert.equal(await run({ ...few, runtime: 'threads' }), await run(few), protocol)
  }
})

cells(
  'counts messages by type: in DSP one request and one cancellation per machine, one award, one result',
  async () => {
    const { sent, restarts } = await run({})
    assert.equal([sent['rfb'], sent['cancelAll'], sent['task'], sent['result']], [2, 2, 1, 1])
    assert.is(restarts, 0)
    assert.is(Math.round(200 * ((sent['bid'] ?? 0) + (sent['ack'] ?? 0))) > 400, true)
  },
)

cells('counts every message of a move to a late bid: another award and a cancellation', async () => {
  const { sent, restarts, wasted } = await run({ i0: 0, errors: 'perfect' })
  assert.ok(restarts > 0 && wasted > 0)
  assert.is(Math.round(200 * (sent['task'] ?? 0)), Math.round(200 * (1 + restarts)))
})

cells('wastes more if a cancelled machine is not free at once', async () => {
  const late = { i0: 0, errors: 'perfect' } as const
  const [freed, busy] = [await run(late), await run({ ...late, abort: 'no' })]
  assert.ok(busy.wasted > 2 * freed.wasted)
})

cells('of the random protocol repeats requests often, and without delays neither bumps nor cancels', async () => {
  const { sent, bumps } = await run({ protocol: 'random' })
  assert.ok((sent['rfb'] ?? 0) > 10)
  assert.equal([sent['ack'], sent['cancel'], sent['cancelAll'], bumps], [0, 0, 0, 0])
})

cells('with too few tasks for an interval is refused', async () => {
  let message = ''
  await run({ tasks: 20 }).catch((error: Error) => {
    message = error.message
  })
  assert.is(message, '20 tasks are too few for an interval')
})
cells.run()

const tables = suite('the tables')

tables('mark known mistakes and runs that were too short, and name every column in the one for programs', () => {
  const ours: Measured = {
    mean: 10,
    halfWidth: 1,
    sent: { rfb: 2, bid: 1, ack: 0, task: 0, result: 0, cancel: 0, cancelAll: 0, bump: 0 },
    restarts: 0,
    bumps: 0,
    wasted: 0,
    messages: 0,
  }
  const found: Found = {
    labels: [50],
    at: POINT,
    converged: { mean: 10.5, halfWidth: 0 },
    paper: { mean: 20, halfWidth: 1 },
    known: 'a misprint',
    point: POINT,
    ours,
    isLong: false,
    asConverged: 'yes',
    asPaper: 'no',
  }
  const study = {
    name: 'x',
    summary: '',
    title: 'T',
    flags: studyFlags,
    labels: [{ name: 'load' }],
    cells: () => [],
    charts: () => [],
  }
  const { all, shown } = tablesOf(study, [found])
  const [first, second] = shown.map(textOf)
  assert.match(first ?? '', /50 +10\.00 ± 1\.00 +10\.50 ± 0\.00 +too short +20\.00 ± 1\.00 +too short +\(1\)/)
  assert.match(first ?? '', /\(1\) a misprint/)
  assert.match(second ?? '', /50 +10\.00 ± 1\.00 +2\.00 +1\.00/)
  assert.is(messagesOf(ours), 3)
  assert.equal(all.rows[0]?.at(-1), 'a misprint')
})
tables.run()

const files = mkdtempSync(join(tmpdir(), 'bourse-study-'))
const file = (name: string): string => join(files, name)

/** The figure of late bids at 10 % load, whose runs are short and still long enough. */
const LATE: Figure<StudyOptions> = {
  name: 'bidding/late-bids',
  summary: 'Of Malone et al. 1986.',
  title: 'Late bids',
  flags: studyFlags,
  labels: [{ name: 'i0' }],
  sizes: { standard: { light: 200 } },
  cells: () =>
    FIGURE_6.filter(({ load, i0 }) => load === 0.1 && i0 >= 0.7).map(({ load, i0, freed }) => ({
      labels: [i0],
      at: { speeds: FIGURE_6_SPEEDS, load, i0 },
      converged: freed,
      paper: null,
    })),
  charts: (found) => [
    {
      name: 'late-bids',
      chart: {
        title: 'Late bids',
        x: { label: 'i0' },
        y: { label: 'flow' },
        series: seriesOf(
          found,
          ({ point }) => `${point.load}`,
          ({ point }) => point.i0 ?? 0,
        ),
      },
    },
  ],
  statements: (found) => [{ says: 'it is fast', ours: wholePercent(flowIn(found)(0.7) / 100), holds: true }],
}

async function command(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' }
  const on = (stream: 'stdout' | 'stderr') => ({
    isTerminal: false,
    write: (text: string) => {
      said[stream] += text
    },
  })
  const code = await execute(scenarioOf(figureOf(LATE)), {
    args: ['--runtime', 'inline', ...args],
    stdout: on('stdout'),
    stderr: on('stderr'),
    onInterrupt: () => {},
  })
  return { code, ...said }
}

const commands = suite('a command')

commands('writes text, CSV, Markdown, JSON and SVG of the same cells', async () => {
  const out = ['--csv', file('a.csv'), '--markdown', file('a.md'), '--svg', file('svg')]
  const { code, stdout } = await command(...out, '--json', '--quiet')
  assert.is(code, 0)
  const { results, checks } = JSON.parse(stdout)
  const rows: readonly { i0: number; ours: { mean: number } }[] = results.values.rows
  assert.equal(
    rows.map(({ i0 }) => i0),
    [0.7, 0.75],
  )
  assert.equal(results.agreement, [
    { with: 'converged values', group: '', areLong: true, inside: 1, nearly: 1, beyond: 0 },
  ])
  assert.equal(results.verdicts, [
    { says: 'it is fast', ours: wholePercent((rows[0]?.ours.mean ?? 0) / 100), holds: true },
  ])
  assert.is(checks.length, 1)
  const [head, first, second, end] = readFileSync(file('a.csv'), 'utf8').split('\r\n')
  assert.match(head ?? '', /^i0,ours \[units\],ours half-width \[units\],converged \[units\],/)
  assert.is(first?.split(',')[1], String(rows[0]?.ours.mean))
  assert.ok(second && end === '')
  assert.match(readFileSync(file('a.md'), 'utf8'), /\| 0\.7 \| /)
  assert.match(readFileSync(file('svg/late-bids.svg'), 'utf8'), /^<svg/)
})

commands('does not repeat kept runs, and exits with 1 if a run contradicts the converged value', async () => {
  const keep = file('kept.jsonl')
  const first = await command('--keep', keep)
  assert.is(first.code, 0)
  assert.match(first.stdout, /it is fast +\d+ % +yes/)
  writeFileSync(keep, readFileSync(keep, 'utf8').replaceAll(/"mean":[\d.]+/g, '"mean":777'))
  const { code, stdout, stderr } = await command('--keep', keep, '--only', '0.75')
  assert.is(code, 1)
  assert.match(stdout, /777\.00 .* no\n/)
  assert.match(stdout, /FAILED 0\.75 mean flow time: 777, expected 22\.492 ±/)
  assert.match(stderr, /again: npx tsx scenarios\/bidding\/late-bids\.ts/)
  assert.is(stdout.includes('it is fast'), false)
})

commands('does not check runs that are too short', async () => {
  const keep = file('short.jsonl')
  const only = ['--tasks', '150', '--only', '0.75', '--keep', keep]
  await command(...only)
  writeFileSync(keep, readFileSync(keep, 'utf8').replaceAll(/"mean":[\d.]+/g, '"mean":777'))
  const { code, stdout } = await command(...only)
  assert.is(code, 0)
  assert.match(stdout, /777\.00 .* too short\n/)
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--quick', '--full'], /--quick cannot be combined with --full/],
  [['--only', 'nowhere'], /--only must be a part of the labels of a row, not "nowhere"/],
  [['--tasks', '5'], /--tasks must be an integer from 100/],
  [['--csv', join(files, 'no', 'such', 'folder')], /--csv/],
  [['--keep', files], /must be a regular file, not a directory/],
  [['--kill', '@m1 at 5'], /unknown flag --kill; /],
]

for (const [args, says] of WRONG) {
  commands(`refuses ${args[0]} ${args[1]?.replace(files, '')} in one line, with exit 2`, async () => {
    const { code, stdout, stderr } = await command(...args, '--quiet')
    assert.is(code, 2)
    assert.is(stdout, '')
    assert.match(stderr, says)
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
  })
}

commands('is what each of the six scenarios is', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const names = ['table-1', 'table-2', 'network-size', 'message-delay', 'late-bids', 'alternatives']
  const helps = await Promise.all(
    names.map((name) =>
      promisify(execFile)(process.execPath, [...TYPESCRIPT, `scenarios/bidding/${name}.ts`, '--help'], {
        cwd: root,
      }),
    ),
  )
  for (const { stdout } of helps) assert.match(stdout, /of Malone et al\. 1986[\s\S]*Every cell is a separate run/)
})

commands.after(() => rmSync(files, { recursive: true }))
commands.run()
