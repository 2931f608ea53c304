import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runScenario } from '../bidding/command.ts'
import { marketLines } from './traces.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-replay-test-'))
const file = join(folder, 'run.jsonl')

test.before(async () => {
  const lines = await marketLines({ faults: ['restart contractor@m2 at 5'], tasks: 3 })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

const replay = (...args: readonly string[]) => runScenario('lab/replay', args)

/** The trace with its text changed. */
function changed(name: string, change: (text: string) => string): string {
  const path = join(folder, name)
  writeFileSync(path, change(readFileSync(file, 'utf8')))
  return path
}

test('a trace is replayed whole, or one actor alone, and is identical: exit 0', async () => {
  for (const args of [[], ['--actor', 'contractor@m2']]) {
    const { code, stdout } = await replay(file, ...args)
    assert.is(code, 0)
    assert.match(stdout, /^\d+ steps of \d actors?\nok {5}identical: true, expected true\n$/)
  }
})

test('--until stops after a step, and shows its actor: configuration, context, timers and mailbox', async () => {
  const { code, stdout } = await replay(file, '--actor', 'contractor@m2', '--until', '1.0', '--json')
  assert.is(code, 0)
  const { state } = JSON.parse(stdout).results
  assert.equal([state.who, state.life, state.n], ['contractor@m2', 1, 0])
  assert.equal(state.configuration, { trading: 'free' })
  assert.is(state.context.index, 2)
  assert.ok(Array.isArray(state.timers) && Array.isArray(state.mailbox))
  const shown = await replay(file, '--until', '20')
  assert.match(
    shown.stdout,
    /\n\n\S+ after its step \d+ \(step 20 of the run\), at [\d.]+\nconfiguration: .*\ncontext: /,
  )
})

test('a changed record is a drift: exit 1, and the step is named', async () => {
  const path = changed('drift.jsonl', (text) => text.replace('"fact":{"type":"', '"fact":{"type":"un'))
  const { code, stdout } = await replay(path)
  assert.is(code, 1)
  const said =
    /^FAILED identical: step \d+ \(\S+, its step \d+\): recorded fact with fact\.type "un(\w+)", came "\1", expected none$/m
  assert.match(stdout, said)
})

test('what cannot be replayed is refused in one line: exit 2', async () => {
  const other = changed('version.jsonl', (text) => text.replace('"version":2', '"version":1'))
  const cut = changed('cut.jsonl', (text) => text.slice(0, -20))
  const short = changed('short.jsonl', (text) => text.split('\n').slice(0, 20).join('\n').concat('\n'))
  const refusals: readonly (readonly [args: readonly string[], said: RegExp])[] = [
    [[other], /version 2, got version 1\n$/],
    [[cut], /expected a whole trace, got one whose last line is cut off/],
    [[short], /expected a whole trace, got one that breaks off after line \d+\n$/],
    [[file, '--actor', 'nobody@m1'], /expected an actor of this run \(.*\), got nobody@m1\n$/],
    [[file, '--until', '99999'], /--until: expected a step of this run, 0 to \d+, got "99999"\n$/],
    [[], /arguments: expected FILE, got nothing\n$/],
    [[file, 'more'], /arguments: expected FILE, got /],
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
