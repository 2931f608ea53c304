/** Statements of the figures that are exact or already visible in short runs, and the command that draws the figures. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import { execute } from '../../lib/cli/index.ts'
import { Checkpoint, keyOf } from '../../lib/experiment/checkpoint.ts'
import { toleranceOf } from '../../lib/experiment/converged.ts'
import { replicationSeed } from '../../lib/experiment/replications.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Economy } from '../../scenarios/economy/model.ts'
import { FIGURE_5, INCOMES } from '../../scenarios/economy/paper/figure-5.ts'
import { type EconomyRun, economyRun } from '../../scenarios/economy/run.ts'
import { FULL_SPAN } from '../../scenarios/economy/study/flags.ts'
import { type Figure, figureOf } from '../../scenarios/economy/study/main.ts'
import {
  economyOf,
  measuresOf,
  type Point,
  type Ran,
  ranOf,
  runPoint,
  STANDARD,
} from '../../scenarios/economy/study/point.ts'
import { PROCESSORS } from '../../scenarios/economy/workload/generate.ts'
import { foundOf } from '../../scenarios/study/figure.ts'
import { scenarioOf } from '../../scenarios/study/main.ts'
import { runScenario } from '../bidding/command.ts'

const HEAVY: Point = { ...STANDARD, seed: 1, load: 0.9, span: 2500 }
const SMALL = 16

/** A point on a smaller machine, with jobs to match. */
const small = (point: Point): Economy => economyOf(point, SMALL)

const withIncomes = (economy: Economy, change: (income: number, index: number) => number): Economy => ({
  ...economy,
  users: Object.fromEntries(
    Object.entries(economy.users).map(([user, terms], i) => [user, { ...terms, income: change(terms.income, i) }]),
  ),
})

const inline = (economy: Economy) => economyRun.run(economy, { runtime: 'inline' })

/** The start, the end and the processors of each job. */
function schedule({ oracle: { ledger }, broken, crashes }: EconomyRun) {
  assert.equal(broken, [])
  assert.equal(crashes, [])
  return [...ledger.jobs].map(([job, { started, end }]) => ({ job, at: started?.at, on: started?.processors, end }))
}

for (const preset of ['paper', 'literal'] as const) {
  test(`ECON without any income is RES, job by job (preset ${preset})`, async () => {
    const point: Point = { ...HEAVY, span: 8000 }
    const res = schedule(await inline(small({ ...point, policy: 'RES' })))
    const rich = schedule(await inline(small({ ...point, preset })))
    const poor = schedule(await inline(withIncomes(small({ ...point, preset }), () => 0)))
    assert.ok(res.length > 400, `${res.length} jobs`)
    assert.equal(poor, res)
    assert.not.equal(rich, res)
  })

  test(`multiplying all incomes by a constant changes no start (preset ${preset})`, async () => {
    const economy = withIncomes(small({ ...HEAVY, span: 8000, preset }), (_, i) => 11 * 2 ** i)
    const before = schedule(await inline(economy))
    assert.equal(schedule(await inline(withIncomes(economy, (income) => income * 8))), before)
    assert.equal(schedule(await inline(withIncomes(economy, (income) => income * 0.013))), before)
    assert.not.equal(schedule(await inline(withIncomes(economy, () => 100))), before)
  })
}

/** A number that must not be null. */
function number(value: number | null): number {
  assert.ok(value !== null)
  return value
}

test('at load 0.1 the policies are alike', async () => {
  const point: Point = { ...STANDARD, seed: 1, load: 0.1, span: 10_000 }
  const res = await runPoint({ ...point, policy: 'RES' })
  assert.ok(res.jobs > 40, `${res.jobs} jobs`)
  const others = [
    { ...point, policy: 'FCFS' as const },
    { ...point, preset: 'paper' as const },
    { ...point, preset: 'literal' as const },
  ]
  for (const other of others) {
    const ran = await runPoint(other)
    assert.ok(Math.abs(number(ran.S) / number(res.S) - 1) < 0.03, `${ran.S} and ${res.S}`)
  }
})

test('at load 0.9 ECON responds sooner than RES, and RES sooner than FCFS, on the same jobs', async () => {
  const point: Point = { ...HEAVY, span: 8000 }
  const [fcfs, res, paper, literal] = [
    await runPoint({ ...point, policy: 'FCFS' }),
    await runPoint({ ...point, policy: 'RES' }),
    await runPoint(point),
    await runPoint({ ...point, preset: 'literal' }),
  ]
  for (const { jobs } of [fcfs, res, literal]) assert.is(jobs, paper.jobs)
  for (const of of ['S', 'U'] as const) {
    const [slowest, slow, one, other] = [fcfs, res, paper, literal].map((ran) => number(ran[of]))
    assert.ok(number(slowest ?? null) > number(slow ?? null), of)
    assert.ok(number(one ?? null) < number(slow ?? null), of)
    assert.ok(number(other ?? null) < number(slow ?? null), of)
  }
})

