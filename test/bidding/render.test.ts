/** The command `bidding/render`: its output, and its errors. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { render } from '../../scenarios/bidding/render/picture.ts'
import { png } from '../../scenarios/bidding/render/png.ts'
import { type Act, runScenario } from './command.ts'

const files = mkdtempSync(join(tmpdir(), 'bourse-render-'))
const out = join(files, 'picture.png')
const picture = (args: readonly string[], act?: Act) => runScenario('bidding/render', ['--out', out, ...args], act)

for (const [name, args, says] of [
  ['a size that is none', ['--size', '640'], /--size must be WIDTHxHEIGHT.*"640"/],
  ['a size beyond the limit', ['--size', '9000x10'], /--size.*1 to 8192.*"9000x10"/],
  ['more tiles than pixels', ['--size', '4x9', '--tiles', '5'], /--tiles must be at most 4/],
  ['virtual time', ['--time', 'virtual'], /--time must be real/],
  ['all in one thread', ['--runtime', 'inline'], /--time real needs --runtime threads/],
  [
    'a picture that cannot be written',
    ['--out', join(files, 'no', 'folder.png')],
    /cannot write --out .*: no such folder/,
  ],
] as const) {
  test(`wrong use is one line and exit 2: ${name}`, async () => {
    const given = name.startsWith('a picture') ? args : ['--out', out, ...args]
    const { code, stdout, stderr } = await runScenario('bidding/render', given)
    assert.is(code, 2)
    assert.is(stdout, '')
    assert.match(stderr, says)
    assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
  })
}

test('a picture rendered on the market equals the one rendered in one thread, though a machine dies with a tile', async () => {
  const size = { width: 300, height: 300 }
  const run = await picture([
    ...['--size', '300x300', '--tiles', '2', '--speeds', '1,1', '--json'],
    ...[
      '--fault',
      'kill @m1 after 1 task',
      '--fault',
      'kill processor@m2 after 1 run',
      '--fault',
      'restart @m2 at 1500',
    ],
  ])
  assert.is(run.code, 0, run.stderr)
  const { results, checks } = JSON.parse(run.stdout)
  assert.is(results.tiles, 4)
  assert.is(results.differingPixels, 0)
  assert.ok(results.restarts >= 2, run.stdout)
  assert.ok(checks.every((check: { ok: boolean }) => check.ok))
  assert.match(run.stderr, /processor@m1 is dead/)
  assert.match(run.stderr, /announces it again/)
  assert.ok(readFileSync(out).equals(png(size, render(size, { x: 0, y: 0, ...size }))))
})

test('a picture that cannot be finished ends with exit code 1, and prints the command that repeats the run', async () => {
  const run = await picture(['--size', '64x64', '--tiles', '2', '--speeds', '1', '--kill', '@m1 at 0'])
  assert.is(run.code, 1)
  assert.match(run.stdout, /FAILED.*pixels that differ from the picture made alone: 4\d{3}/)
  assert.match(run.stderr, /again: npx tsx scenarios\/bidding\/render\.ts --out .* --kill '@m1 at 0'/)
})

test('an interrupt ends the rendering with exit code 130, and leaves no file behind', async () => {
  let interrupted = false
  const unfinished = join(files, 'unfinished.png')
  const args = ['--out', unfinished, '--size', '4000x4000', '--tiles', '4', '--fault', 'kill @m1 after 1 task']
  const run = await runScenario('bidding/render', args, (send, seen) => {
    if (interrupted || !seen.includes('processor@m1 is dead')) return
    interrupted = true
    send('SIGINT')
  })
  assert.is(run.code, 130)
  assert.match(run.stderr, /interrupted/)
  assert.not.match(run.stdout, /is written/)
  assert.not.ok(existsSync(unfinished))
})

test.after(() => rmSync(files, { recursive: true }))
test.run()
