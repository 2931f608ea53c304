/** Traces as files: the error for each kind of unusable file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TRACE_VERSION } from '../../lib/trace/lines.ts'
import { readTrace, traceOf } from '../../lib/trace/read.ts'
import { runOf } from '../../lib/trace/steps.ts'
import { throwsSaying } from '../throws.ts'
import { marketLines } from './traces.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-read-'))
test.after(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'trace.jsonl')
const head = JSON.stringify({ t: 'trace', version: TRACE_VERSION })
const spawn = '{"t":"spawn","at":0,"who":"a@m1","slot":1,"life":0,"module":"a.ts","input":null}'

const refuses = (what: string, content: string, said: string, limit?: number) =>
  test(`${what} is refused`, () => {
    writeFileSync(path, content)
    throwsSaying(() => runOf(readTrace(path, limit)), `${path}${said}`)
  })

refuses('an empty file', '', ' is not a trace: it is empty')
refuses('a file of something else', '{"a":1}\n', ', line 1 is not a line of a trace: "{\\"a\\":1}"')
refuses('a line that is no JSON', `${head}\nhello\n`, ', line 2 is not a line of a trace: "hello"')
refuses('a trace without its head', `${spawn}\n`, ' is not a trace: it begins with')
refuses(
  'a trace of another version',
  '{"t":"trace","version":999}\n',
  ` must be a trace of version 2 to ${TRACE_VERSION}, not version 999`,
)
refuses(
  'a trace that was cut off at its limit',
  `${head}\n{"t":"truncated","limit":100,"option":"traceBytes"}\n`,
  ' is not a whole trace: it was cut off at 100 bytes (option traceBytes)',
)
refuses(
  'a file beyond the limit',
  `${head}\n`,
  ` may have at most 10 bytes (option bytes), but has ${head.length + 1}`,
  10,
)
refuses(
  'a step of an actor that was never spawned',
  `${head}\n{"t":"start","at":0,"who":"a@m1"}\n`,
  ', line 2: "who" must be an actor that was spawned before, but is "a@m1"',
)
refuses(
  'a message outside of a step',
  `${head}\n${spawn}\n{"t":"send","at":0,"id":"1.0.0","from":"a@m1","to":"a@m1","message":{"type":"x"}}\n`,
  ', line 3: a@m1 has no step before this line',
)
refuses(
  'mail that was never sent',
  `${head}\n${spawn}\n{"t":"deliver","at":0,"who":"a@m1","id":"1.0.7","type":"x"}\n`,
  ', line 3: "id" must be a message x that was sent before, but is "1.0.7"',
)
refuses(
  'a line with a field of the wrong type',
  `${head}\n${spawn.replace('"slot":1', '"slot":"one"')}\n`,
  ', line 2: "slot" must be a number, but is "one"',
)

test('a file that is not there is refused', () => {
  throwsSaying(() => readTrace(join(folder, 'none')), 'cannot read ')
})

test('a trace file has the same lines as the listener in memory got', async () => {
  const lines = await marketLines({ trace: path })
  assert.equal(readTrace(path).lines, JSON.parse(JSON.stringify(traceOf(lines).lines)))
})

test('a trace that is cut off anywhere is read up to its last whole step, and its steps equal those of the whole trace', async () => {
  await marketLines({ trace: path, faults: ['restart contractor@m2 at 5'] })
  const text = readFileSync(path, 'utf8')
  const whole = readTrace(path)
  const { steps } = runOf(whole)
  assert.is(whole.cutOff, null)
  const ends = new Set<number>()
  for (let bytes = text.indexOf('\n') + 1; bytes < text.length; bytes += 37) {
    writeFileSync(path, text.slice(0, bytes))
    const { lines, cutOff } = readTrace(path)
    assert.ok(cutOff, `at ${bytes}`)
    assert.is(cutOff.line, lines.length)
    assert.equal(lines, whole.lines.slice(0, lines.length))
    const run = runOf(readTrace(path))
    assert.equal(run.steps.at(-1), steps[run.steps.length - 1], `at ${bytes}`)
    assert.is(cutOff.at, lines.findLast(({ at }) => typeof at === 'number')?.['at'] ?? 0)
    ends.add(run.steps.length)
  }
  assert.ok(ends.size > steps.length / 2)
})

test('a trace that is cut off after a line counts as cut off, because the last line of a complete trace says so', async () => {
  await marketLines({ trace: path })
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  assert.is(lines.at(-1), '{"t":"end"}')
  for (const kept of [1, 2, Math.floor(lines.length / 2), lines.length - 1]) {
    writeFileSync(path, `${lines.slice(0, kept).join('\n')}\n`)
    assert.ok(readTrace(path).cutOff)
  }
})

test('a trace that is damaged before its end is refused with the line, whether it is cut off or not', async () => {
  await marketLines({ trace: path })
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const end of [lines.length, lines.length - 5]) {
    writeFileSync(path, lines.slice(0, end).with(10, '{"t":"sta').join('\n'))
    throwsSaying(() => readTrace(path), `${path}, line 11 is not a line of a trace: "{\\"t\\":\\"sta"`)
  }
})

test('a file that holds less than the head of a trace is refused', () => {
  writeFileSync(path, head)
  throwsSaying(() => readTrace(path), `${path} is not a trace: it is empty`)
})

test('a trace of an older version without a last line is read as complete', () => {
  writeFileSync(path, `${head}\n${spawn}\n`)
  assert.is(readTrace(path).lines.length, 2)
})

test.run()
