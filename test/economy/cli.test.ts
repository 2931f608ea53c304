/** Tests of the commands of the economy: output, files and errors. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { parseFlags, UsageError } from '../../lib/cli/index.ts'
import { flags } from '../../scenarios/economy/flags.ts'
import { economyRun } from '../../scenarios/economy/run.ts'
import { runHere, runScenario } from '../bidding/command.ts'

const economy = (args: readonly string[]) => runHere(economyRun, args)
const SMALL = ['--runtime', 'inline', '--processors', '8', '--users', '3', '--span', '400'] as const

const files = mkdtempSync(join(tmpdir(), 'bourse-economy-'))
const file = (name: string, content: string): string => {
  const path = join(files, name)
  writeFileSync(path, content)
  return path
}

const HEAD = 'id,arrival,user,class,processors,service'
const csv = (name: string, rows: readonly string[], more = ''): readonly string[] => [
  ...['--workload', file(name, [`${HEAD}${more}`, ...rows, ''].join('\n'))],
]
/** 18 columns of a log: number, submit, run time, processors, user. */
const entry = (number: number, submit: number, run: string, processors: number, user: number): string =>
  [number, submit, 0, run, processors, -1, -1, processors, -1, -1, 1, user, -1, -1, -1, -1, -1, -1].join(' ')

const usage = suite('wrong use is one line and exit 2')

const WRONG: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
  ['an unknown policy', ['--policy', 'SJF'], /--policy must be FCFS, RES or ECON, not "SJF"/],
  ['an unknown preset', ['--preset', 'mine'], /--preset must be paper or literal, not "mine"/],
  ['unknown rates', ['--rates', 'equal'], /--rates must be weighted or unweighted/],
  ['no processors', ['--processors', '0'], /--processors must be an integer from 1 to 1000, not "0"/],
  ['no load', ['--load', '0'], /--load must be a number.*not "0"/],
  [
    'more jobs than a run can have',
    ['--span', '1e9', '--load', '100'],
    /--load 100 and --span 1000000000 make more than about a million/,
  ],
  ['too many actors', ['--processors', '900', '--users', '200'], /--users must be at most 121 with 900 proc.*not 200/],
  ['targets with a zero', ['--targets', '1:0:2'], /--targets must be three numbers >= 0.0001.*not "1:0:2"/],
  ['two targets', ['--targets', '1:2'], /--targets must be three numbers.*not "1:2"/],
  ['a coefficient of 0', ['--coefficients', '0:1:1'], /--coefficients must be three numbers >= 0.0001.*"0:1:1"/],
  [
    'incomes of the wrong length',
    ['--incomes', '1,2,3'],
    /--incomes must be one amount or 10, not 3: one for all users, or one for each$/,
  ],
  ['a negative income', ['--incomes', '-5'], /--incomes must be a number from 0 to 1000000000, not "-5"/],
  ['savings of the wrong length', ['--users', '3', '--savings', '1,2'], /--savings must be one amount or 3, not 2/],
  ['savings above the cap', ['--savings', '50', '--cap', '40'], /--savings must be at most the cap \(40\), not 50/],
  ['a stretch of generated jobs', ['--stretch', '2'], /--stretch needs --workload/],
  [
    'jobs wider than the machine',
    ['--processors', '2', '--widest', '5'],
    /--widest 5 makes jobs.*at most --processors 2$/,
  ],
  [
    'widths of read jobs',
    [...csv('wide.csv', ['a,0,u1,1,1,5']), '--widest', '2'],
    /--widest cannot be combined with --work/,
  ],
  ['pieces of no time', ['--overrun', '0'], /--overrun must be a time > 0, or off, not "0"/],
  ['an alpha of 0', ['--alpha', '0'], /--alpha must be a number.*not "0"/],
  ['jobs that there are not', [...SMALL, '--only-jobs', '5,9999'], /--only-jobs must be numbers below \d+, not 9999/],
  [
    'a patience that is shorter than two delays',
    ['--latency', '5', '--patience', '10'],
    /--patience must be more than two delays \(10\), not 10/,
  ],
  [
    'a fault on an actor there is not',
    ['--kill', '@p999 at 3'],
    /unknown actor or machine "@p999" in --kill "@p999 at 3"/,
  ],
  ['a fault on the bank where nothing is paid', ['--policy', 'RES', '--kill', 'bank@hub at 3'], /bank@hub/],
  ['a missing file', ['--workload', join(files, 'nowhere.csv')], /nowhere\.csv.*no such file/],
  ['a negative deposit', csv('debt.csv', ['a,0,u1,1,1,5,-3'], ',deposit'), /line 2, column deposit.*"-3"/],
  [
    'a fourth class',
    csv('class.csv', ['a,0,u1,1,1,5', 'b,1,u1,4,1,5']),
    /line 3, column class must be 1, 2 or 3, not "4"/,
  ],
  ['a row without a service', csv('short.csv', ['a,0,u1,1,1']), /line 2 must have 6 columns/],
  [
    'a user beyond --users',
    [...csv('stranger.csv', ['a,0,u1,1,1,5', 'b,1,u7,1,1,5']), '--users', '3'],
    /stranger\.csv has the user "u7", but --users 3 allows only u1 to u3/,
  ],
  [
    'a user beyond --incomes',
    [...csv('third.csv', ['a,0,u1,1,1,5', 'b,1,u2,1,1,5', 'c,1,u3,1,1,5']), '--incomes', '100,50'],
    /--incomes must be one amount or 3, not 2: one for all users, or one for each$/,
  ],
  [
    'a row of a log that cannot be read',
    ['--workload', file('bad.swf', `; MaxProcs: 8\n${entry(1, 0, '60', 2, 1)}\n${entry(2, 5, 'soon', 2, 1)}\n`)],
    /bad\.swf, line 3, column 4 \(run\) must be a number, not "soon"/,
  ],
]

