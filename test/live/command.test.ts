/** Commands with --live that run as processes. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Replay } from '../../lib/replay/replay.ts'
import '../../scenarios/registered.ts'
import { readTrace } from '../../lib/trace/read.ts'
import { TYPESCRIPT } from '../typescript.ts'
import { askFault, Viewer } from './client.ts'
import { liveCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-live-'))

const isRefused = async (url: string): Promise<boolean> => {
  const [error] = await once(connect(Number(new URL(url).port), '127.0.0.1'), 'error')
  return error.code === 'ECONNREFUSED'
}

for (const runtime of ['threads', 'pool']) {
  test(`a live run has its faults by hand in its trace, its replay, its page and its flags (${runtime})`, async () => {
    const trace = join(folder, `${runtime}.jsonl`)
    const flags = [
      ...(runtime === 'pool' ? ['--runtime', 'pool'] : []),
      '--speeds',
      '2,1,1',
      '--tasks',
      '12',
      '--scale',
      '8',
      '--query',
      '20',
      '--timeout',
      '10',
    ]
    const { url, ended } = await liveCommand('bidding/market', ...flags, '--trace', trace, '--json')
    const viewer = await Viewer.at(url)
    await viewer.until(({ status }) => (status?.now ?? 0) > 0)
    for (const type of ['kill', 'restart']) assert.is((await askFault(url, { type, who: '@m1' })).status, 200)
    await viewer.until(({ messages }) => messages.at(-1)?.type === 'end')
    const { code, out, err } = await ended
    assert.is(code, 0, err)
    const { faultsByHand, options } = JSON.parse(out)
    assert.is(options.live, true)
    assert.match(faultsByHand.join('; '), /^kill @m1 at \S+; restart @m1 at \S+$/)
    const again = faultsByHand.map((fault: string) => ` --fault '${fault}'`).join('')
    assert.match(err, `again: npx tsx scenarios/bidding/market.ts --time real --live ${flags.join(' ')}`)
    assert.ok(err.endsWith(`${again}\n`), err)
    const last = viewer.messages.at(-1)
    assert.ok(last?.type === 'end' && last.front.command.endsWith(again) && last.front.checks.length > 3)
    const recorded = readTrace(trace)
    assert.equal(
      recorded.lines.filter(({ by }) => by === 'hand').map(({ fault }) => fault),
      faultsByHand,
    )
    let steps = 0
    for (const _ of await Replay.open(recorded)) steps++
    assert.ok(steps > 50, `${steps} steps`)
    assert.ok(await isRefused(url))
  })
}

test('an interrupt ends the command and its processes, and prints how to repeat the run', async () => {
  const trace = join(folder, 'cut.jsonl')
  const { url, interrupt, ended } = await liveCommand('bidding/market', '--scale', '100', '--trace', trace)
  const viewer = await Viewer.at(url)
  await viewer.until(({ status }) => status !== undefined)
  const { status, text } = await askFault(url, { type: 'kill', who: '@m1' })
  assert.is(status, 200)
  interrupt()
  const { code, err } = await ended
  assert.is(code, 130)
  const again = `again: npx tsx scenarios/bidding/market.ts --time real --live --scale 100 --trace ${trace}`
  assert.match(err, `${again} --fault '${JSON.parse(text).done}'\n`)
  assert.is(viewer.messages.at(-1)?.type, 'gone')
  assert.ok(await isRefused(url))
  assert.match(readFileSync(`${trace}.part`, 'utf8').trimEnd().split('\n').at(-1) ?? '', '{"t":"end"}')
})

test('--live is refused in virtual time and inline', async () => {
  const refusal = async (...flags: readonly string[]): Promise<string> => {
    const command = [...TYPESCRIPT, 'scenarios/bidding/market.ts', '--live', ...flags]
    try {
      await promisify(execFile)(process.execPath, command)
    } catch (error) {
      if (error instanceof Error && 'code' in error && 'stderr' in error) return `${error.code}: ${error.stderr}`
      throw error
    }
    return 'none'
  }
  const virtual = /^2: bourse: --live needs --time real, since virtual time.*\n$/
  assert.match(await refusal('--tasks', '3'), virtual)
  assert.match(await refusal('--tasks', '3', '--runtime', 'inline'), virtual)
  assert.match(
    await refusal('--time', 'real', '--runtime', 'inline'),
    /^2: bourse: --time real needs --runtime threads.*\n$/,
  )
})

test.after(() => rmSync(folder, { recursive: true }))
test.run()