test('a run is measured alike on threads and inline', async () => {
  const economy = small({ ...HEAVY, targets: [1, 2, 2], income1: 50 })
  const onThreads = measuresOf(await economyRun.run(economy, { runtime: 'threads' }), HEAVY.span)
  assert.equal(onThreads, measuresOf(await inline(economy), HEAVY.span))
  assert.ok(onThreads.jobs > 100)
})

test('each mean is over the jobs that its name says', async () => {
  const economy = small(HEAVY)
  const run = await inline(economy)
  const ran = measuresOf(run, HEAVY.span)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const jobs = [...run.oracle.ledger.jobs.values()]
  const minutes = (time: number) => time / 1e6
  const response = jobs.map(({ end, arrival }) => minutes((end?.at ?? Number.NaN) - arrival))
  const waits = (isFirst: boolean) =>
    jobs
      .filter(({ user }) => (user === 'u1') === isFirst)
      .map(({ started, arrival }) => minutes((started?.at ?? Number.NaN) - arrival))
  const ofClass = (l: number) =>
    jobs.flatMap(({ request }, i) => (request.class === l ? [response[i] ?? Number.NaN] : []))
  const near = (one: number | null, other: number) => assert.ok(Math.abs(number(one) - other) < 1e-9, `${one} ${other}`)
  near(ran.S, mean(response))
  near(ran.S3, mean(ofClass(3)))
  near(ran.U, mean(jobs.map(({ request }, i) => (response[i] ?? Number.NaN) / minutes(request.work))))
  const isEarly = jobs.map(({ end }) => minutes(end?.at ?? Number.NaN) <= HEAVY.span)
  assert.ok(isEarly.includes(false))
  near(ran.earlyS, mean(response.filter((_, i) => isEarly[i])))
  const busyAt = (minute: number) =>
    jobs.reduce((sum, { started, end, request }) => {
      const isRunning = minutes(started?.at ?? 0) <= minute && minute < minutes(end?.at ?? 0)
      return isRunning ? sum + request.processors : sum
    }, 0)
  const busy = mean(Array.from({ length: 5000 }, (_, i) => busyAt(((i + 0.5) * HEAVY.span) / 5000)))
  assert.ok(Math.abs(number(ran.earlyUtilisation) - busy / PROCESSORS) < 0.0001, `${ran.earlyUtilisation}`)
  near(ran.W, mean(waits(true)))
  near(ran.others, mean(waits(false)))
  assert.equal(ranOf(JSON.parse(JSON.stringify(ran))), ran)
})

test('a run with a violation, a crash or a job without an end gives no result', async () => {
  const run = await inline(small(HEAVY))
  const { ledger } = run.oracle
  assert.throws(() => measuresOf({ ...run, crashes: ['bank@hub died of Error: x'] }, HEAVY.span), /bank@hub died/)
  const broken = [{ property: 'a job runs once', text: 'job 5 started again' }]
  assert.throws(
    () => measuresOf({ ...run, broken }, HEAVY.span),
    /1 promises were broken: a job runs once: job 5 started again/,
  )
  const [job, story] = [...ledger.jobs][0] ?? []
  assert.ok(job !== undefined && story)
  ledger.jobs.set(job, { ...story, end: null })
  assert.throws(() => measuresOf(run, HEAVY.span), new RegExp(`job ${job} did not finish`))
})

test('only runs of the full span are compared with converged values, by the tolerance for their number of seeds', () => {
  const over = (seeds: number) => ({ labels: ['x'], seeds: Array.from({ length: seeds }, (_, i) => i) })
  const converged = { value: 10, tolerance: 1, ofSeeds: 20, seeds: 30 }
  const quantity = { of: 'S', ours: { mean: 11.2, halfWidth: 1 }, converged, paper: null }
  assert.is(foundOf(over(20), quantity).agrees, false)
  assert.is(foundOf(over(20), { ...quantity, ours: { mean: 9.1, halfWidth: 1 } }).agrees, true)
  assert.is(foundOf(over(5), quantity).agrees, true)
  assert.is(foundOf({ ...over(20), isComparable: false }, quantity).agrees, null)
  assert.is(foundOf(over(20), { ...quantity, ours: null }).agrees, null)
})

const commands = suite('the command of a figure')
const files = mkdtempSync(join(tmpdir(), 'bourse-figures-'))
const file = (name: string) => join(files, name)
const figure = (name: string, ...args: readonly string[]) => runScenario(`economy/${name}`, args)

const TINY: Figure = {
  name: 'economy/tiny',
  summary: 'of a test',
  title: 'Tiny',
  labels: [{ name: 'load' }],
  isQuick: () => true,
  cases: [0.5, 0.9].map((load) => ({ labels: [load], load, rows: [{ ...STANDARD, load }], quantities: () => [] })),
  charts: () => [],
  verdicts: () => [],
}

