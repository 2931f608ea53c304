/** Logs under the three policies: measures computed by hand, and the command. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import type { Finished } from '../../scenarios/economy/results.ts'
import { jobsFrom } from '../../scenarios/economy/traces/source.ts'
import { boundedSlowdown, fairnessOf, jain } from '../../scenarios/economy/traces/study.ts'
import { runScenario } from '../bidding/command.ts'

const files = mkdtempSync(join(tmpdir(), 'bourse-traces-'))
const file = (name: string, content: string): string => {
  const path = join(files, name)
  writeFileSync(path, content)
  return path
}

const finished = (user: string, arrival: number, start: number, service: number): Finished => {
  const work = units(service)
  return {
    user,
    arrival: units(arrival),
    failures: 0,
    isHeard: true,
    request: { job: 0, class: 1, processors: 1, service: work, work, deposit: 0 },
    started: { at: units(start), kind: 'direct', decided: 0, wasted: 0, price: 0, paid: 0, processors: [0] },
    end: { at: units(start) + work, why: 'finished' },
  }
}

test('a bounded slowdown counts no job as shorter than ten seconds, and is at least 1', () => {
  assert.is(boundedSlowdown(finished('u1', 0, 10, 10)), 2)
  // a job of one second that waited for nineteen: 20 seconds over the bound of ten
  assert.is(boundedSlowdown(finished('u1', 0, 19 / 60, 1 / 60)), 2)
  assert.is(boundedSlowdown(finished('u1', 0, 0, 1 / 60)), 1)
})

test('fairness is 1 for equal users and 1 / users if one has it all; the worst user is compared with the median', () => {
  assert.is(jain([3, 3, 3]), 1)
  assert.ok(Math.abs(jain([1, 0, 0, 0]) - 0.25) < 1e-12)
  // means of users: (1 + 3) / 2, 1, 5; (2 + 1 + 5)^2 / (3 * (4 + 1 + 25))
  const stories = [finished('a', 0, 0, 10), finished('a', 0, 20, 10), finished('b', 0, 0, 5), finished('c', 0, 40, 10)]
  const { jain: index, worst } = fairnessOf(stories)
  assert.ok(Math.abs(index - 64 / 90) < 1e-12)
  assert.is(worst, 5 / 2)
})

/** 18 columns: number, submit, run time, processors, user. */
const entry = (number: number, submit: number, run: number, processors: number, user: number): string =>
  [number, submit, 0, run, processors, -1, -1, processors, -1, -1, 1, user, -1, -1, -1, -1, -1, -1].join(' ')

/** A wide job arrives while half of the machine is busy, and then two small ones. One of these fits before it. */
const LOG = [
  ...['; MaxNodes: 4', '; MaxProcs: 4'],
  ...[entry(1, 0, 600, 2, 7), entry(2, 60, 600, 4, 8), entry(3, 120, 300, 2, 9), entry(4, 180, 900, 2, 9), ''],
].join('\n')

const source = { first: null, stretch: 1, seed: 1, load: 0.5, span: 1000 }

test('the machine has the size in the log, or else that of the widest job', () => {
  assert.is(jobsFrom({ ...source, file: file('four.swf', LOG) }).processors, 4)
  const bare = LOG.split('\n').slice(2).join('\n')
  assert.is(jobsFrom({ ...source, file: file('bare.swf', bare.replace(' 4 -1 -1 4 ', ' 3 -1 -1 3 ')) }).processors, 3)
  const csv = 'id,arrival,user,class,processors,service\na,0,u1,1,2,10\nb,1,u1,1,7,10\n'
  assert.is(jobsFrom({ ...source, file: file('two.csv', csv) }).processors, 7)
  assert.is(jobsFrom({ ...source, file: null }).processors, 128)
})

test('a log under FCFS, RES and both presets of ECON', async () => {
  const out = join(files, 'out.csv')
  const path = file('log.swf', LOG)
  const { code, stdout, stderr } = await runScenario('economy/traces', ['--workload', path, '--json', '--csv', out])
  assert.is(code, 0, stderr)
  assert.match(stderr, /4 jobs of 3 users on 4 processors/)
  const { rows } = JSON.parse(stdout).results.table
  assert.equal(
    rows.map((row: { policy: string }) => row.policy),
    ['FCFS', 'RES', 'ECON, paper', 'ECON, literal'],
  )
  // FCFS starts the jobs at 0, 10, 20, 20 minutes, and they arrive at 0, 1, 2, 3; RES starts the third at 2
  assert.is(rows[0]['mean wait'], (0 + 9 + 18 + 17) / 4)
  assert.is(rows[1]['mean wait'], (0 + 9 + 0 + 17) / 4)
  assert.is(rows[1]['bounded slowdown'], (1 + 1.9 + 1 + 32 / 15) / 4)
  assert.is(rows[1].utilisation, (100 * (20 + 40 + 10 + 30)) / (4 * 35))
  assert.is(readFileSync(out, 'utf8').split('\r\n').length, 6)
})

test('wrong use is one line and exit 2', async () => {
  for (const [args, says] of [
    [['--jobs', '3'], /--jobs needs --workload/],
    [
      [
        '--workload',
        file('wide.csv', 'id,arrival,user,class,processors,service\na,0,u1,1,2,10\n'),
        '--processors',
        '1',
      ],
      /--processors must be at least as many as some job needs, not 1/,
    ],
    [['--workload', file('cut.swf', '1 2 3\n')], /cut\.swf, line 1 must have 18 columns, not 3/],
  ] as const) {
    const { code, stdout, stderr } = await runScenario('economy/traces', args)
    assert.is(code, 2, stderr)
    assert.is(stdout, '')
    assert.match(stderr, says)
    assert.is(stderr.trim().split('\n').length, 1)
  }
})

test.after(() => rmSync(files, { recursive: true }))
test.run()
