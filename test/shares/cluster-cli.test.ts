/** The command `shares/cluster`: its output, and its errors. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFlags, UsageError } from '../../lib/cli/index.ts'
import { parseFault } from '../../lib/scenario/faults.ts'
import { sharesCluster } from '../../scenarios/shares/cluster.ts'
import { describe } from '../../scenarios/shares/description.ts'
import { flags, sensible } from '../../scenarios/shares/flags.ts'
import { calmPeriods } from '../../scenarios/shares/shares.ts'
import { runHere, runScenario } from '../bidding/command.ts'

const cluster = (...args: readonly string[]) => runHere(sharesCluster, args)

const files = mkdtempSync(join(tmpdir(), 'bourse-cluster-'))

const usage = suite('wrong use of the cluster is reported in one line')

const WRONG: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
  ['tickets of nothing', ['--jobs', 'A@m1:0'], /--jobs must be .* with tickets from 0.001 to 1000000, not "A@m1:0"/],
  [
    'a user with less than nothing',
    ['--user', 'A=-1'],
    /--user must be NAME=TICKETS with tickets from 0.001 to 1000000, not "A=-1"/,
  ],
  ['a user of no name', ['--user', 'base=7'], /--user must be NAME=TICKETS.*"base=7"/],
  ['more tickets than there may be', ['--jobs', 'A@m1:1e308'], /--jobs must be .* to 1000000, not "A@m1:1e308"/],
  ['hardly any tickets', ['--user', 'A=1e-9'], /--user must be .* from 0.001 .*, not "A=1e-9"/],
  ['a user without jobs', ['--user', 'Z=100'], /--user "Z" has no jobs, and no currency holds its tickets/],
  ['a quantum beyond all', ['--quantum', '1e6'], /--quantum must be at most the measured time \(18000\)/],
  [
    'a period without ticket servers',
    ['--independent', '--period', '5'],
    /--independent cannot be combined with --period/,
  ],
  [
    'patience without ticket servers',
    ['--independent', '--patience', '5'],
    /--independent cannot be combined with --patience/,
  ],
  ['a machine without a user', ['--jobs', 'm1'], /--jobs must be USER@MACHINE.*not "m1"/],
  ['a user without a machine', ['--jobs', 'A@m1,B@'], /--jobs must be USER@MACHINE.*not "B@"/],
  ['an unknown machine', ['--jobs', 'A@m1,m9'], /unknown machine "m9" in --jobs; known: m1, m2, m3, m4/],
  ['a currency that holds itself', ['--currency', 'a=a:1'], /--currency "a" may not hold itself/],
  ['a circle of currencies', ['--currency', 'a=b:1', '--currency', 'b=a:1'], /--currency "b" may not hold itself/],
  [
    'a currency with tickets of an unknown user',
    ['--currency', 'a=nobody:1'],
    /unknown user or currency "nobody" in --currency/,
  ],
  ['a currency that is a user', ['--currency', 'a=A:1', '--user', 'a=3'], /--user "a" is the name of a --currency/],
  ['a user given twice', ['--user', 'A=1', '--user', 'A=2'], /--user may name "A" only once/],
  ['no machines', ['--machines', '0'], /--machines must be an integer from 1 to 300, not "0"/],
  ['a period of nothing', ['--period', '0'], /--period must be a time > 0/],
  ['a quantum of nothing', ['--quantum', '0'], /--quantum must be a time > 0/],
  ['more patience than a period', ['--patience', '1000'], /--patience must be less than --period \(1000\), not 1000/],
  [
    'real time without patience',
    ['--time', 'real', '--patience', '0'],
    /--patience must be a time > 0, not "0": in real time/,
  ],
  ['an end before shares have settled', ['--until', '2999'], /--until must be at least 3000, .*not 2999/],
  [
    'currencies without a ticket server that announces them',
    ['--independent', '--currency', 'a=A:1'],
    /--independent cannot be combined with --currency/,
  ],
]

for (const [name, args, says] of WRONG) {
  usage(name, () => {
    try {
      const { options } = parseFlags(flags, args)
      sensible(options)
      describe(options)
    } catch (error) {
      assert.instance(error, UsageError)
      assert.match(String(error), says)
      assert.not.match(String(error), /\n/)
      return
    }
    assert.unreachable()
  })
}

for (const [name, args, says] of [
  [
    'a circle of currencies exits with 2',
    ['--currency', 'a=b:1', '--currency', 'b=a:1'],
    /--currency "b" may not hold itself/,
  ],
  [
    'so does a fault on a server there is not',
    ['--independent', '--kill', 'ticket-server@m1 at 3'],
    /unknown actor or machine .* in --kill/,
  ],
] as const) {
  usage(name, async () => {
    const { code, stdout, stderr } = await runScenario('shares/cluster', args)
    assert.is(code, 2)
    assert.is(stdout, '')
    assert.match(stderr, says)
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
  })
}
usage.run()

const reading = suite('reading jobs and machines')

const jobsOf = (...args: readonly string[]) =>
  describe(parseFlags(flags, args).options).jobs.map(({ job, amount }) => `${job} ${amount}`)

reading('a machine without a user belongs to the user before it', () => {
  const all = ['A.m1 1', 'A.m2 1', 'B.m2 2', 'C.m3 1']
  assert.equal(jobsOf('--jobs', 'A@m1,A@m2,B@m2:2,C@m3'), all)
  assert.equal(jobsOf('--jobs', 'A@m1,m2,B@m2:2', '--jobs', 'C@m3'), all)
})
reading('two jobs of one user on a machine have names of their own', () => {
  assert.equal(jobsOf('--jobs', 'A@m1,m1:2', '--jobs', 'A@m1:3'), ['A.m1 1', 'A.m1.2 2', 'A.m1.3 3'])
})
reading.run()

const rules = suite('checks of a run')

const calmUnder = (...faults: readonly string[]) =>
  calmPeriods(
    faults.map((one) => parseFault(one)),
    { from: 3, until: 10 },
    1,
    2,
  ).map(({ from }) => from)

rules('shares are due in all periods, except in an outage and until all is known again', () => {
  assert.equal(calmUnder(), [3, 4, 5, 6, 7, 8, 9])
  const [kill, restart] = ['kill ticket-server@m1 at 0.000004', 'restart ticket-server@m1 at 0.000005']
  assert.equal(calmUnder(kill, restart), [3, 7, 8, 9])
  assert.equal(calmUnder(restart), [3, 4, 7, 8, 9])
  assert.equal(calmUnder(kill), [3], 'it never comes back')
  assert.equal(calmUnder(kill, 'restart ticket-server@m2 at 0.000005'), [3], 'another comes back')
})

rules('no shares are due when machines, links or random actors fail', () => {
  for (const fault of [
    'kill @m1 at 20',
    'kill processor@m1 at 20',
    'partition m1 | m2 at 1 until 2',
    'kill random every 9',
  ]) {
    assert.equal(calmUnder(fault), [], fault)
  }
  assert.equal(calmUnder('kill ticket-server@m1 after 3 report'), [])
})
rules.run()

const use = suite('the cluster')

use("without flags it shows the paper's instance, independent and cooperating, and what agrees", async () => {
  const { code, stdout } = await runScenario('shares/cluster', [])
  assert.is(code, 0)
  assert.match(stdout, /\nA +m1,m2,m3,m4 +2\.000 +2\.000 +0\.800 +0\.800 +agrees\n/)
  for (const user of ['B', 'C', 'D', 'E']) {
    assert.match(stdout, new RegExp(`\\n${user} .* 0\\.500 +0\\.500 +0\\.800 +0\\.800 +agrees\\n`))
  }
  assert.match(stdout, /\n0 to 1000 +2\.000 .*\n1000 to 12000 +0\.800 /)
})

use('has the same results, rows and trace by threads and inline, with a ticket server that dies', async () => {
  const of = (runtime: string) =>
    cluster(
      ...['--runtime', runtime, '--json', '--quiet', '--until', '6000', '--latency', '1'],
      ...['--kill', 'ticket-server@m1 at 4500', '--fault', 'restart ticket-server@m1 at 5500'],
      ...['--jobs-out', join(files, `${runtime}.csv`), '--trace', join(files, runtime)],
    )
  const [threads, inline] = await Promise.all([of('threads'), of('inline')])
  assert.is(threads.code, 0)
  const { results, checks } = JSON.parse(threads.stdout)
  assert.ok(checks.some(({ name }: { name: string }) => /share of .* while all ticket servers knew/.test(name)))
  assert.equal(results.overTime.length, 6)
  assert.equal(results, JSON.parse(inline.stdout).results)
  assert.equal(Object.keys(results.shares), ['A', 'B', 'C', 'D', 'E'])
  assert.ok(results.shares.A > 0.85, 'A has more while its first machine knows of no other')
  for (const ending of ['', '.csv']) {
    const [one, other] = ['threads', 'inline'].map((name) => readFileSync(join(files, `${name}${ending}`), 'utf8'))
    assert.is(one, other)
  }
  const rows = readFileSync(join(files, 'inline.csv'), 'utf8').trimEnd().split('\n')
  assert.is(rows[0], 'job,machine,cpu')
  assert.is(rows.length, 9)
})

use('switching time is charged to the incoming job: shares that include it are as promised', async () => {
  const { code, stdout } = await cluster('--runtime', 'inline', '--quiet', '--switch', '30', '--until', '5000')
  assert.is(code, 0, stdout)
  assert.match(stdout, /^Shares of machines from 2000 to 5000 ms,/)
  assert.match(stdout, /ok +the job farthest from its share of what its machine did: 0,/)
})

use('in real time it shows the shares of each period while the run goes on', async () => {
  const { stdout, stderr } = await cluster('--time', 'real', '--scale', '0.5', '--machines', '1', '--until', '3000')
  assert.match(stderr, /\n +1000 {2}A \d\.\d{3} {2}B \d\.\d{3}\n +2000 {2}A /)
  // what the computer lost is told, and breaks no promise of the protocol
  assert.match(stdout, /\nthe least busy machine did nothing for \d+\.\d % of its time\n/)
  assert.not.match(stdout, /the time that the least busy machine lost/)
})

use('runs some of its jobs alone', async () => {
  const { code, stdout } = await cluster('--quiet', '--runtime', 'inline', '--until', '4000', '--only-jobs', '0,4')
  assert.is(code, 0)
  assert.match(stdout, /\nA +100 +m1 +0\.500 +0\.500\n/)
  assert.match(stdout, /\nB +100 +m1 +0\.500 +0\.500\n\n/)
})

use('its help names the actors of this scenario', async () => {
  const { stdout } = await cluster('--help')
  assert.match(stdout, /kill ticket-server@m2 at 500/)
  assert.not.match(stdout, /contractor|rfb|client@/)
})

use('two users fund a project, whose jobs begin when all know of it', async () => {
  const { code, stdout } = await cluster(
    ...['--runtime', 'inline', '--json', '--user', 'alice=200', '--user', 'bob=100'],
    ...[
      '--currency',
      'proj=alice:300,bob:10',
      '--jobs',
      'alice@m1:100',
      '--jobs',
      'bob@m2:30',
      '--jobs',
      'proj@m1:2,m2:5',
    ],
  )
  assert.is(code, 0)
  const { results } = JSON.parse(stdout)
  // 50 of alice and 50 of proj on m1, 75 of bob and 125 on m2
  assert.equal(results.due, { alice: 0.5, bob: 75 / 200, proj: 0.5 + 125 / 200 })
  assert.ok(Math.abs(results.shares.proj - results.due.proj) < 0.01)
})

use.after(() => rmSync(files, { recursive: true }))
use.run()
