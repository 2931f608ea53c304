/** The results that remain after an unfinished run. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runScenario } from '../bidding/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-interrupted-'))
test.after(() => rmSync(folder, { recursive: true }))

const trace = join(folder, 'run.jsonl')
const part = `${trace}.part`
const EARLIER = 'the trace of an earlier run\n'

test.before.each(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  writeFileSync(trace, EARLIER)
})

/** Starts a market that runs for minutes; `signal` ends it when its part file exceeds `bytes`. */
const ended = (signal: NodeJS.Signals, bytes = 0, flags = ['--tasks', '3', '--scale', '50000']) => {
  let timer: NodeJS.Timeout | undefined
  return runScenario('bidding/market', ['--time', 'real', ...flags, '--trace', trace], (send) => {
    timer ??= setInterval(() => {
      if (!existsSync(part) || readFileSync(part).length <= bytes) return
      clearInterval(timer)
      send(signal)
    }, 50)
  })
}

test('an interrupted run keeps the trace of an earlier one, and prints the path of its own', async () => {
  const { code, stderr } = await ended('SIGINT')
  assert.is(code, 130)
  assert.match(stderr, `\ninterrupted\n`)
  assert.ok(stderr.endsWith(`the trace so far: ${part}\n`), stderr)
  assert.is(readFileSync(trace, 'utf8'), EARLIER)
  assert.is(readFileSync(part, 'utf8').trimEnd().split('\n').at(-1), '{"t":"end"}')
})

test('a killed run leaves its trace up to a second before, in whole lines, and the earlier trace', async () => {
  await ended('SIGKILL')
  assert.is(readFileSync(trace, 'utf8'), EARLIER)
  const lines = readFileSync(part, 'utf8').split('\n')
  assert.is(lines.pop(), '')
  assert.match(lines[0] ?? '', '"t":"trace"')
  assert.ok(lines.length > 1)
  for (const line of lines) JSON.parse(line)
})

test('a killed run on threads is replayed up to its last whole step', async () => {
  await ended('SIGKILL', 1_000_000, ['--scale', '5', '--tasks', '4000', '--reliable', '--loss', '0.1'])
  const { code, stdout, stderr } = await runScenario('lab/replay', [part])
  assert.is(code, 0, stdout)
  assert.match(stdout, /^\d{3,} steps of \d+ actors\n/)
  assert.match(stderr, /run\.jsonl\.part is cut off: used up to line \d+, at [\d.]+\n$/)
})

test('a run that ends puts its trace in place, and keeps the part of an earlier one', async () => {
  writeFileSync(part, 'left by a run that was killed\n')
  const { code, stderr } = await runScenario('bidding/market', [
    '--tasks',
    '3',
    '--runtime',
    'inline',
    '--trace',
    trace,
  ])
  assert.is(code, 0, stderr)
  assert.is(readFileSync(trace, 'utf8').trimEnd().split('\n').at(-1), '{"t":"end"}')
  assert.equal(readdirSync(folder), ['run.jsonl', 'run.jsonl.part'])
  assert.is(readFileSync(part, 'utf8'), 'left by a run that was killed\n')
  rmSync(part)
})

test('a refused run keeps the traces of earlier ones and leaves none of its own', async () => {
  const bad = ['--tasks', '3', '--trace', trace, '--fault', 'kill @m1 when contractor@m1 enters nowhere']
  const { code, stderr } = await runScenario('bidding/market', ['--quiet', '--runtime', 'inline', ...bad])
  assert.is(code, 2, stderr)
  assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
  assert.is(readFileSync(trace, 'utf8'), EARLIER)
  assert.equal(readdirSync(folder), ['run.jsonl'])
})

test('results may go to stdout, to a pipe, and to a file behind stdout', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const market = 'node --import tsx scenarios/bidding/market.ts --tasks 2 --runtime inline --quiet'
  const shell = (line: string): string => execFileSync('bash', ['-c', line], { cwd, encoding: 'utf8' })
  assert.match(shell(`${market} --trace /dev/stdout | cat`), /^\{"t":"trace".*\n/)
  assert.match(shell(`${market} --jobs-out /dev/stdout | cat`), /^id,arrival,.*\nt1,/)
  assert.match(shell(`${market} --jobs-out >(cat) > /dev/null`), /^id,arrival,.*\nt1,/)
  shell(`${market} --jobs-out /dev/stdout > ${join(folder, 'all.txt')}`)
  assert.match(readFileSync(join(folder, 'all.txt'), 'utf8'), /ok {5}the run ended by itself/)
  assert.match(
    shell(`mkfifo ${folder}/fifo; cat ${folder}/fifo & ${market} --jobs-out ${folder}/fifo >&2; wait`),
    /^id,/,
  )
})

test.run()
