/** Traces as files: what is refused, and in which words. */
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

refuses('an empty file', '', ': expected a trace, got nothing')
refuses('a file of something else', '{"a":1}\n', ', line 1: expected a line of a trace, got "{\\"a\\":1}"')
refuses('a line that is no JSON', `${head}\nhello\n`, ', line 2: expected a line of a trace, got "hello"')
refuses('a trace without its head', `${spawn}\n`, ': expected a trace, got a file that begins with')
refuses(
  'a trace of another version',
  '{"t":"trace","version":999}\n',
  `: expected a trace of version ${TRACE_VERSION}, got version 999`,
)
refuses(
  'a trace that was cut off at its limit',
  `${head}\n{"t":"truncated","limit":100,"option":"traceBytes"}\n`,
  ': expected a whole trace, got one that was cut off at 100 bytes (option traceBytes)',
)
refuses('a last line that is cut off', `${head}\n{"t":"spa`, ': expected a whole trace, got one whose last line is cut')
refuses(
  'a file beyond the limit',
  `${head}\n`,
  `: expected at most 10 bytes (option bytes), got ${head.length + 1}`,
  10,
)
refuses(
  'a step of an actor that was never spawned',
  `${head}\n{"t":"start","at":0,"who":"a@m1"}\n`,
  ', line 2: expected an actor that was spawned before as "who", got "a@m1"',
)
refuses(
  'a message that nobody can have sent in a step',
  `${head}\n${spawn}\n{"t":"send","at":0,"id":"1.0.0","from":"a@m1","to":"a@m1","message":{"type":"x"}}\n`,
  ', line 3: expected a step of a@m1 before this line, got none',
)
refuses(
  'mail that nobody sent',
  `${head}\n${spawn}\n{"t":"deliver","at":0,"who":"a@m1","id":"1.0.7","type":"x"}\n`,
  ', line 3: expected a message x sent before as "id", got "1.0.7"',
)
refuses(
  'a line whose field is of another kind',
  `${head}\n${spawn.replace('"slot":1', '"slot":"one"')}\n`,
  ', line 2: expected a number "slot", got "one"',
)

test('a file that is not there is refused', () => {
  throwsSaying(() => readTrace(join(folder, 'none')), 'expected a readable file, got no such file')
})

test('a file holds the lines that were told in memory', async () => {
  const lines = await marketLines({ trace: path })
  assert.equal(readTrace(path).lines, JSON.parse(JSON.stringify(traceOf(lines).lines)))
})

test('a trace that is cut off at the end of a line is refused, wherever that is; its last line says that it is whole', async () => {
  await marketLines({ trace: path })
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  assert.is(lines.at(-1), '{"t":"end"}')
  for (const kept of [1, 2, Math.floor(lines.length / 2), lines.length - 1]) {
    writeFileSync(
      path,
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(''),
    )
    throwsSaying(() => readTrace(path), `${path}: expected a whole trace, got one that breaks off after line ${kept}`)
  }
})

test('a trace from before there were last lines is read as it is', () => {
  writeFileSync(path, `${head}\n${spawn}\n`)
  assert.is(readTrace(path).lines.length, 2)
})

test.run()
