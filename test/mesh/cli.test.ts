/** The command `scenarios/mesh/run.ts`: scripts, arrivals, drawings and errors. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textOf } from '../../actors/mesh/rectangle.ts'
import { parseFlags } from '../../lib/cli/index.ts'
import { flags } from '../../scenarios/mesh/flags.ts'
import type { StepResult } from '../../scenarios/mesh/results.ts'
import { meshRun } from '../../scenarios/mesh/run.ts'
import { generateMeshJobs } from '../../scenarios/mesh/workload/generate.ts'
import { runHere, runScenario } from '../bidding/command.ts'
import { throwsSaying } from '../throws.ts'
import { ON_8X8 } from './golden/equi.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-mesh-'))

async function stepsOf(args: readonly string[]): Promise<readonly StepResult[]> {
  const { code, stdout, stderr } = await runHere(meshRun, [...args, '--json'])
  assert.is(code, 0, stderr)
  return JSON.parse(stdout).results.steps
}

const expected: Readonly<Record<string, string>> = ON_8X8

const arrivals = (jobs: number): string => Array.from({ length: jobs }, (_, i) => `arrive ${i + 1}`).join('; ')

test('a script under equi prints the partitions after each step', async () => {
  const steps = await stepsOf(['--policy', 'equi', '--mesh', '8x8', '--script', `${arrivals(7)}; depart 7;`])
  assert.equal(
    steps.map(({ op }) => op),
    [1, 2, 3, 4, 5, 6, 7].map((job) => `arrive ${job}`).concat('depart 7'),
  )
  for (const { partitions } of steps) {
    assert.is(partitions.map(textOf).join(' | '), expected[String(partitions.length)])
  }
  assert.equal(Object.keys(steps[0] ?? {}), ['op', 'partitions'])
  assert.equal(steps[0]?.partitions, [{ job: 1, row: 0, column: 0, rows: 8, columns: 8 }])
})

test('a script under fold has several rotations as one step, and its partitions are drawn', async () => {
  const svg = join(folder, 'fold.svg')
  const script = `${arrivals(5)}; rotate 4; depart 3`
  const steps = await stepsOf(['--policy', 'fold', '--script', script, '--svg', svg])
  assert.is(steps.length, 7)
  const rotated = steps[5]?.partitions.map((one) => `${one.job} ${textOf(one)}`).join(' | ')
  // the partitions of the specification after four rotations
  assert.is(rotated, '1 0,0 4x8 | 2 12,0 4x8 | 3 8,8 8x8 | 4 4,0 8x8 | 5 0,8 8x8')
  const drawn = readFileSync(svg, 'utf8')
  assert.is(drawn.match(/<text/g)?.length, 7 + 1 + 2 + 3 + 4 + 5 + 5 + 4 + 1)
  const [first = '', second = ''] = drawn.split('<text x="0" y="-8">').slice(1)
  const fillsIn = (panel: string) => [...panel.matchAll(/fill="(#\w+)"/g)].map(([, fill]) => fill)
  // an arrival halves the partition of job 1: both moved
  assert.equal([first, second].map(fillsIn), [['#e69f00'], ['#e69f00', '#e69f00']])
  assert.ok(drawn.includes('#0072b2'), 'partitions that jobs keep have the blue of those that compute')
})

test('a fault that never struck is named', async () => {
  const args = ['--script', 'arrive 1', '--runtime', 'inline', '--fault', 'kill allocator@a after 50 arrive']
  const named = 'kill allocator@a after 50 arrive'
  assert.match((await runHere(meshRun, args)).stdout, `faults that never struck: ${named}\n`)
  const { stdout } = await runHere(meshRun, [...args, '--json'])
  assert.equal(JSON.parse(stdout).results.faultsThatNeverStruck, [named])
})

test('a grid is printed, or rectangles if the mesh is too large for one', async () => {
  const small = await runHere(meshRun, ['--mesh', '2x4', '--script', 'arrive 1; arrive 12', '--runtime', 'inline'])
  assert.match(small.stdout, 'arrive 12\n1: 0,0 2x2 | 12: 0,2 2x2\n   1  1 12 12\n   1  1 12 12\n')
  const large = await runHere(meshRun, ['--mesh', '128x64', '--script', 'arrive 1', '--runtime', 'inline'])
  assert.match(large.stdout, 'arrive 1\n1: 0,0 128x64\nok ')
})

test('without flags equi and fold are shown side by side', async () => {
  const { code, stdout, stderr } = await runScenario('mesh/run', ['--json'])
  assert.is(code, 0, stderr)
  assert.not.match(stderr, 'no state of', 'the operator takes word of a job that is over')
  const { results, checks } = JSON.parse(stdout)
  assert.equal([results.equi.steps.length, results.fold.steps.length, checks.length], [8, 8, 8])
})

test('a run with random arrivals prints response times by class, and writes a line per job', async () => {
  const file = join(folder, 'jobs.csv')
  const args = [
    '--jobs',
    '80',
    '--runtime',
    'inline',
    '--interval',
    '10J',
    '--limit',
    '2',
    '--jobs-out',
    file,
    '--json',
  ]
  const { code, stdout, stderr } = await runHere(meshRun, args)
  assert.is(code, 0, stderr)
  const { measures, most, swaps } = JSON.parse(stdout).results
  assert.is(measures.all.jobs, 76)
  assert.is(measures.short.jobs + measures.long.jobs, 76)
  assert.is(most, 2)
  assert.ok(swaps > 0)
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  assert.is(head, 'id,class,arrival,alone,end,moves')
  assert.is(lines.length, 80)
})

test('runs are the same on threads and inline', async () => {
  const args = ['--jobs', '12', '--interval', '20', '--leaders', '8', '--check-determinism', '--quiet']
  const { code, stdout, stderr } = await runHere(meshRun, args)
  assert.is(code, 0, stdout + stderr)
})

test('the workload has the requested mix at any load', () => {
  const mix = { load: 0.5, short: 0.9, shortMean: 30, longMean: 900 }
  const jobs = generateMeshJobs(3, 20_000, mix, 100_000)
  const of = (name: string) => jobs.filter((job) => job.class === name).map(({ work }) => work / 1e6)
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  assert.ok(Math.abs(of('short').length / 20_000 - 0.9) < 0.01)
  assert.ok(Math.abs(meanOf(of('short')) / 30 - 1) < 0.03)
  assert.ok(Math.abs(meanOf(of('long')) / 900 - 1) < 0.08)
  assert.ok(Math.abs((jobs.at(-1)?.arrival ?? 0) / 1e6 / 20_000 / (117 / 0.5) - 1) < 0.03)
  assert.ok(jobs.every(({ work }) => work > 0 && work % 100_000 === 0))
  const busier = generateMeshJobs(3, 20_000, { ...mix, load: 1 }, 100_000)
  assert.equal(
    busier.map(({ work }) => work),
    jobs.map(({ work }) => work),
  )
})

const WRONG: readonly (readonly [args: readonly string[], says: string])[] = [
  [['--mesh', '12x16'], '--mesh must be rows x columns, powers of two up to 1024, such as 16x16, not "12x16"'],
  [['--mesh', '512x512'], '--mesh may have at most 65536 processors, but has 262144'],
  [['--policy', 'buddy'], '--policy must be equi, equi+ or fold, not "buddy"'],
  [
    ['--script', 'arrive'],
    '--script must be operations such as "arrive 1; arrive 2; rotate 3; depart 1", not "arrive"',
  ],
  [['--script', 'arrive 1; fold 2'], 'not "fold 2"'],
  [['--script', 'arrive 1;; depart 1'], 'not ""'],
  [['--script', ''], '--script must be operations such as'],
  [['--script', 'arrive 0'], '--script may have jobs 1 to 1000, not "arrive 0"'],
  [['--script', 'rotate 0'], '--script may have 1 to 10000 rotations, not "rotate 0"'],
  [['--script', 'arrive 1; depart 2'], '--script has "depart 2" of a job that is not there'],
  [['--script', 'arrive 1; depart 1; depart 1'], 'has "depart 1" of a job that is not there'],
  [['--script', 'arrive 1; arrive 1'], '--script has "arrive 1" of a job that is there already'],
  [
    ['--mesh', '2x2', '--script', arrivals(5)],
    '--script may have at most 4 jobs at a time on 2x2, but has 5 with "arrive 5"',
  ],
  [['--mesh', '1x8', '--script', arrivals(3)], '--policy fold needs a mesh with a ring of 4 cells, not --mesh 1x8'],
  [['--mesh', '2x2', '--limit', '5'], '--limit must be at most 4 on 2x2, not 5'],
  [
    ['--interval', '0'],
    '--interval must be seconds > 0 such as 20 or 20J, not "0": 20J is 20 s times the number of jobs',
  ],
  [['--interval', 'J'], 'not "J"'],
  [['--policy', 'equi', '--interval', '5'], '--interval needs --policy fold, not equi'],
  [['--script', 'arrive 1', '--interval', '5'], '--interval cannot be combined with --script'],
  [['--script', 'arrive 1', '--jobs', '5'], '--jobs cannot be combined with --script'],
  [['--svg', 'x.svg'], '--svg needs --script'],
  [['--overhead', '10'], '--overhead must be less than --quantum (10), not 10'],
  [['--delta', '0.2'], '--delta must be at most --compute (0.1), not 0.2'],
  [['--kill', 'job@j9 at 5', '--leaders', '8'], 'job@j9'],
]
for (const [args, says] of WRONG) {
  test(`refuses ${args.join(' ').slice(0, 60)}`, () => {
    throwsSaying(() => meshRun.specification(parseFlags(flags, args).given), says)
  })
}

const REFUSED: readonly (readonly [scenario: string, args: readonly string[], says: string])[] = [
  ['mesh/run', ['--script', 'arrive 1; depart 3'], 'of a job that is not there'],
  ['mesh/run', ['--mesh', '12x16'], 'must be rows x columns, powers of two'],
  ['mesh/run', ['--mesh', '2x2', '--script', arrivals(5)], 'at most 4 jobs at a time on 2x2, but has 5'],
  ['mesh/memory', ['--processors', '8', '--minima', '9,1'], 'must be at most --processors (8), not 9'],
]
test('a refusal is one line and exit 2', async () => {
  for (const [scenario, args, says] of REFUSED) {
    const { code, stdout, stderr } = await runScenario(scenario, args)
    assert.is(code, 2, args.join(' '))
    assert.equal([stdout, stderr.trim().split('\n').length], ['', 1])
    assert.ok(stderr.includes(says), stderr)
  }
})

test.after(() => rmSync(folder, { recursive: true }))
test.run()