function refusal(args: readonly string[]): string {
  try {
    economyRun.specification(parseFlags(flags, args).given)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'taken'
}

for (const [name, args, says] of WRONG) {
  usage(name, () => {
    const message = refusal(args)
    assert.match(message, says)
    assert.is(message.split('\n').length, 1)
  })
}

usage('the command prints one line and exits with 2', async () => {
  const { code, stdout, stderr } = await runScenario('economy/run', csv('debts.csv', ['a,0,u1,1,1,5,-3'], ',deposit'))
  assert.is(code, 2)
  assert.is(stdout, '')
  assert.match(stderr, /^bourse: --workload .*debts\.csv, line 2, column deposit must be .*"-3"\n$/)
})

const said = suite('the model that the flags describe')

const economyOf = (args: readonly string[]) => economyRun.modelOf(parseFlags(flags, args).given)

said('incomes go to users by their numbers, also where a file names them in another order', () => {
  const { users } = economyOf([
    ...csv('ten.csv', ['a,0,u10,1,1,5', 'b,1,u2,1,1,5']),
    '--incomes',
    '1,7',
    '--savings',
    '3',
  ])
  assert.equal(
    Object.entries(users).map(([name, { income, savings }]) => [name, income, savings]),
    [
      ['u2', 1, 3],
      ['u10', 7, 3],
    ],
  )
})

said('extra time is sold in pieces of ten minutes if a job needs any, or in pieces of --overrun', () => {
  const exact = csv('exact.csv', ['a,0,u1,1,1,5,5'], ',actual')
  const longer = csv('longer.csv', ['a,0,u1,1,1,5,6'], ',actual')
  assert.is(economyOf(exact).overrun, null)
  assert.equal(economyOf(longer).overrun, { lasts: units(10), alpha: 0.1, grace: 0 })
  assert.equal(economyOf([...exact, '--overrun', '3', '--alpha', '2', '--latency', '1', '--jitter', '4']).overrun, {
    lasts: units(3),
    alpha: 2,
    grace: units(10),
  })
  assert.is(economyOf([...longer, '--overrun', 'off']).overrun, null)
})

said('only ECON has a bank, and only users with targets get statistics', () => {
  assert.is(economyOf(['--policy', 'RES']).market, null)
  assert.equal(economyOf(['--run-income', '--rates', 'unweighted']).market, {
    sharing: { rates: 'unweighted', running: true },
    statistics: null,
  })
  const steered = economyOf(['--targets', '1:2:2', '--span', '700'])
  assert.equal(steered.market?.statistics, { every: units(2000), until: units(700) })
  assert.equal(steered.users['u10']?.targets, [1, 2, 2])
})

said('faults turn patience on, and it is longer than two answers take', () => {
  const of = (args: readonly string[]) => {
    const { patience, durable } = economyOf(['--latency', '2', '--jitter', '1', ...args])
    return [patience, durable]
  }
  assert.equal(of([]), [null, false])
  assert.equal(of(['--kill', '@p3 at 5']), [units(22), true])
  assert.equal(of(['--kill', '@p3 at 5', '--patience', 'off']), [null, false])
  assert.equal(of(['--patience', '7']), [units(7), true])
})

said('--jobs and --only-jobs choose from the jobs of the full run', () => {
  const all = economyOf(['--span', '400']).jobs
  assert.equal(economyOf(['--span', '400', '--jobs', '5']).jobs, all.slice(0, 5))
  assert.equal(economyOf(['--span', '400', '--only-jobs', '1,3']).only, [1, 3])
})

const runs = suite('one run')

runs('the jobs of a file have a line each, and those that are too large are refused and accounted for', async () => {
  const out = join(files, 'jobs.csv')
  const rows = ['a,0,u1,1,2,10,30', 'wide,1,u2,3,9,5,70', 'b,2,u2,2,8,5,0']
  const args = [...csv('three.csv', rows, ',deposit'), '--savings', '100', '--incomes', '0', '--processors', '8']
  const { code, stdout, stderr } = await economy([...args, '--runtime', 'inline', '--json', '--jobs-out', out])
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.is(results.refused, 1)
  assert.is(results.unfinished, 0)
  assert.is(results.forfeited, 70)
  assert.is(results.income, 30)
  assert.is(results.users.u1.savings, 70)
  assert.is(results.users.u2.savings, 30)
  assert.is(results.all.jobs, 2)
  // b waits from 2 to 10 and takes 5: 10 + 13 minutes for two
  assert.is(results.all.response, 11.5)
  assert.is(results.all.slowdown, (1 + 13 / 5) / 2)
  assert.is(results.all.wait, 4)
  assert.is(results.classes[2].response, 13)
  assert.is(results.utilisation, (2 * 10 + 8 * 5) / (8 * 15))
  assert.equal(readFileSync(out, 'utf8').split('\n'), [
    'id,user,class,processors,arrival,start,finish,paid,wasted,kind',
    'a,u1,1,2,0,0,10,30,0,direct',
    'wide,u2,3,9,1,,,,,refused',
    'b,u2,2,8,2,10,15,0,0,direct',
    '',
  ])
})

runs('a run of a log has the users that the log names', async () => {
  const log = `; MaxProcs: 8\n${entry(7, 100, '120', 2, 41)}\n${entry(9, 160, '60', 8, 13)}\n${entry(10, 170, '-1', 8, 13)}\n`
  const args = ['--workload', file('log.swf', log), '--processors', '8', '--runtime', 'inline', '--json', '--quiet']
  const { code, stdout, stderr } = await economy(args)
  assert.is(code, 0, stderr)
  const { results } = JSON.parse(stdout)
  assert.equal(Object.keys(results.users), ['u1', 'u2'])
  assert.is(results.all.wait, 0.5)
  assert.equal(results.dropped, { 'without a run time': 1 })
})

runs('every policy, preset and reading ends without a violation', async () => {
  for (const args of [
    ['--policy', 'FCFS'],
    ['--policy', 'RES'],
    ['--preset', 'literal', '--rates', 'unweighted', '--run-income', '--future', '--targets', '1:2:2'],
    ['--latency', '1', '--jitter', '2', '--patience', '12'],
    ['--loss', '0.1', '--duplicate', '0.1', '--reliable'],
    ['--schedule', '7', '--incomes', '50,100,200', '--coefficients', '1:2:4', '--only-jobs', '1,3,4,5,6'],
  ]) {
    const { code, stdout, stderr } = await economy([...SMALL, ...args])
    assert.is(code, 0, `${args.join(' ')}: ${stdout}${stderr}`)
  }
})

runs('with faults bank, scheduler and users have patience and keep records by default', async () => {
  const faults = [
    ...['--kill', '@p3 at 100', '--fault', 'restart @p3 at 200'],
    ...['--kill', 'bank@hub at 60', '--fault', 'restart bank@hub at 90'],
    ...['--kill', 'scheduler@hub at 150', '--fault', 'restart scheduler@hub at 170'],
  ]
  const { code, stdout, stderr } = await economy([...SMALL, ...faults, '--json'])
  assert.is(code, 0, stderr)
  assert.is(JSON.parse(stdout).results.unfinished, 0)
})

runs('a run with patience and lost mail notes that jobs may begin again without end', async () => {
  const lossy = [...SMALL, '--loss', '0.001']
  const warns = /begin again without end; --reliable/
  assert.match((await economy([...lossy, '--patience', '10'])).stderr, warns)
  for (const args of [lossy, [...lossy, '--patience', '10', '--reliable'], [...SMALL, '--patience', '10']]) {
    assert.not.match((await economy(args)).stderr, warns, args.join(' '))
  }
})

runs('a run on threads has the same trace as inline', async () => {
  const args = ['--processors', '4', '--users', '2', '--span', '150', '--check-determinism', '--quiet']
  const { code, stdout, stderr } = await economy(args)
  assert.is(code, 0, stderr)
  assert.is(stdout.split('\n').filter((line) => line.startsWith('ok     the trace of a run')).length, 3)
})

runs('a network that loses mail may leave jobs without an end, and the results count them', async () => {
  const { code, stdout } = await economy([...SMALL, '--loss', '0.3', '--json', '--quiet'])
  assert.is(code, 0)
  assert.ok(JSON.parse(stdout).results.unfinished > 0)
})

runs('without flags the three policies run the same jobs', async () => {
  const { code, stdout, stderr } = await runScenario('economy/run', ['--json', '--quiet'])
  assert.is(code, 0, stderr)
  const { FCFS, RES, ECON } = JSON.parse(stdout).results
  assert.is(FCFS.all.jobs, ECON.all.jobs)
  assert.is(RES.all.jobs, ECON.all.jobs)
  assert.ok(ECON.all.response < RES.all.response && RES.all.response < FCFS.all.response)
})

usage.run()
said.run()
runs.after(() => rmSync(files, { recursive: true }))
runs.run()
