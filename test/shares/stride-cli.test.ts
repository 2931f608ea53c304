/** The command `shares/stride`: figures 1 and 2, its output, and its errors. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseFlags, UsageError } from '../../lib/cli/index.ts'
import { flags, requireSense } from '../../scenarios/shares/stride/flags.ts'
import { stride as scenario } from '../../scenarios/shares/stride.ts'
import { runHere, runScenario } from '../bidding/command.ts'
import { FIGURE_1 } from './golden/figure-1.ts'
import { FIGURE_2 } from './golden/figure-2.ts'
import { QUARTERS } from './golden/stride.ts'

const stride = (...args: readonly string[]) => runHere(scenario, args)

async function resultsOf(...args: readonly string[]) {
  const { code, stdout, stderr } = await stride('--json', '--quiet', ...args)
  assert.is(code, 0, stderr)
  return JSON.parse(stdout).results
}

const usage = suite('wrong use of one machine is reported in one line')

const WRONG: readonly (readonly [name: string, args: readonly string[], says: string])[] = [
  [
    'no tickets',
    ['--clients', 'A:0'],
    '--clients must be NAME:TICKETS,... with tickets from 0.001 to 1000000, not "A:0"',
  ],
  [
    'negative tickets',
    ['--clients', 'B:2,A:-1'],
    '--clients must be NAME:TICKETS,... with tickets from 0.001 to 1000000, not "A:-1"',
  ],
  ['one name twice', ['--clients', 'A:1,A:2'], '--clients may name "A" only once'],
  ['an unknown sleeper', ['--sleeper', 'D:1:2'], 'unknown client "D" in --sleeper; known: A, B, C'],
  [
    'more tickets than there may be',
    ['--clients', 'A:1e308,B:1'],
    '--clients must be NAME:TICKETS,... with tickets from 0.001 to 1000000, not "A:1e308"',
  ],
  [
    'longer than the longest time',
    ['--quantum', '1e9', '--quanta', '1000000'],
    '--quanta may come to at most 1000000000 units in all, not 1000000 times 1000000000',
  ],
  ['a run of nothing', ['--sleeper', 'A:0:2'], '--sleeper must be NAME:RUN:SLEEP in units, with RUN > 0, not "A:0:2"'],
  [
    'an unknown client that declines',
    ['--policy', 'loan', '--declines', 'Z'],
    'unknown client "Z" in --declines; known: A, B, C',
  ],
  ['declining loans under another policy', ['--declines', 'A'], '--declines needs --policy loan'],
  [
    'a catch-up time of 0',
    ['--policy', 'credit', '--catch-up', '0'],
    '--catch-up must be a number > 0 and <= 1000, or adaptive, not "0"',
  ],
  ['adaptive loans', ['--policy', 'loan', '--catch-up', 'adaptive'], '--catch-up adaptive needs --policy credit'],
  ['a cap of everything', ['--policy', 'credit', '--cap', '100'], '--cap must be a number > 0 and <= 99.9, not "100"'],
  ['a cap without credit', ['--cap', '50'], '--cap needs --policy credit'],
  ['no quanta', ['--quanta', '0'], '--quanta must be an integer from 1 to 1000000, not "0"'],
  ['a quantum of nothing', ['--quantum', '0'], '--quantum must be a time > 0, not "0"'],
]

for (const [name, args, says] of WRONG) {
  usage(name, () => {
    assert.throws(
      () => requireSense(parseFlags(flags, args).options),
      (error: unknown) => error instanceof UsageError && error.message === says,
    )
  })
}

usage('and ends with exit code 2', async () => {
  const { code, stdout, stderr } = await runScenario('shares/stride', ['--clients', 'A:0'])
  assert.equal([code, stdout], [2, ''])
  assert.is(stderr, 'bourse: --clients must be NAME:TICKETS,... with tickets from 0.001 to 1000000, not "A:0"\n')
})

usage.run()

const use = suite('one machine')
const files = mkdtempSync(join(tmpdir(), 'bourse-stride-'))

for (const runtime of ['threads', 'inline']) {
  for (const { start, schedule } of FIGURE_1) {
    use(`figure 1 where the first pass is ${start} (${runtime})`, async () => {
      const { order, cpu, shares, wanted, errors } = await resultsOf('--start', start, '--runtime', runtime)
      assert.is(order, schedule)
      assert.equal(cpu, { A: 2, B: 4, C: 6 })
      assert.equal(shares, { A: 2 / 12, B: 4 / 12, C: 6 / 12 })
      assert.equal(wanted, shares)
      assert.equal(errors, { A: 0, B: 0, C: 0 })
    })
  }
}

for (const { policy, schedule } of FIGURE_2) {
  use(`figure 2 with ${policy}, and a line per job`, async () => {
    const file = join(files, `${policy}.csv`)
    const how = policy === 'loan' ? ['--policy', 'loan', '--declines', 'A'] : ['--policy', 'credit']
    const clients = ['--clients', 'A:1,B:1,C:1', '--sleeper', 'C:2:6', '--sleeper', 'C:100:0']
    const { order } = await resultsOf(...clients, ...how, '--quanta', '18', '--runtime', 'inline', '--jobs-out', file)
    assert.is(order, schedule)
    assert.is(readFileSync(file, 'utf8'), 'job,machine,cpu\nA,m1,6\nB,m1,6\nC,m1,6\n')
  })
}

use('a client that yields after a quarter of a quantum has four turns for one', async () => {
  const args = ['--clients', 'A:1,B:1', '--sleeper', 'B:0.25:0', '--quanta', '6', '--runtime', 'inline']
  const { order } = await resultsOf(...args)
  assert.is(order.slice(0, QUARTERS.schedule.length), QUARTERS.schedule)
})

// the exhaustible tickets of a sleeper outlast the quanta
for (const args of [
  ['--policy', 'loan', '--sleeper', 'A:3:6', '--quanta', '38', '--clients', 'A:1,B:1,C:1'],
  ['--policy', 'credit', '--catch-up', 'adaptive', '--sleeper', 'A:3:6', '--quanta', '40', '--clients', 'A:1,B:1,C:1'],
  ['--policy', 'credit', '--cap', '99.9', '--sleeper', 'A:1:1', '--preempt', '--quanta', '20', '--clients', 'A:1,B:1'],
]) {
  use(`the quanta may end anywhere: ${args.join(' ')}`, async () => {
    const { code, stdout } = await stride('--runtime', 'inline', '--quiet', ...args)
    assert.is(code, 0, stdout)
    assert.match(stdout, /ok +clients still there when all quanta were over: none/)
  })
}

use('says that short quanta mean little in real time, and does not check them', async () => {
  const { code, stdout, stderr } = await stride('--time', 'real', '--quanta', '24')
  assert.is(code, 0, stdout)
  assert.match(stderr, /quanta shorter than 10 ms mean little in real time/)
})

use('after a pause shares are not even', async () => {
  const { code, stdout } = await stride('--runtime', 'inline', '--quiet', '--fault', 'pause processor@m1 for 5 at 5')
  assert.is(code, 0, stdout)
})

use('names faults that never struck', async () => {
  const { code, stdout } = await stride('--runtime', 'inline', '--fault', 'kill processor@m1 after 2000000 submit')
  assert.is(code, 0, stdout)
  assert.match(stdout, /faults that never struck: kill processor@m1 after 2000000 submit/)
})

use('if a file cannot be written, only that is reported', async () => {
  const { code, stderr } = await stride('--trace', join(files, 'none', 'x.jsonl'))
  assert.is(code, 2)
  assert.match(stderr, /^bourse: cannot write --trace .*ENOENT\)\n$/)
})

use('the trace and the rows need a file each', async () => {
  const file = join(files, 'both')
  const { code, stderr } = await stride('--trace', file, '--jobs-out', file)
  assert.is(code, 2)
  assert.match(stderr, /^bourse: --trace and --jobs-out name the same file, .*\n$/)
})

use('shows the schedule, also of a machine that died', async () => {
  const { code, stdout } = await runScenario('shares/stride', [
    '--quiet',
    '--kill',
    'processor@m1 at 5',
    '--runtime',
    'inline',
  ])
  assert.is(code, 0, stdout)
  assert.match(stdout, /^CBCA\n\nA {2}\.\.\.#\.\.\.\.\.\.\.\.\nB {2}\.#/m)
  assert.match(stdout, /C +3 +2 +50\.00 +50\.00 +0\.000/)
})

use.after(() => rmSync(files, { recursive: true }))
use.run()
