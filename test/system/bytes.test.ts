/** Bytes are plain data: they travel between actors as they are, and traces and replays know them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Replay } from '../../lib/replay/replay.ts'
import type { System } from '../../lib/system.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { both, errorOf, factsOf, fixture, withSystem } from './harness.ts'

const COURIER = fixture('courier.ts')
const DATA = Uint8Array.of(0, 1, 127, 128, 255)
const LONG = new Uint8Array(5000).map((_, i) => i % 251)

/** Lets one courier carry data to another. */
async function carry(system: System, data: Uint8Array): Promise<void> {
  for (const address of ['a@m1', 'b@m2']) await system.spawn(address, COURIER)
  await system.tell('a@m1', { type: 'carry', to: 'b@m2', data })
  await system.run()
}

/** All lines of a run in which bytes travel in every way there is. */
async function linesOfRun(runtime: 'threads' | 'inline', data: Uint8Array): Promise<Line[]> {
  return withSystem({ runtime, record: true }, async (system) => {
    await system.spawn('c@m3', COURIER, { data })
    await system.tell('c@m3', { type: 'show' })
    await carry(system, data)
    await system.restart('a@m1')
    await system.tell('a@m1', { type: 'show' })
    await system.run()
    return [...system.recorded()]
  })
}

for (const [name, data] of [
  ['some bytes', DATA],
  ['no bytes', new Uint8Array(0)],
  ['many bytes', LONG],
  ['a Buffer', Buffer.from('Bourse')],
  ['a part of a larger buffer', new Uint8Array(Uint8Array.of(9, 1, 2, 3, 9).buffer, 1, 3)],
  ['shared bytes', new Uint8Array(new SharedArrayBuffer(4)).fill(7)],
] as const) {
  both(`${name} in messages, timers and records arrive as a Uint8Array of their own`, async (system) => {
    const facts = factsOf(system)
    await carry(system, data)
    await system.restart('a@m1')
    await system.tell('a@m1', { type: 'show' })
    await system.run()
    const seen = facts.filter(({ type, who }) => type === 'seen' && who === 'b@m2')
    const same = new Uint8Array(data)
    assert.equal(
      seen.map((fact) => [fact['data'], fact['isUint8Array']]),
      [
        [same, true],
        [same, true],
      ],
    )
    assert.equal(facts.find(({ type, who }) => type === 'records' && who === 'a@m1')?.['records'], [{ data: same }])
  })
}

both('bytes are copied: a later change by the sender does not reach the receiver', async (system) => {
  const facts = factsOf(system)
  const data = Uint8Array.of(1, 2, 3)
  await system.spawn('a@m1', COURIER)
  await system.tell('a@m1', { type: 'data', data })
  data.fill(9)
  await system.run()
  assert.equal(facts[0]?.['data'], Uint8Array.of(1, 2, 3))
})

test('a run with bytes has one trace on threads and inline, and replays', async () => {
  for (const data of [DATA, LONG]) {
    const [threads, inline] = [await linesOfRun('threads', data), await linesOfRun('inline', data)]
    assert.equal(threads, inline)
    const steps = [...(await Replay.open(traceOf(inline)))]
    assert.ok(steps.length > 5)
  }
})

test('a trace has bytes in base64, and only the hash of many that a replay computes again', async () => {
  const [short, long] = [await linesOfRun('inline', DATA), await linesOfRun('inline', LONG)]
  const sent = (lines: readonly Line[], from: string) =>
    lines.find((line) => line.t === 'send' && line['from'] === from)?.['message']
  assert.equal(sent(short, 'a@m1'), { type: 'data', data: { $bytes: 'AAF/gP8=' } })
  const sha256 = '69dbee893909fa17d1be397e0c07691336fe42049c29d403467d3d4a1fc3b5a1'
  assert.equal(sent(long, 'a@m1'), { type: 'data', data: { $bytes: null, length: 5000, sha256 } })
  const fromOutside = long.find((line) => line.t === 'send' && JSON.stringify(line).includes('carry'))
  assert.match(JSON.stringify(fromOutside?.['message']), Buffer.from(LONG).toString('base64'))
})

test('one actor alone cannot be replayed if it got bytes of which the trace has only the hash', async () => {
  const trace = traceOf(await linesOfRun('inline', LONG))
  const replay = await Replay.open(trace, 'b@m2')
  assert.throws(
    () => [...replay],
    /line \d+: the trace has only the hash of more than 1024 bytes .* replay all actors together/,
  )
  assert.ok([...(await Replay.open(trace, 'a@m1'))].length > 1)
})

both('a key under which traces have bytes is refused', async (system) => {
  await system.spawn('a@m1', COURIER)
  const error = await errorOf(system.tell('a@m1', { type: 'data', data: { $bytes: 'x' } }))
  assert.match(error.message, /^message\.data\.\$bytes is a key with a meaning of its own/)
})

both('bytes that do not fit into mail memory fail with the limit and its option', async (system) => {
  await system.spawn('a@m1', COURIER)
  const error = await errorOf(system.tell('a@m1', { type: 'data', data: new Uint8Array(64 << 20) }))
  assert.match(error.message, /memoryMB/)
})

test.run()
