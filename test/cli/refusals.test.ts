/** A refused command prints its reason in one line and nothing else: no heading, no note. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { processOf } from '../../lib/runtime/process-identity.ts'
import { runScenario } from '../bidding/command.ts'

const scenarios = fileURLToPath(new URL('../../scenarios/', import.meta.url))
const commands = readdirSync(scenarios, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .filter((path) => /^await (\w*[mM]ain|runProgram)\(/m.test(readFileSync(scenarios + path, 'utf8')))
  .map((path) => path.slice(0, -'.ts'.length))

async function refused(name: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runScenario(name, args)
  const shown = `${name} ${args.join(' ')}: ${stdout}${stderr}`
  assert.is(code, 2, shown)
  assert.is(stdout, '', shown)
  assert.match(stderr, /^bourse: [^\n]*\n$/, shown)
}

/** Checks all commands of a list, two at a time. */
async function each(names: readonly string[], ...args: readonly string[]): Promise<void> {
  const left = [...names]
  const next = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await refused(name, args)
  }
  await Promise.all([next(), next()])
}

test('the list has all commands', () => {
  assert.ok(commands.length >= 40, commands.join())
  for (const name of ['bidding/market', 'lab/faults', 'contracts/figure-7', 'lab/trace', 'host']) {
    assert.ok(commands.includes(name), name)
  }
})

test('every command refuses a wrong file of kept results, or --keep itself', () =>
  each(commands, '--keep', 'package.json'))

test('a server that cannot be reached is refused', () =>
  each(
    ['bidding/table-1', 'lab/faults', 'contracts/figure-3', 'economy/traces', 'lab/explore', 'shares/sleepers'],
    ...['--workers', 'nats://127.0.0.1:1'],
  ))

test('hosts that cannot be reached are refused', () =>
  each(
    ['bidding/market', 'mesh/run', 'shares/stride'],
    ...['--time', 'real', '--hosts', 'h1', '--nats', 'nats://127.0.0.1:1'],
  ))

test('a fault at an unknown state is refused, also with --live', async () => {
  const fault = ['--fault', 'kill @m1 when contractor@m1 enters nowhere']
  for (const name of ['bidding/market', 'bidding/render', 'lab/explore', 'lab/races']) await refused(name, fault)
  await refused('bidding/market', [...fault, '--time', 'real', '--live'])
})

test('a log that is damaged, or that another run uses, is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-refused-'))
  writeFileSync(join(folder, 'runs'), 'one\n')
  await refused('bidding/market', ['--tasks', '1', '--log', folder])
  writeFileSync(join(folder, 'runs'), '1\n')
  writeFileSync(join(folder, `lock-${process.pid}-${processOf(process.pid)?.start ?? 0}-0`), '')
  await refused('bidding/market', ['--tasks', '1', '--log', folder])
  rmSync(folder, { recursive: true })
})

test('results that cannot be written are refused', async () => {
  await refused('lab/races', ['--pictures', '/dev/null/x'])
  await refused('bidding/market', ['--jobs-out', '/none/x'])
})

test.run()
