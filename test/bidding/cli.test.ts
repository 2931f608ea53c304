/** The command `bidding/market`: its output, and its errors. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { biddingMarket } from '../../scenarios/bidding/market.ts'
import { type Act, runHere, runScenario } from './command.ts'

const market = (args: readonly string[], act?: Act) => runScenario('bidding/market', args, act)
const marketHere = (args: readonly string[]) => runHere(biddingMarket, args)

const files = mkdtempSync(join(tmpdir(), 'bourse-cli-'))
const file = (name: string, content: string): string => {
  const path = join(files, name)
  writeFileSync(path, content)
  return path
}

const usage = suite('wrong use is reported in one line, with exit code 2')

const WRONG: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
  ['an unknown flag', ['--spedes', '4'], /--spedes/],
  ['speeds that are no numbers', ['--speeds', '4,x'], /--speeds must be positive numbers.*"4,x"/],
  ['no speeds', ['--speeds', ''], /--speeds must be positive numbers.*""/],
  ['an overload without an end', ['--load', '1.2'], /--load.*--tasks/],
  ['a negative latency', ['--latency', '-1'], /--latency.*"-1"/],
  ['a missing file', ['--workload', join(files, 'nowhere.csv')], /nowhere\.csv.*no such file/],
  [
    'a bad row',
    ['--workload', file('bad.csv', 'id,arrival,work\n1,0,5\n2,soon,5\n')],
    /line 3, column arrival.*"soon"/,
  ],
  ['a fault that names no actor', ['--fault', 'kill nobody at 3'], /--fault "kill nobody at 3".*role@machine/],
  [
    'a fault on an unknown actor',
    ['--kill', '@m9 at 3'],
    /unknown actor or machine "@m9" in --kill "@m9 at 3"; known: /,
  ],
  ['real time inline', ['--time', 'real', '--runtime', 'inline'], /--runtime.*threads/],
  [
    'hosts with a pool',
    ['--time', 'real', '--runtime', 'pool', '--hosts', 'h1', '--nats', 'nats://127.0.0.1:1'],
    /--hosts needs --runtime threads, since a host gives each actor a thread of its own/,
  ],
  ['threads of a pool that is none', ['--pool-threads', '2'], /--pool-threads needs --runtime pool/],
  [
    'reliable delivery in causal order',
    ['--reliable', '--order', 'causal'],
    /--reliable cannot be combined with --order causal/,
  ],
  ['repeating at once', ['--retry', '0'], /--retry must be more than a request and its answer take \(0\), not 0/],
  [
    'an eager client that does not wait until its bids arrive',
    ['--protocol', 'eager', '--latency', '5', '--jitter', '1', '--wait', '11'],
    /--wait must be two delays \(12\) or more with --protocol eager, not 11/,
  ],
  ['points for tasks without values', ['--priority', 'points'], /--priority points needs tasks with values/],
  ['a negative criterion', ['--late-bids', '-1'], /--late-bids must be a number >= 0, or off, not "-1"/],
  ['a timeout without queries', ['--timeout', '5'], /--timeout.*--query/],
  ['a silence shorter than the query interval', ['--query', '10', '--silence', '5'], /--silence.*10/],
  ['a stretch of generated tasks', ['--stretch', '2'], /--stretch needs --workload/],
  ['a stretch of nothing', ['--workload', 'x.csv', '--stretch', '0'], /--stretch must be a number.*"0"/],
  ['a unit of generated tasks', ['--log-unit', '60'], /--log-unit needs a log \(.swf, .swf.gz\) as --workload\n/],
  ['a unit of a CSV file', ['--workload', 'x.csv', '--log-unit', '60'], /--log-unit needs a log.*, not "x\.csv"/],
  [
    'a trace that cannot be written',
    ['--trace', join(files, 'no', 'such', 'folder')],
    /cannot write --trace .*: no such folder/,
  ],
]

for (const [name, args, says] of WRONG) {
  usage(name, async () => {
    const { code, stdout, stderr } = await marketHere(args)
    assert.is(code, 2)
    assert.is(stdout, '')
    assert.match(stderr, says)
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
  })
}

usage('a process that is used wrongly prints the same, and ends with 2', async () => {
  const args = ['--spedes', '4']
  assert.equal(await market(args), await marketHere(args))
})
usage.run()

const use = suite('the market')

use('prints one JSON document, writes a row per task, and gives the same trace by threads and inline', async () => {
  const args = ['--tasks', '40', '--clients', '2', '--latency', '1', '--json', '--quiet']
  const [threads, inline] = await Promise.all(
    ['threads', 'inline'].map((runtime) =>
      market([
        ...args,
        '--runtime',
        runtime,
        '--jobs-out',
        join(files, `${runtime}.csv`),
        '--trace',
        join(files, runtime),
      ]),
    ),
  )
  const document = JSON.parse(threads?.stdout ?? '')
  assert.is(document.results.tasks, 40)
  assert.ok(document.checks.every((check: { ok: boolean }) => check.ok))
  assert.equal(document.results, JSON.parse(inline?.stdout ?? '').results)
  for (const ending of ['', '.csv']) {
    assert.is(
      readFileSync(join(files, `threads${ending}`), 'utf8'),
      readFileSync(join(files, `inline${ending}`), 'utf8'),
    )
  }
  assert.is(readFileSync(join(files, 'threads.csv'), 'utf8').trimEnd().split('\n').length, 41)
})

use('names tasks that never finished and faults that never struck', async () => {
  const args = ['--runtime', 'inline', '--tasks', '30', '--loss', '0.2', '--fault', 'kill @m1 after 2000 rfb', '--json']
  const { code, stdout } = await marketHere(args)
  assert.is(code, 0, 'mail may be lost for good here')
  const { results, checks } = JSON.parse(stdout)
  assert.ok(results.unfinished > 0)
  assert.is(results.tasks + results.unfinished, 30)
  assert.equal(results.faultsThatNeverStruck, ['kill @m1 after 2000 rfb'])
  assert.not(checks.some(({ name }: { name: string }) => name.includes('never finished')))
  const text = await marketHere(args.slice(0, -1))
  const remark = `${results.unfinished} tasks never finished, since lost messages are not sent again; --reliable sends them again`
  assert.match(text.stdout, remark)
})

use('reports the load of a log, and its dropped and odd jobs', async () => {
  const log = fileURLToPath(new URL('../fixtures/workload/log.swf', import.meta.url))
  const args = ['--runtime', 'inline', '--workload', log, '--log-unit', '10', '--stretch', '2', '--speeds', '1,1']
  const [text, document] = await Promise.all([marketHere(args), marketHere([...args, '--json'])])
  assert.match(text.stderr, /dropped: 1 not serial, .*\nodd: .*1 ran longer than requested/)
  assert.match(text.stdout, /offered load +24\.4 %/)
  const { results } = JSON.parse(document.stdout)
  // Work of 6 + 0 + 1.25 + 2.5 units, two machines, and the last of four tasks arrives at 20.
  assert.is(results.offeredLoad, 9.75 / 40)
  assert.is(results.odd['with zero run time'], 1)
  assert.is(results.dropped['not serial'], 1)
})

use('exits with 1 when a promise is broken, and prints the command that repeats the run', async () => {
  const args = ['--tasks', '20', '--seed', '3', '--runtime', 'inline', '--kill', '@m1 at 0', '--speeds', '1']
  const { code, stdout, stderr } = await market(args)
  assert.is(code, 1)
  assert.match(stdout, /FAILED tasks of living clients that never finished: 20, expected 0/)
  assert.match(stderr, /again: npx tsx scenarios\/bidding\/market\.ts --tasks 20 --seed 3/)
})

for (const runtime of ['threads', 'inline']) {
  use(`an interrupt ends it with 130 and no thread left (${runtime})`, async () => {
    const { code } = await market(['--tasks', '1000000', '--runtime', runtime], (send, seen) => {
      if (seen.includes('seed 1')) send('SIGINT')
    })
    assert.is(code, 130)
  })
}

const POOL = ['--time', 'real', '--runtime', 'pool', '--pool-threads', '2']

use('in real time in a pool all tasks end, though machines die, and the trace replays', async () => {
  const trace = join(files, 'pool.jsonl')
  const faults = [
    '--fault',
    'kill @m2 at 40',
    '--fault',
    'restart @m2 at 90',
    '--fault',
    'pause client@c1 for 20 at 60',
  ]
  const network = ['--reliable', '--loss', '0.1', '--latency', '1', '--query', '20', '--timeout', '10']
  const { code, stdout } = await market([...POOL, '--tasks', '12', ...faults, ...network, '--trace', trace])
  assert.is(code, 0, stdout)
  assert.match(stdout, /ok +tasks of living clients that never finished: 0, expected 0/)
  const replay = await runScenario('lab/replay', [trace])
  assert.match(replay.stdout, /^\d{3,} steps of 11 actors\nok +replay: identical\n/)
})

use('an interrupt ends it with 130 and no thread left (pool, real time)', async () => {
  const { code } = await market([...POOL, '--tasks', '1000000'], (send, seen) => {
    if (seen.includes('seed 1')) send('SIGINT')
  })
  assert.is(code, 130)
})

use('an interrupt ends the demonstration in real time with exit code 130', async () => {
  const { code } = await market([], (send, seen) => {
    if (seen.includes('10 of 40')) send('SIGINT')
  })
  assert.is(code, 130)
})

use.after(() => rmSync(files, { recursive: true }))
use.run()
