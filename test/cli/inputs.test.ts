/** Inputs other than regular files are refused in one line, or read up to a limit while signals are handled. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runScenario } from '../bidding/command.ts'
import { TYPESCRIPT } from '../typescript.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'bourse-inputs-'))
test.after(() => rmSync(folder, { recursive: true }))

const fifo = join(folder, 'fifo')
const jobs = join(folder, 'jobs.csv')
const trace = join(folder, 'run.jsonl')
const ANY_RUNTIME = [...TYPESCRIPT, 'scenarios/bidding/market.ts', '--quiet']
const MARKET = [...ANY_RUNTIME, '--runtime', 'inline']

test.before(async () => {
  execFileSync('mkfifo', [fifo])
  writeFileSync(jobs, 'id,arrival,work\na,0,3\nb,1,2\n')
  const { code } = await runScenario('bidding/market', ['--tasks', '2', '--runtime', 'inline', '--trace', trace])
  assert.is(code, 0)
})

const FIFO = `a named pipe: give /dev/stdin instead, with < ${fifo}`
const refused: readonly (readonly [name: string, scenario: string, args: string[], where: string, got: string])[] = [
  ['a named pipe as a workload', 'bidding/market', ['--workload', fifo], `--workload ${fifo}`, FIFO],
  ['a named pipe as tasks', 'contracts/run', ['--workload', fifo], `--workload ${fifo}`, FIFO],
  ['a device as jobs', 'economy/run', ['--workload', '/dev/zero'], '--workload /dev/zero', 'a device'],
  ['a named pipe as a trace', 'lab/trace', [fifo], fifo, FIFO],
  ['a device as a trace', 'lab/replay', ['/dev/zero'], '/dev/zero', 'a device'],
  ['a named pipe of races', 'lab/races', [fifo], fifo, FIFO],
  ['a named pipe of kept results', 'bidding/table-1', ['--keep', fifo], fifo, FIFO],
  [
    'a named pipe of credentials',
    'host',
    ['--nats', 'nats://127.0.0.1:1', '--insecure', '--creds', fifo],
    `--creds ${fifo}`,
    FIFO,
  ],
  [
    'a named pipe of certificates',
    'host',
    ['--nats', 'nats://127.0.0.1:1', '--insecure', '--ca', fifo],
    `--ca ${fifo}`,
    FIFO,
  ],
]

for (const [name, scenario, args, where, got] of refused) {
  test(`${name} is refused in one line`, async () => {
    const { code, stdout, stderr } = await runScenario(scenario, args)
    assert.is(code, 2, stderr)
    assert.is(stdout, '')
    assert.is(stderr.split('\n').at(-2), `bourse: ${where} must be a regular file, not ${got}`)
  })
}

const shell = (line: string): string => execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' })
const node = (args: readonly string[]): string => [process.execPath, ...args].join(' ')

test('a pipe is an input, as /dev/stdin or a process substitution, and may be used more than once', () => {
  const finished = /ok {5}the run ended by itself: yes/
  assert.match(shell(`cat ${jobs} | ${node(MARKET)} --workload /dev/stdin`), finished)
  assert.match(shell(`${node(MARKET)} --workload /dev/stdin < ${jobs}`), finished)
  assert.match(shell(`${node(MARKET)} --workload <(cat ${jobs})`), finished)
  assert.match(shell(`cat ${jobs} | ${node(ANY_RUNTIME)} --workload /dev/stdin --check-determinism`), finished)
  const read = node([...TYPESCRIPT, 'scenarios/lab/trace.ts'])
  assert.match(shell(`cat ${trace} | ${read} diff /dev/stdin ${trace}`), /^the same: /)
})

test('a pipe without an end is refused at the limit', async () => {
  const child = spawn('bash', ['-c', `yes 1,2,3 | ${node(MARKET)} --workload /dev/stdin`], { cwd: root })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  const limit = '256000000 bytes through a pipe (INPUT_BYTES_MAX; a file may have more)'
  assert.equal([code, stderr], [2, `bourse: --workload /dev/stdin may have at most ${limit}, but has more\n`])
})

for (const args of [
  [...MARKET, '--workload', '/dev/stdin'],
  [...TYPESCRIPT, 'scenarios/lab/replay.ts', '/dev/stdin'],
]) {
  test(`a signal ends a command that waits for a pipe: ${args[2]}`, async () => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })
    // more than a pipe holds: when all of it is written, the command is reading
    await new Promise((resolve) => child.stdin.write(`id,arrival,work\n${'1,2,3\n'.repeat(500_000)}`, resolve))
    child.kill('SIGINT')
    const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
    const [code, signal] = await once(child, 'exit')
    clearTimeout(late)
    assert.equal([code, signal], [130, null])
  })
}

test.run()
