import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Plain } from '../../lib/core/data.ts'
import { UsageError } from '../../lib/core/usage-error.ts'
import { keyOf } from '../../lib/experiment/checkpoint.ts'
import { poolOf } from '../../lib/experiment/pool.ts'
import { type Sweep, SweepError, sweep } from '../../lib/experiment/sweep.ts'
import { isGone, processOf } from '../../lib/runtime/process-identity.ts'
import manifest from '../../package.json' with { type: 'json' }
import { throwsSaying } from '../throws.ts'
import { TYPESCRIPT } from '../typescript.ts'

const test = suite('sweep')
const folder = mkdtempSync(join(tmpdir(), 'bourse-sweep-test-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const module = new URL('../fixtures/experiment/study.ts', import.meta.url)
let files = 0
const fresh = (): string => join(folder, `file-${files++}`)
const linesOf = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [])

/** Awaits a promise that must be rejected, and returns the reason. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a rejection')
}

const logged = (numbers: readonly number[], more: Partial<Sweep<Plain>> = {}) => {
  const log = fresh()
  const points = numbers.map((n) => ({ n, log }))
  return { log, run: () => sweep({ module, export: 'logged', points, pool: poolOf(1), ...more }) }
}

test('results come in the order of the points, the same for one process and for several', async () => {
  const numbers = [5, 3, 9, 1, 7]
  const alone = await logged(numbers).run()
  assert.equal(
    alone.map((result) => JSON.stringify(result).slice(0, 6)),
    numbers.map((n) => `{"n":${n}`),
  )
  assert.equal(await logged(numbers, { pool: poolOf(3) }).run(), alone)
})

test('equal points are run once, and progress counts the points to run', async () => {
  const told: string[] = []
  const { log, run } = logged([1, 2, 1, 2, 2], { onDone: (done, total) => told.push(`${done}/${total}`) })
  assert.is((await run()).length, 5)
  assert.equal(linesOf(log).sort(), ['1', '2'])
  assert.equal(told, ['0/2', '1/2', '2/2'])
})

test('kept points are not run again, with any order of their fields', async () => {
  const keep = fresh()
  const { log, run } = logged([1, 2, 3], { keep })
  const first = await run()
  assert.equal(await run(), first)
  assert.is(linesOf(log).length, 3)
  const [, line = ''] = linesOf(keep)
  const { study, version, result }: Record<string, unknown> = JSON.parse(line)
  assert.equal([study, version], ['test/fixtures/experiment/study.ts#logged', manifest.version])
  assert.equal(result, first[0])
  const points = [3, 4].map((n) => ({ log, n }))
  const [third] = await sweep({ module, export: 'logged', points, keep, pool: poolOf(1) })
  assert.equal(third, first[2])
  assert.equal(linesOf(log).slice(3), ['4'])
})

test('a half-written last line is cut off and its point run again', async () => {
  const keep = fresh()
  const { log, run } = logged([1, 2], { keep })
  const first = await run()
  const text = readFileSync(keep, 'utf8')
  writeFileSync(keep, text.slice(0, -20))
  assert.equal(await run(), first)
  assert.equal(linesOf(log), ['1', '2', '2'])
  assert.is(readFileSync(keep, 'utf8'), text)
})

test('a file with half of its first line, or an empty file, is a valid file of kept results', async () => {
  const keep = fresh()
  const { run } = logged([1], { keep })
  await run()
  const text = readFileSync(keep, 'utf8')
  for (const begun of ['', text.slice(0, 9)]) {
    writeFileSync(keep, begun)
    await run()
    assert.is(readFileSync(keep, 'utf8'), text)
  }
})

test('a key depends on study, point and version, not on the order of fields', () => {
  const origin = { study: 'a.ts#run', point: { load: 0.5, seed: 1 }, version: '1.0.0' }
  assert.is(keyOf({ ...origin, point: { seed: 1, load: 0.5, note: undefined } }), keyOf(origin))
  const others = [
    { ...origin, study: 'a.ts#walk' },
    { ...origin, version: '1.0.1' },
    { ...origin, point: { load: 0.5, seed: '1' } },
    { ...origin, point: { load: 0.5, seed: 1, more: null } },
    { ...origin, point: [0.5, 1] },
  ]
  assert.is(new Set([origin, ...others].map(keyOf)).size, 6)
})

test('a file that holds anything else is refused and left as it is', async () => {
  const keep = fresh()
  for (const [text, expected] of [
    ['my only notes', 'line 1'],
    ['{"type":"kept results","format":1}\n{"key":1}\n', 'line 2'],
  ] as const) {
    writeFileSync(keep, text)
    const error = await rejection(logged([1], { keep }).run())
    assert.ok(error instanceof UsageError && error.message.includes(`${keep}, ${expected}`), String(error))
    assert.is(readFileSync(keep, 'utf8'), text)
  }
  const error = await rejection(logged([1], { keep: join(folder, 'no', 'such', 'folder') }).run())
  assert.ok(error instanceof UsageError && error.message.includes('ENOENT'), String(error))
})

test('points that throw, die or return data that is not plain are named, and all others are run and kept', async () => {
  const keep = fresh()
  const points = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ n }))
  const error = await rejection(sweep({ module, export: 'faulty', points, keep, pool: poolOf(2) }))
  assert.instance(error, SweepError)
  if (!(error instanceof SweepError)) return
  assert.is(error.code, 'BOURSE_SWEEP')
  assert.equal(error.results, [1, undefined, 3, undefined, 5, undefined, 7])
  assert.equal(error.failures, [
    { point: { n: 2 }, message: 'RangeError: two is too many' },
    { point: { n: 4 }, message: 'its process ended (exit code 7)' },
    {
      point: { n: 6 },
      message:
        'result.mean[1] is NaN: only plain data travels (null, booleans, numbers, strings, arrays, plain objects, Uint8Array)',
      code: 'BOURSE_NOT_PLAIN',
    },
  ])
  assert.match(error.message, '3 of 7 points failed: {"n":2}: RangeError: two is too many; {"n":4}: its process')
  assert.is(linesOf(keep).length, 5)
})

test('a point does not fail because of leftovers of an earlier point in its process', async () => {
  const points = [1, 2, 3].map((n) => ({ n }))
  assert.equal(await sweep({ module, export: 'leaves', points, pool: poolOf(1) }), [1, 2, 3])
})

test('a study that cannot be loaded is one error, not one for every point', async () => {
  const points = [1]
  const missing = await rejection(sweep({ module, export: 'nothing', points }))
  assert.match(
    String(missing),
    /cannot run the study .*study\.ts: .*the export "nothing" must be a function, not undefined/,
  )
  const constant = await rejection(sweep({ module, export: 'number', points }))
  assert.match(String(constant), 'not number')
  const nowhere = await rejection(sweep({ module: new URL('./nowhere.ts', import.meta.url), export: 'a', points }))
  assert.match(String(nowhere), /cannot run the study .*nowhere\.ts/)
})

test('an interrupt ends every process at once, also one in an endless loop, and keeps the finished results', async () => {
  const log = fresh()
  const interrupt = new AbortController()
  const points = [1, 2].map((n) => ({ n, log }))
  const running = rejection(sweep({ module, export: 'endless', points, pool: poolOf(2), signal: interrupt.signal }))
  while (linesOf(log).length < 2) await sleep(20)
  const begun = linesOf(log).map((line) => {
    const [pid, temporary = ''] = line.split(' ')
    return { pid: Number(pid), start: processOf(Number(pid))?.start, temporary }
  })
  interrupt.abort(new Error('that is enough'))
  assert.is(String(await running), 'Error: that is enough')
  for (const { pid, start, temporary } of begun) {
    assert.ok(isGone(pid, start))
    assert.not(existsSync(temporary), 'temporary files are left')
  }
  const early = await rejection(sweep({ module, export: 'endless', points, signal: interrupt.signal }))
  assert.is(String(early), 'Error: that is enough')
  assert.is(linesOf(log).length, 2)
})

test('a sweep that is killed leaves no running process', async () => {
  const log = fresh()
  const sweeper = fileURLToPath(new URL('../fixtures/experiment/sweeper.ts', import.meta.url))
  const parent = spawn(process.execPath, [...TYPESCRIPT, sweeper, log], { stdio: ['ignore', 'ignore', 'pipe'] })
  while (linesOf(log).length < 2) await sleep(20)
  parent.kill('SIGKILL')
  // its processes hold the same stderr, which ends with the last of them
  parent.stderr.resume()
  await once(parent.stderr, 'end')
  for (const line of linesOf(log)) rmSync(line.split(' ')[1] ?? '', { recursive: true, force: true })
})

test('a study is loaded by the loader that the program was started with', async () => {
  const [options] = await sweep({ module, export: 'options', points: [1], pool: poolOf(1) })
  const at = process.execArgv.indexOf('--import')
  assert.equal(Array.isArray(options) && options.slice(1), process.execArgv.slice(at, at + 2))
})

test('a point may run a system of threads, and its result is that of one thread', async () => {
  const points = ['threads', 'inline'].map((runtime) => ({ seed: 3, runtime }))
  const market = new URL('../fixtures/experiment/market.ts', import.meta.url)
  const [threads, inline] = await sweep({ module: market, export: 'market', points, pool: poolOf(1) })
  assert.equal(threads, inline)
  assert.is(Array.isArray(threads) && threads.length, 30)
})

test('points that are not plain data and a parallelism below one are refused', async () => {
  assert.match(String(await rejection(sweep({ module, export: 'a', points: [1, { load: [Infinity] }] }))), 'load[0]')
  throwsSaying(() => poolOf(0), 'parallel must be an integer >= 1, not 0')
})

test('no points have no results', async () => {
  assert.equal(await sweep({ module, export: 'logged', points: [] }), [])
})

test.run()