async function command(...args: readonly string[]) {
  const said = { stdout: '', stderr: '' }
  const on = (stream: keyof typeof said) => ({
    write: (text: string) => {
      said[stream] += text
    },
  })
  const shell = { stdout: on('stdout'), stderr: { ...on('stderr'), isTerminal: false }, onInterrupt: () => {} }
  return { code: await execute(scenarioOf(figureOf(TINY)), { args, ...shell }), ...said }
}

const EARLY = { earlyS: null, earlyUtilisation: null }

/** Results of figure 5 at load 0.5 as of full runs, with the given wait of user 1 at an income of 200. */
function kept(path: string, wait: number): void {
  const [values] = FIGURE_5
  assert.ok(values)
  const keep = new Checkpoint(path)
  for (const income1 of INCOMES) {
    for (const [i, sign] of [1, -1].entries()) {
      const point: Point = { ...STANDARD, load: 0.5, income1, span: FULL_SPAN, seed: replicationSeed(1, i) }
      const W = (income1 === 200 ? wait : values.waits[income1].value) * (1 + 0.001 * sign)
      const others = values.others[income1 === 50 ? 50 : 200].value
      const means = { S: 1, S1: 1, S2: 1, S3: 1, U: 1, U1: 1, U2: 1, U3: 1 }
      const result: Ran = { ...means, W, others, utilisation: 0.5, ...EARLY, jobs: 18_000, messages: 0 }
      const origin = { study: 'scenarios/economy/study/point.ts#runPoint', point, version: manifest.version }
      keep.add(keyOf(origin), origin, result)
    }
  }
}

const FULL = ['--loads', '0.5', '--seeds', '2', '--span', `${FULL_SPAN}`, '--quiet']

commands('exits with 0 when all values agree with the converged ones', async () => {
  const [values] = FIGURE_5
  assert.ok(values)
  kept(file('right'), values.waits[200].value)
  const { code, stdout, stderr } = await figure('figure-5', ...FULL, '--keep', file('right'))
  assert.is(code, 0, stderr + stdout)
  assert.match(stdout, /ok +values beyond the tolerance .* of 7: 0, expected 0/)
})

commands('exits with 1 and names a value that does not agree', async () => {
  const [values] = FIGURE_5
  assert.ok(values)
  const { value } = values.waits[200]
  kept(file('wrong'), value + 1.01 * toleranceOf(values.waits[200], 2))
  const { code, stdout } = await figure('figure-5', ...FULL, '--keep', file('wrong'))
  assert.is(code, 1)
  assert.match(stdout, /FAILED paper 0\.5 W at 200: /)
})

commands('runs each figure shortly, says that short runs are not compared, and writes the results', async () => {
  const short = ['--span', '200', '--seeds', '2', '--loads', '0.9', '--quiet', '--keep', file('short'), '--json']
  const charts = ['--svg', file('charts'), '--csv', file('values.csv'), '--markdown', file('values.md')]
  for (const [name, rows] of [
    ['figure-3-4', 4 * 9 + 2 * 8 + 2],
    ['figure-5', 2 * 7],
    ['figure-6', 10 * 3],
  ] as const) {
    const { code, stdout, stderr } = await figure(name, ...short, ...charts)
    assert.is(code, 0, stderr)
    const { results, checks } = JSON.parse(stdout)
    assert.is(results.values.rows.length, rows, name)
    assert.equal(checks, [])
    const lines = readFileSync(file('values.csv'), 'utf8').trim().split('\r\n')
    assert.is(lines.length, 1 + rows + results.verdicts.length)
    assert.match(lines[0] ?? '', /,agrees,shape$/)
    assert.is(lines.filter((line) => /,shape,.*,open$/.test(line)).length, results.verdicts.length)
    assert.match(readFileSync(file('values.md'), 'utf8'), /Not compared: the converged values are of/)
  }
  for (const name of ['figure-3', 'figure-4', 'figure-5', 'figure-6-1-2-2', 'figure-6-1-1-2']) {
    assert.match(readFileSync(file(join('charts', `${name}.svg`)), 'utf8'), /^<svg /)
  }
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--loads', '0.55'], /--loads must be among the loads of the figure \(0\.5, 0\.9\), not 0\.55/],
  [['--loads', '0'], /--loads must be positive numbers/],
  [['--only', 'nowhere'], /--only must be a part of the labels of a row, not "nowhere"/],
  [['--seeds', '1'], /--seeds must be an integer from 2/],
  [['--span', '5'], /--span must be a number from 100/],
  [['--csv', join(files, 'no', 'such', 'folder')], /--csv/],
  [['--keep', files], /must be a regular file, not a directory/],
  [['--policy', 'ECON'], /unknown flag --policy; /],
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

commands.after(() => rmSync(files, { recursive: true }))
test.run()
commands.run()
