/** Mistakes of authors on the command line: mail that goes nowhere, and faults that wait for what cannot come. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { execute, runFlags } from '../../lib/cli/index.ts'
import { always, eventually, promises } from '../../lib/scenario/oracle.ts'
import { defineScenario } from '../../lib/scenario/scenario.ts'
import { runScenario } from '../bidding/command.ts'
import { throwsSaying } from '../throws.ts'

const alone = defineScenario({
  name: 'alone',
  flags: runFlags,
  addresses: () => ['client@c1'],
  open: async (system) => {
    await system.spawn('client@c1', new URL('../fixtures/adding/register.ts', import.meta.url), 4)
  },
  oracle: promises(),
})

async function command(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await execute(alone, {
    args: [...args, '--quiet', '--runtime', 'inline'],
    stdout: { write: (text) => void out.push(text) },
    stderr: { write: (text) => void err.push(text), isTerminal: false },
    onInterrupt: () => {},
  })
  return { code, stdout: out.join(''), stderr: err.join('') }
}

test('--strict ends a run at mail that goes nowhere with one line and exit code 1', async () => {
  const { code, stderr } = await command('--strict')
  assert.is(
    stderr,
    "bourse: client@c1 sent 'read' to the address register@r, which no actor has had; spawn an actor there, or correct the address\n",
  )
  assert.is(code, 1)
  assert.is((await command()).code, 0)
})

test('a fault that waits for a type that no state handles is refused, and the type that was meant is named', async () => {
  const { code, stderr } = await command('--fault', 'kill client@c1 after 1 raed')
  assert.match(
    stderr,
    'unknown message type of client@c1 "raed" in fault "kill client@c1 after 1 raed"; did you mean read? (known: begin, ',
  )
  assert.is(code, 2)
  assert.is((await command('--fault', 'kill client@c1 after 1 begin')).code, 0)
})

test('explore --strict ends the search in the same way', async () => {
  const file = fileURLToPath(new URL('../fixtures/adding/astray.ts', import.meta.url))
  const { code, stderr } = await runScenario('lab/explore', [file, '--schedules', '5', '--strict', '--quiet'])
  assert.match(stderr, /^bourse: client@c1 sent 'read' to the address register@r, which no actor has had; .*\n$/)
  assert.is(code, 1)
})

test('faults --strict ends in the same way, without a table', async () => {
  const file = fileURLToPath(new URL('../fixtures/adding/astray.ts', import.meta.url))
  const { code, stdout, stderr } = await runScenario('lab/faults', [file, '--plans', '2', '--strict', '--quiet'])
  assert.match(stderr, /^bourse: client@c1 sent 'read' to the address register@r, which no actor has had; .*\n$/)
  assert.equal([code, stdout], [1, ''])
})

test('a run names the faults that never struck, since it was over or never came to them', async () => {
  const faults = ['kill client@c1 at 100', 'kill client@c1 after 2 begin', 'kill client@c1 at 0']
  const { stdout } = await command(...faults.flatMap((fault) => ['--fault', fault]))
  assert.match(stdout, /^faults that never struck: kill client@c1 at 100; kill client@c1 after 2 begin$/m)
})

/** Explores and runs a scenario of three lines, whose second one is `open`. */
async function opening(...lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-mistakes-'))
  const file = join(folder, 'own.ts')
  const [library, register] = ['../../lib/scenario.ts', '../fixtures/adding/register.ts'].map(
    (path) => new URL(path, import.meta.url).href,
  )
  const head = `import { always, defineScenario, promises } from '${library}'; const register = new URL('${register}')`
  const oracle = "oracle: promises(always('nothing', () => [])), ...{"
  writeFileSync(file, [head, `export default defineScenario({ name: 'own', ${oracle}`, ...lines, '}})', ''].join('\n'))
  try {
    return await runScenario('lab/explore', [file, '--schedules', '2', '--quiet'])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a mistake in open is told in one line with its place, and the exit code is 2', async () => {
  const taken = "the address 'a@m1' is taken; restart() begins a new incarnation of it"
  const mistakes = [
    [
      "await system.spawn('a@m1', new URL('./none.ts', import.meta.url))",
      /cannot bundle \S*none.ts: there is no such file/,
    ],
    ["await system.spawn('part', register)", /the address "part" must be role@machine, .*/],
    ["for (const i of [1, 2]) await system.spawn('a@m1', register)", taken],
    ["await Promise.all([1, 2].map(() => system.spawn('a@m1', register)))", taken],
    ["await system.spawn('a@m1', register, 1, { restart: 'alwys' })", /spawn: option restart .*/],
    ['promises({ a: 1 } as never)()', /promises: each promise must be made by .*/],
  ] as const
  for (const [line, said] of mistakes) {
    const { code, stdout, stderr } = await opening('open: async (system) => {', line, '}')
    const text = typeof said === 'string' ? said.replace(/[()]/g, '\\$&') : said.source
    assert.match(stderr, new RegExp(`^bourse: ${text} \\([^()\\n]*own\\.ts:4\\)\\n$`))
    assert.equal([code, stdout], [2, ''], line)
  }
})

test('an error of the code in open keeps its stack', async () => {
  const { code, stderr } = await opening('open: async () => {', 'JSON.parse("{}").a.b()', '}')
  assert.match(stderr, /^bourse: TypeError: .*\n +at .*own\.ts:4:/)
  assert.is(code, 1)
})

test('a promise without a function is refused with the mend', () => {
  const call = (made: (...given: never) => unknown, ...given: readonly unknown[]) =>
    Reflect.apply(made, undefined, given)
  throwsSaying(
    () => call(always, 'no loss'),
    "always 'no loss': the promise must be a function of the history that returns a list of texts, not undefined",
  )
  const oracle = call(promises, () => [])
  throwsSaying(
    () => Reflect.apply(Object(oracle), undefined, []),
    'promises: each promise must be made by always, eventually or a promise of the library, not [Function (anonymous)]',
  )
})

test('two promises of one name are refused', () => {
  const same = promises(
    always('a', () => []),
    always('a', () => []),
  )
  throwsSaying(same, "promises: two promises have the name 'a', and failures are counted by name; ")
  // a promise of the library is a list whose parts have one name
  const paired = [always('b', () => []), eventually('b', () => [])]
  promises(paired)()
  throwsSaying(promises(paired, paired), "two promises have the name 'b'")
})

test('an open that spawns no actor is refused', async () => {
  const { code, stdout, stderr } = await opening('open: async () => {', '}')
  const text = 'open of own spawned no actor; spawn the actors there, and await each system.spawn(...)'
  assert.equal([code, stdout, stderr], [2, '', `bourse: ${text}\n`])
})

test('a definition with an unknown field, without a name or without an oracle, says so', () => {
  const misspelt = { name: 'x', open: async () => {}, orcale: promises() }
  // a definition in plain JavaScript has no types
  const define: (definition: object) => unknown = Object(defineScenario)
  throwsSaying(() => define(misspelt), 'defineScenario has no option orcale; did you mean oracle?')
  const nameless = { open: async () => {}, oracle: promises() }
  throwsSaying(() => define(nameless), "defineScenario: name must be a text, such as 'lock', not undefined")
  throwsSaying(
    () => define({ name: 'x', open: async () => {} }),
    'defineScenario: oracle must be a function, not undefined',
  )
  throwsSaying(
    () => define({ name: 'x', open: async () => {}, oracle: promises(), sometimes: ['decided'] }),
    `defineScenario: sometimes must be a list of goals such as sometime('a name', 'role', 'type'), not [ 'decided' ]`,
  )
})

test.run()
