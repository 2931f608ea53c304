/** The command of the contracts market: its output, its files and its errors. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFlags, UsageError } from '../../lib/cli/index.ts'
import { flags } from '../../scenarios/contracts/flags.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { setUp } from '../../scenarios/contracts/setup.ts'
import { runHere, runScenario } from '../bidding/command.ts'

const files = mkdtempSync(join(tmpdir(), 'bourse-contracts-'))
const INLINE = ['--runtime', 'inline', '--quiet', '--json'] as const

test('a run of a workload file prints sums and writes a line per task', async () => {
  const [workload, jobs] = [join(files, 'tasks.csv'), join(files, 'jobs.csv')]
  writeFileSync(workload, 'id,arrival,runtime,value,decay,bound\na,0,4,40,1.5,inf\nb,0,2,10,3,inf\nc,0,8,120,2,inf\n')
  const args = ['--workload', workload, '--jobs-out', jobs, '--processors', '1', '--heuristic', 'SRPT', ...INLINE]
  const { code, stdout, stderr } = await runScenario('contracts/run', args)
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.equal([results.tasks, results.accepted, results.refused, results.offered], [3, 3, 0, 170])
  assert.equal([results.yield, results.rate, results.meanDelay], [155, 155 / 14, 8 / 3])
  assert.equal(readFileSync(jobs, 'utf8').trim().split('\n'), [
    'id,arrival,site,accepted,promised,price,start,finish,yield,paid',
    'a,0,s1,yes,4,40,2,6,37,37',
    'b,0,s1,yes,2,10,0,2,10,10',
    'c,0,s1,yes,14,108,6,14,108,108',
  ])
})

test('a task whose slack equals the threshold in decimals is accepted', async () => {
  const workload = join(files, 'threshold.csv')
  const slow = [1, 2, 3].map((id) => `${id},1,20,5,0.1,inf\n`).join('')
  writeFileSync(workload, `id,arrival,runtime,value,decay,bound\n0,0,10,100,1,inf\n${slow}4,1,10,12,1,inf\n`)
  const site = ['--sites', '1', '--processors', '1', '--heuristic', 'FirstPrice', '--discount', '0', '--threshold', '0']
  const { code, stdout, stderr } = await runHere(contractsRun, ['--workload', workload, ...site, ...INLINE])
  assert.is(code, 0, stderr)
  assert.is(JSON.parse(stdout).results.accepted, 5)
})

test('with delays, tasks are preempted and no invariant is violated', async () => {
  const args = ['--preempt', '1', '--latency', '5', '--tasks', '60', ...INLINE]
  const { code, stdout, stderr } = await runHere(contractsRun, args)
  assert.is(code, 0, stderr)
  assert.ok(JSON.parse(stdout).results.preempted > 0)
})

test('the trace of a run whose sites accept every task is replayed step by step', async () => {
  const trace = join(files, 'run.jsonl')
  const args = ['--sites', '2', '--tasks', '40', '--processors', '1', '--decay-skew', '20', '--trace', trace, ...INLINE]
  assert.is((await runHere(contractsRun, args)).code, 0)
  const { code, stdout } = await runScenario('lab/replay', [trace])
  assert.is(code, 0, stdout)
})

test('the results of a run with a killed site show contracts given up, claims, and the tasks done elsewhere', async () => {
  const jobs = join(files, 'faults.csv')
  const args = ['--sites', '2', '--processors', '1', '--tasks', '20', '--kill', '@s1 at 300', '--jobs-out', jobs]
  const { code, stdout, stderr } = await runHere(contractsRun, [...args, ...INLINE])
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.ok(results.lost > 0 && results.claimed > 0, stdout)
  const lines = readFileSync(jobs, 'utf8').trim().split('\n').slice(1)
  const late = lines.filter((line) => Number(line.split(',')[7]) > 300)
  assert.ok(late.length > 0 && late.every((line) => line.split(',')[2] === 's2'))
})

test('--only-tasks runs only the given tasks', async () => {
  const args = ['--tasks', '5', '--only-tasks', '1,3', ...INLINE]
  const { code, stdout, stderr } = await runHere(contractsRun, args)
  assert.is(code, 0, stderr)
  assert.is(JSON.parse(stdout).results.tasks, 2)
})

test('with --faults of the explorer all actors have patience, although the run itself names no fault', async () => {
  const args = ['--scenario', 'contracts/run', '--tasks', '4', '--sites', '2', '--processors', '1', '--schedules', '6']
  const may = ['--strategy', 'fifo', '--faults', 'kill any site', '--parallel', '1', '--json', '--quiet']
  const { code, stdout } = await runScenario('lab/explore', [...args, ...may])
  assert.is(code, 0, stdout)
  assert.not(JSON.parse(stdout).results.neverSeen.includes('site given up'))
})

test('a client learns that no site accepts its task', async () => {
  const args = ['--threshold', '1e9', '--tasks', '20', '--sites', '2', ...INLINE]
  const { code, stdout, stderr } = await runHere(contractsRun, args)
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.equal([results.accepted, results.refused, results.paid], [0, 20, 0])
})

test('faults and duplicated mail without --reliable turn patience on', () => {
  const of = (...args: string[]) => setUp(parseFlags(flags, ['--latency', '1', ...args]).options).model.patience
  assert.equal([of(), of('--duplicate', '0.1'), of('--duplicate', '0.1', '--reliable')], [null, units(14), null])
  assert.equal([of('--kill', '@s1 at 5'), of('--duplicate', '0.1', '--patience', 'off')], [units(14), null])
})

test('a note warns that lost mail may make a run wait or repeat without end', async () => {
  for (const [patience, says] of [
    ['off', /may wait for ever for an answer/],
    ['9', /begin again without end; --reliable prevents this/],
  ] as const) {
    const lossy = ['--tasks', '2', '--loss', '0.001', '--patience', patience, '--runtime', 'inline']
    assert.match((await runHere(contractsRun, lossy)).stderr, says)
    assert.not.match((await runHere(contractsRun, [...lossy, '--reliable'])).stderr, says)
  }
})

const WRONG: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--heuristic', 'EDF'], /--heuristic must be FCFS, SRPT/],
  [['--threshold', 'much'], /--threshold must be a number .* or off, not "much"/],
  [['--bound', '-1'], /--bound must be a number from 0/],
  [['--alpha', '2'], /--alpha must be a number from 0 to 1/],
  [['--gaps', 'even'], /--gaps must be exponential, or the coefficient of variation/],
  [['--value-skew', '0.5'], /--value-skew must be a number from 1/],
  [['--sites', '100', '--processors', '100'], /--sites and --processors may make at most 1023 actors, not 10102/],
  [['--stretch', '2'], /--stretch needs --workload/],
  [
    ['--fault', 'kill @s1 at 5', '--patience', 'off'],
    /--patience must be a time, not "off": with faults some answers never come/,
  ],
  [['--only-tasks', '1,5', '--tasks', '5'], /--only-tasks must be numbers below 5, not 5/],
  [['--patience', '4', '--latency', '2'], /--patience must be more than two delays \(4\), not 4/],
]

for (const [args, says] of WRONG) {
  test(`refuses ${args.join(' ')}`, () => {
    assert.throws(
      () => contractsRun.specification(parseFlags(flags, args).given),
      (error: unknown) => error instanceof UsageError && says.test(error.message),
    )
  })
}

test.after(() => rmSync(files, { recursive: true }))
test.run()
