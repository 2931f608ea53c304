import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TRACE_VERSION } from '../../lib/trace/lines.ts'
import { runScenario } from '../bidding/command.ts'
import { marketLines } from '../trace/traces.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-replay-test-'))
const file = join(folder, 'run.jsonl')

test.before(async () => {
  const lines = await marketLines({ faults: ['restart contractor@m2 at 5'], tasks: 3 })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

const replay = (...args: readonly string[]) => runScenario('lab/replay', args)

/** Writes the trace with a change of its text. */
function changed(name: string, change: (text: string) => string): string {
  const path = join(folder, name)
  writeFileSync(path, change(readFileSync(file, 'utf8')))
  return path
}

test('a trace is replayed with all actors, or one actor alone, and is identical: exit 0', async () => {
  for (const args of [[], ['--actor', 'contractor@m2']]) {
    const { code, stdout } = await replay(file, ...args)
    assert.is(code, 0)
    assert.match(stdout, /^\d+ steps of \d actors?\nok {5}replay: identical\n$/)
  }
})

test('--until stops after a step, and shows its actor: configuration, context, timers and mailbox', async () => {
  const { code, stdout } = await replay(file, '--actor', 'contractor@m2', '--until', '1.0', '--json')
  assert.is(code, 0)
  const { state } = JSON.parse(stdout).results
  assert.equal([state.who, state.incarnation, state.n], ['contractor@m2', 1, 0])
  assert.equal(state.configuration, { trading: 'free' })
  assert.is(state.context.index, 2)
  assert.ok(Array.isArray(state.timers) && Array.isArray(state.mailbox))
  const shown = await replay(file, '--until', '20')
  assert.match(
    shown.stdout,
    /\n\n\S+ after its step \d+ \(step 20 of the run\), at [\d.]+\nconfiguration: .*\ncontext: /,
  )
})

test('a changed record is a divergence: exit 1, and the step is named', async () => {
  const path = changed('drift.jsonl', (text) => text.replace('"fact":{"type":"', '"fact":{"type":"un'))
  const { code, stdout } = await replay(path)
  assert.is(code, 1)
  const said = /^FAILED replay: step \d+ \(\S+, its step \d+\): recorded fact with fact\.type "un(\w+)", came "\1"$/m
  assert.match(stdout, said)
})

test('a trace that is cut off is replayed up to its last whole step, and the place is printed', async () => {
  const size = readFileSync(file, 'utf8').length
  for (const bytes of [size - 5, Math.floor(size / 2), Math.floor(size / 3)]) {
    const path = changed('cut.jsonl', (text) => text.slice(0, bytes))
    const { code, stdout, stderr } = await replay(path)
    assert.is(code, 0, stdout)
    assert.match(stdout, /^\d+ steps of \d actors?\nok {5}replay: identical\n$/)
    assert.match(stderr, /^\S+cut\.jsonl is cut off: used up to line \d+, at [\d.]+\n$/)
    const [, line] = /line (\d+)/.exec(stderr) ?? []
    const { results } = JSON.parse((await replay(path, '--json', '--quiet')).stdout)
    assert.is(results.cutOff.line, Number(line))
  }
})

const older = (text: string): string =>
  text
    .replace('"about":{', '"about":{"scenario":"bidding/market",')
    .replaceAll('"attempt":', '"incarnation":')
    .replaceAll('"fault":"pause ', '"fault":"stall ')
    .replaceAll('"fault":"partition ', '"fault":"cut ')
    .replaceAll('"a partition separates the machines"', '"the link is cut"')

test('a trace of version 2, which has other words for attempts, pauses and partitions, is read and replayed', async () => {
  const faults = ['pause client@c1 for 9 at 20', 'partition m1 | m2,m3,c1,c2 at 1 until 30']
  const text = (await marketLines({ faults, tasks: 3 })).map((line) => `${JSON.stringify(line)}\n`).join('')
  const path = changed('older.jsonl', () => older(text).replace(`"version":${TRACE_VERSION}`, '"version":2'))
  for (const word of [/"version":2/, /"incarnation":1/, /"stall client/, /"cut m1/, /"the link is cut"/]) {
    assert.match(readFileSync(path, 'utf8'), word)
  }
  const { code, stdout } = await replay(path)
  assert.is(code, 0, stdout)
  assert.match(stdout, /replay: identical/)
  const summary = await runScenario('lab/trace', [path])
  assert.is(summary.code, 0, summary.stderr)
  for (const word of ['pause client@c1 for 9 at 20', 'partition m1 | ', 'a partition separates the machines']) {
    assert.ok(summary.stdout.includes(word), summary.stdout)
  }
})

test('no field of a trace of the present version is renamed', async () => {
  const path = changed('renamed.jsonl', older)
  const { code, stdout } = await replay(path)
  assert.is(code, 1, stdout)
})

test('a trace without a step to replay is refused, and never called identical: exit 2', async () => {
  const path = changed('empty.jsonl', (text) => text.slice(0, text.indexOf('{"t":"start"')))
  const { code, stdout, stderr } = await replay(path)
  assert.equal([code, stdout], [2, ''], stderr)
  assert.match(stderr, /empty\.jsonl has no step to replay: it is cut off before its first step\n$/)
})

test('races and tables use the rest of a trace that is cut off, and say so for an older trace', async () => {
  const path = changed('half.jsonl', (text) => text.slice(0, text.length / 2))
  const said = /^\S+half\.jsonl is cut off: used up to line \d+, at [\d.]+\n/
  const races = await runScenario('lab/races', [path, '--json'])
  assert.equal([races.code, said.test(races.stderr)], [0, true], races.stderr)
  assert.ok(JSON.parse(races.stdout).results.cutOff.line > 10)
  const diff = await runScenario('lab/trace', ['diff', path, file, '--json'])
  assert.equal([diff.code, said.test(diff.stderr)], [0, true], diff.stderr)
  assert.match(
    JSON.stringify(JSON.parse(diff.stdout).results.cutOff),
    /^\[\{"file":".*half.jsonl","line":\d+,"at":\d+\}\]$/,
  )
  const now = Date.now() / 1000
  changed('half.jsonl.part', (text) => text)
  utimesSync(path, now - 10, now - 10)
  const older = await runScenario('lab/trace', [path])
  assert.match(
    older.stderr,
    /half\.jsonl is of an earlier run: \S+half\.jsonl\.part is newer, of a run that has not ended\n$/,
  )
  const missing = await runScenario('lab/trace', [join(folder, 'none.jsonl')])
  assert.match(missing.stderr, /cannot read .*: no such file\n$/)
  changed('none.jsonl.part', (text) => text)
  const left = await runScenario('lab/trace', [join(folder, 'none.jsonl')])
  assert.match(left.stderr, /: no such file, but \S+none\.jsonl\.part is there, of a run that has not ended\n$/)
})

test('a trace that cannot be replayed is refused in one line: exit 2', async () => {
  const other = changed('version.jsonl', (text) => text.replace(`"version":${TRACE_VERSION}`, '"version":1'))
  const damaged = changed('damaged.jsonl', (text) => text.split('\n').with(4, '{').join('\n'))
  const refusals: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [[other], /version 2 to 5, not version 1\n$/],
    [[damaged], /damaged\.jsonl, line 5 is not a line of a trace: "\{"\n$/],
    [[file, '--actor', 'nobody@m1'], /unknown actor "nobody@m1" in .*; known: .*\n$/],
    [[file, '--until', '99999'], /--until must be a step of this run \(0 to \d+\), not "99999"\n$/],
    [[], /this command needs FILE\n$/],
    [[file, 'more'], /this command takes one FILE, not /],
  ]
  for (const [args, said] of refusals) {
    const { code, stdout, stderr } = await replay(...args)
    assert.is(code, 2, stderr)
    assert.is(stdout, '')
    assert.match(stderr, said)
    assert.is(stderr.trim().split('\n').length, 1, stderr)
  }
})

test.run()
