/** A smallest scenario of one's own, which every command takes: two files, one promise. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TYPESCRIPT } from '../typescript.ts'

const test = suite("a scenario of one's own")

const root = fileURLToPath(new URL('../..', import.meta.url))
const ADDING = 'test/fixtures/adding/adding.ts'
const folder = mkdtempSync(join(tmpdir(), 'bourse-own-'))
test.after(() => rmSync(folder, { recursive: true }))

function command(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [...TYPESCRIPT, program, ...args], { cwd: root })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
}

test('stands in the manual as it is, with the imports of the package', () => {
  const manual = readFileSync(join(root, 'lib/scenario/README.md'), 'utf8')
  for (const name of ['register.ts', 'adding.ts', 'page.ts']) {
    const text = readFileSync(join(root, 'test/fixtures/adding', name), 'utf8')
    assert.ok(manual.includes(text.replaceAll(/'[./]+lib\/(\w+)\.ts'/g, "'bourse/$1'")), name)
  }
})

test('has 40 lines', () => {
  const files = ['register.ts', 'adding.ts'].map((name) =>
    readFileSync(join(root, 'test/fixtures/adding', name), 'utf8'),
  )
  assert.is(files.flatMap((text) => text.trimEnd().split('\n')).length, 40)
})

test('runs as a program, on threads and inline, with a trace and a report', async () => {
  const [trace, report] = [join(folder, 'run.jsonl'), join(folder, 'run.html')]
  const { code, stdout, stderr } = await command(ADDING, '--trace', trace, '--report', report)
  assert.is(code, 0, stderr)
  assert.match(stdout, /^written +2$/m)
  assert.match(stdout, 'ok     invariants: none violated')
  assert.match(stderr, 'adding, seed 1')
  assert.match(stderr, `to replay this run: npx tsx scenarios/lab/replay.ts ${trace} --register ${ADDING}\n`)
  assert.match(readFileSync(report, 'utf8'), `npx tsx scenarios/lab/run.ts ${ADDING}`)
  assert.match(readFileSync(trace, 'utf8'), '"scenario":"adding"')
  const replayed = await command('scenarios/lab/replay.ts', trace, '--register', ADDING)
  assert.is(replayed.code, 0, replayed.stderr)
  assert.match(replayed.stdout, /^\d+ steps of 3 actors$/m)
  const told = await command('scenarios/lab/trace.ts', trace, '--register', ADDING)
  assert.match(told.stdout, 'written 2')
})

test('gives the same trace on threads, inline and on two engines', async () => {
  const { code, stdout } = await command(ADDING, '--check-determinism')
  assert.is(code, 0, stdout)
})

test('is explored: a lost addition is found, shrunk, and repeated by the printed command', async () => {
  const { code, stdout, stderr } = await command('scenarios/lab/explore.ts', ADDING, '--schedules', '100')
  assert.is(code, 1, stderr)
  assert.match(stdout, 'no addition is lost: the register has 1 after 2 additions')
  assert.not.match(stdout, 'reachability goals')
  const [, program = '', words = ''] = /npx tsx (\S+) (.*--schedule \S+) --runtime inline/.exec(stdout) ?? []
  assert.match(words, ADDING)
  for (const runtime of ['inline', 'threads']) {
    const again = await command(program, ...words.split(' '), '--runtime', runtime)
    assert.is(again.code, 1)
    assert.match(again.stdout, 'FAILED invariants: no addition is lost: the register has 1 after 2 additions')
  }
  const whole = await command('scenarios/lab/explore.ts', '--scenario', ADDING, '--strategy', 'exhaustive')
  assert.match(whole.stdout, 'no addition is lost')
  assert.not.match(whole.stdout, 'reachability goals')
})

test('needs no runProgram: the printed command runs a file that only exports its scenario', async () => {
  const file = join(folder, 'exported.ts')
  const text = readFileSync(join(root, ADDING), 'utf8')
    .replace(/^await runProgram.*$/m, '')
    .replaceAll(/'[./]+lib\/(\w+)\.ts'/g, (_, name) => `'${pathToFileURL(join(root, `lib/${name}.ts`))}'`)
    .replace("'./register.ts', import.meta.url", `'${pathToFileURL(join(root, 'test/fixtures/adding/register.ts'))}'`)
  assert.not.match(text, 'await runProgram')
  writeFileSync(file, text)
  const { code, stdout, stderr } = await command('scenarios/lab/explore.ts', file, '--schedules', '100')
  assert.is(code, 1, stderr)
  const [, program = '', words = ''] = /npx tsx (\S+) (.*--schedule \S+ --runtime inline)/.exec(stdout) ?? []
  const again = await command(program, ...words.split(' '))
  assert.is(again.code, 1, again.stderr)
  assert.match(again.stdout, 'FAILED invariants: no addition is lost: the register has 1 after 2 additions')
})

test('suffers the faults of a plan, and refuses those of actors that it does not have', async () => {
  const { code, stdout } = await command(ADDING, '--fault', 'kill client@c2 at 2', '--runtime', 'inline')
  assert.is(code, 0)
  assert.match(stdout, /^written +1$/m)
  const wrong = await command(ADDING, '--fault', 'kill client@c3 at 2')
  assert.is(wrong.code, 2)
  assert.match(wrong.stderr, 'client@c3')
  const random = await command('scenarios/lab/explore.ts', ADDING, '--faults', 'kill any client', '--schedules', '20')
  assert.match(random.stdout, 'schedules 20')
})

test('has its races listed, with the effect of the other order', async () => {
  const { code, stdout, stderr } = await command('scenarios/lab/races.ts', ADDING)
  assert.is(code, 1, stderr)
  assert.match(stdout, 'no addition is lost')
})

const COUNTING = 'test/fixtures/counting/counting.ts'
const faults = (...args: readonly string[]) => command('scenarios/lab/faults.ts', ...args)

test('is run under random fault plans, and keeps its promises', async () => {
  const { code, stdout, stderr } = await faults(COUNTING, '--plans', '20')
  assert.is(code, 0, stdout)
  for (const kind of ['deaths', 'restarts', 'pauses', 'partitions', 'delays', 'disks', 'losses', 'mixed']) {
    assert.match(stdout, `ok     ${kind}: invariants: none violated in 21 plans`)
  }
  assert.is(stderr.replaceAll(/^\d+ % .* blocks of plans\n/gm, ''), `${COUNTING}, seed 1: fault plans\n`)
})

for (const [bug, kind, broken] of [
  ['--forgetful', 'restarts', 'an addition is counted once: addition \\d is counted again'],
  ['--times=1', 'losses', 'every addition is counted: addition \\d is not'],
] as const) {
  test(`has a bug that random fault plans find, and the printed command repeats it (${bug})`, async () => {
    const { code, stdout } = await faults(COUNTING, bug, '--plans', '20', '--threads', '0', '--only', kind)
    assert.is(code, 1)
    assert.match(stdout, new RegExp(`${kind}, plan \\d+ of seed 1:\n +${broken}`))
    assert.match(stdout, new RegExp(`FAILED ${kind}: invariants: ${broken}`))
    const [, program = '', words = ''] = /again: npx tsx (\S+) ([^;\n]*)/.exec(stdout) ?? []
    assert.match(words, COUNTING)
    const given = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
    const again = await command(program, ...given)
    assert.is(again.code, 1, again.stderr)
    assert.match(again.stdout, new RegExp(`FAILED invariants: ${broken}`))
  })
}

test('gives the fault plans its own flags, which plans of another scenario refuse', async () => {
  const both = await faults(ADDING, '--fault', 'kill @c2 at 1', '--plans', '1', '--threads', '0', '--only', 'losses')
  assert.is(both.code, 0, both.stdout)
  const named = await faults('economy/run', '--jobs', '3')
  assert.is(named.code, 2)
  assert.match(named.stderr, '--jobs cannot be given: the fault plans of economy/run choose it')
})

test('keeps what its actors persist in the files of --log, and the next run begins with it', async () => {
  const counters = 'test/fixtures/log/counters.ts'
  const log = ['--log', join(folder, 'records'), '--fsync']
  const first = await command(counters, '--most', '3', '--runtime', 'inline', ...log)
  assert.is(first.code, 0, first.stderr)
  assert.match(first.stdout, /^counted +5$/m)
  assert.match(readFileSync(join(folder, 'records', 'b@m2.log'), 'utf8'), 'bourse-log 1 b@m2\n')
  const second = await command(counters, '--most', '4', '--runtime', 'inline', ...log)
  assert.match(second.stdout, /^counted +2$/m)
  for (const [args, said] of [
    [['--fsync'], '--fsync needs --log FOLDER'],
    [[...log, '--check-determinism'], '--log cannot be combined with --check-determinism'],
  ] as const) {
    const refused = await command(counters, ...args)
    assert.is(refused.code, 2)
    assert.match(refused.stderr, said)
  }
  const many = await faults(counters, '--log', folder)
  assert.is(many.code, 2)
  assert.match(many.stderr, '--log cannot be given: it names files of one run')
})

test('says what is wrong with a file that is no scenario', async () => {
  const none = await command('scenarios/lab/explore.ts', 'test/fixtures/registered.ts')
  assert.is(none.code, 2)
  assert.match(none.stderr, 'test/fixtures/registered.ts needs a default export that defineScenario made')
  const absent = await command('scenarios/lab/races.ts', 'test/fixtures/nothing.ts')
  assert.is(absent.code, 2)
  assert.is(absent.stderr, 'bourse: cannot load test/fixtures/nothing.ts: no such file\n')
  const file = join(folder, 'broken.ts')
  writeFileSync(file, 'export default {{\n')
  const broken = await command('scenarios/lab/races.ts', file)
  assert.is(broken.code, 2)
  assert.match(broken.stderr, /^bourse: cannot load [^\n]+broken\.ts:1:16: ERROR: [^\n]+\n$/)
})

test('says that another copy of the library made the scenario of a file', async () => {
  const file = join(folder, 'copied.mjs')
  writeFileSync(file, "const f = () => {}\nexport default { name: 'a', specification: f, small: f, prepared: f }\n")
  const { code, stderr } = await command('scenarios/lab/explore.ts', file)
  assert.is(code, 2)
  const mend = 'import bourse from this copy, or use `npx bourse` in the project that has it'
  assert.is(stderr, `bourse: ${file} exports a scenario that another copy of bourse made: ${mend}\n`)
})

test('says that a checkout needs a build before its files can import the package', async () => {
  const file = join(folder, 'unbuilt.ts')
  writeFileSync(file, `import '${pathToFileURL(join(root, 'dist/lib/not-there.js'))}'\n`)
  const { code, stderr } = await command('scenarios/lab/explore.ts', file)
  assert.is(code, 2)
  assert.match(
    stderr,
    /^bourse: cannot load [^\n]+unbuilt\.ts: [^\n]+not-there\.js[^\n]+; in a checkout run `npm run build` first, and then `npx bourse` in place of npx tsx\n$/,
  )
})

test.run()
