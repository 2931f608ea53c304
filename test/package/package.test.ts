/** The package, packed and installed into an empty project, as a new user has it. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FAMILIES } from '../../scenarios/families.ts'
import { installed, ofCheckout, ok } from './installed.ts'

const test = suite('the installed package')
const project = await installed()
test.after(() => project.remove())

const GREETER = `import { actor, tell } from 'bourse/actor'

const { createMachine, handlers } = actor()

export default createMachine({
  context: { guests: 0 },
  on: handlers({
    hello: ({ guests }, { name }, { from }) => [
      { guests: guests + 1 },
      tell(from, { type: 'welcome', text: \`Hello \${name}, guest \${guests + 1}\` }),
    ],
  }),
})
`
const TYPED = GREETER.replace(
  'actor()',
  "actor<{ input: null; context: { guests: number }; event: { type: 'hello'; name: string } }>()",
)
const HELLO = `import { System } from 'bourse'
import { units } from 'bourse/actor'

for (const options of [{ runtime: 'threads' }, { runtime: 'inline' }, { runtime: 'threads', time: 'real' }] as const) {
  await using system = new System({ seed: 1, ...options })
  await system.spawn('greeter@m1', new URL('./greeter.EXT', import.meta.url))
  const { text } = await system.ask('greeter@m1', { type: 'hello', name: 'Ada' }, { deadline: units(1000) })
  console.log(text)
}
`
/** Two clients add 1 to a register; a client reads, then writes what it has read plus 1. */
const REGISTER = `import { actor, observe, tell } from 'bourse/actor'

const { createMachine, handlers, onEntry } = actor()

export default createMachine({
  context: ({ input }) => ({ to: input, n: 0 }),
  entry: onEntry(({ to }) => [{}, ...(to === null ? [] : [tell(to, { type: 'read' })])]),
  on: handlers({
    read: ({ n }, _, { from }) => [{}, tell(from, { type: 'number', n })],
    number: ({ to }, { n }) => [{}, tell(to, { type: 'write', n: n + 1 })],
    write: (_, { n }) => [{ n }, observe({ type: 'written', n })],
  }),
})
`
const ADDING = `import { defineScenario, eventually, promises } from 'bourse/scenario'

const module = new URL('./register.mjs', import.meta.url)
export const adding = (clients) =>
  defineScenario({
    name: 'adding',
    open: async (system) => {
      await system.spawn('register@r', module)
      for (let i = 1; i <= clients; i++) await system.spawn(\`client@c\${i}\`, module, 'register@r')
    },
    oracle: promises(
      eventually('no addition is lost', ({ facts }) => {
        const last = facts.at(-1)?.fact['n']
        return last === clients ? [] : [\`the register has \${last} after \${clients} additions\`]
      }),
    ),
  })
export default adding(2)
`
const EXPLORED = `import { explore } from 'bourse/lab'
import scenario, { adding } from './adding.mjs'
const kept = async () => { await explore(adding(1), { schedules: 20 }) }
const broken = async () => { await explore(scenario, { schedules: 100, file: new URL('./adding.mjs', import.meta.url) }) }
`
const untyped = (text: string): string => text.replace(' as const', '')
const GREETED = 'Hello Ada, guest 1\n'.repeat(3)

project.write({
  'plain/greeter.mjs': GREETER,
  'plain/hello.mjs': untyped(HELLO.replace('EXT', 'mjs'))
    .replace('await using', 'const')
    .replace(/\n}\n$/, '\n  await system.stop()\n}\n'),
  'typed/greeter.ts': TYPED,
  'typed/hello.ts': HELLO.replace('EXT', 'ts')
    .replace('await using', 'const')
    .replace(/\n}\n$/, '\n  await system.stop()\n}\n'),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { module: 'NodeNext', target: 'ES2022', strict: true, noEmit: true },
    include: ['typed', 'all.ts', 'lock/lock.ts', 'lock/counter.ts', 'lock/client.ts'],
  }),
})

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const stripsTypes = major > 22 || (major === 22 && minor >= 18)

test('is smaller than 1.5 MB, and has what its exports name', () => {
  assert.ok(statSync(project.tarball).size < 1.5e6, `${statSync(project.tarball).size} bytes`)
  const home = join(project.folder, 'node_modules/bourse')
  const { exports, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const named = JSON.stringify([exports, bin]).match(/"\.\/[^"*]+\.[a-z.]+"/g) ?? []
  assert.ok(named.length >= 17)
  for (const path of named) assert.ok(existsSync(join(home, JSON.parse(path))), path)
})

test('has the source to which each declaration map leads', () => {
  const home = join(project.folder, 'node_modules/bourse')
  const maps = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts.map'))
  assert.ok(maps.length > 100)
  const lost = maps.filter((path) => {
    const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(join(home, path), 'utf8'))
    return !sources.every((source) => existsSync(join(home, path, '..', source)))
  })
  assert.equal(lost, [])
})

test('has the pages that its front page links', () => {
  const home = join(project.folder, 'node_modules/bourse')
  const pages = [...readFileSync(join(home, 'README.md'), 'utf8').matchAll(/\]\(([^):#]+\.md)/g)].map(
    ([, path = '']) => path,
  )
  assert.ok(pages.length > 20)
  assert.equal(
    pages.filter((path) => !existsSync(join(home, path))).sort(),
    ['CHANGELOG.md', 'test/bench/README.md'], // about versions, and about the tests of a checkout
  )
})

test('runs actors in plain JavaScript under node, on threads, inline and in real time', async () => {
  assert.is(ok(await project.node('plain/hello.mjs')), GREETED)
})

test('runs actors in TypeScript under tsx', async () => {
  assert.is(ok(await project.node('--import', 'tsx', 'typed/hello.ts')), GREETED)
})

if (stripsTypes) {
  test('runs actors in TypeScript under node alone', async () => {
    assert.is(ok(await project.node('typed/hello.ts')), GREETED)
  })
}

test('runs the JavaScript that a compiler made of TypeScript, whose URLs still say .ts', async () => {
  const compiled = ['--module', 'NodeNext', '--target', 'ES2022', '--outDir', 'compiled']
  ok(
    await project.node(
      ofCheckout('node_modules/typescript/bin/tsc'),
      ...compiled,
      '--ignoreConfig',
      'typed/hello.ts',
      'typed/greeter.ts',
    ),
  )
  assert.is(ok(await project.node('compiled/hello.js')), GREETED)
})

test('has no type errors in a strict project that checks the declarations of its libraries, and has no types of Node', async () => {
  const doors = [
    '',
    '/actor',
    '/lab',
    '/scenario',
    '/report',
    '/experiment',
    '/workload',
    '/nats',
    ...FAMILIES.flatMap(({ name }) => [`/protocols/${name}`, `/protocols/${name}/actor`]),
  ]
  project.write({
    'all.ts': [
      ...doors.map((door, i) => `import * as d${i} from 'bourse${door}'`),
      `console.log(${doors.map((_, i) => `d${i}`).join(', ')})`,
    ].join('\n'),
  })
  ok(await project.node(ofCheckout('node_modules/typescript/bin/tsc'), '-p', '.'))
  ok(await project.node('--import', 'tsx', 'all.ts'))
})

test('writes a first protocol, whose scenario runs, is explored and passes its test', async () => {
  assert.match(ok(await project.bourse('new', 'lock')), 'npx bourse run lock/lock.ts')
  const report = join(project.folder, 'lock.html')
  const ran = ok(await project.bourse('run', 'lock/lock.ts', '--report', report, '--trace', 'lock.jsonl'))
  assert.match(ran, 'ok     invariants: none violated')
  assert.match(readFileSync(report, 'utf8'), 'npx bourse run lock/lock.ts')
  assert.match(ok(await project.bourse('explore', 'lock/lock.ts', '--schedules', '50')), 'schedules 50')
  assert.match(ok(await project.bourse('races', 'lock/lock.ts')), 'counter')
  assert.match(ok(await project.bourse('faults', 'lock/lock.ts', '--plans', '1')), 'restarts')
  assert.match(ok(await project.bourse('replay', 'lock.jsonl', '--register', 'lock/lock.ts')), 'steps of 3 actors')
  assert.match(ok(await project.bourse('trace', 'lock.jsonl', '--register', 'lock/lock.ts')), 'added')
  assert.match(ok(await project.node('--import', 'tsx', '--test', 'lock/lock.test.ts')), /# pass 1|pass 1/)
  const tsc = ofCheckout('node_modules/typescript/bin/tsc')
  ok(await project.node(tsc, '-p', '.'))
  cpSync(ofCheckout('node_modules/@types/node'), join(project.folder, 'node_modules/@types/node'), { recursive: true })
  cpSync(ofCheckout('node_modules/undici-types'), join(project.folder, 'node_modules/undici-types'), {
    recursive: true,
  })
  ok(await project.node(tsc, '-p', 'lock'))
  // a library of actors has declarations of its own
  const declared = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', 'declared']
  ok(await project.node(tsc, '-p', 'lock', ...declared))
  rmSync(join(project.folder, 'node_modules/@types'), { recursive: true })
})

test('explores in node:test, uvu and vitest, where the error of a broken promise tells the run', async () => {
  project.write({
    'races/register.mjs': REGISTER,
    'races/adding.mjs': ADDING,
    'races/node.test.mjs': `import { test } from 'node:test'\n${EXPLORED}test('kept', kept)\ntest('broken', broken)\n`,
    'races/uvu.test.mjs': `import { test } from 'uvu'\n${EXPLORED}test('kept', kept)\ntest('broken', broken)\ntest.run()\n`,
    'races/vitest.test.mjs': `import { test } from 'vitest'\n${EXPLORED}test('kept', kept)\ntest('broken', broken)\n`,
    'lock/typed.test.ts': readFileSync(join(project.folder, 'lock/lock.test.ts'), 'utf8').replace(
      'node:test',
      'vitest',
    ),
  })
  // a slow machine may need more than the 5 s that vitest gives a test
  const vitest = [ofCheckout('node_modules/vitest/vitest.mjs'), 'run', '--testTimeout=120000']
  for (const name of ['uvu', 'vitest']) {
    symlinkSync(ofCheckout(`node_modules/${name}`), join(project.folder, 'node_modules', name))
  }
  for (const args of [
    ['--test', 'races/node.test.mjs'],
    ['races/uvu.test.mjs'],
    [...vitest, 'races/vitest.test.mjs'],
  ]) {
    const { code, stdout, stderr } = await project.node(...args)
    const output = stdout + stderr
    assert.is(code, 1, output)
    assert.match(output, 'no addition is lost: the register has 1 after 2 additions')
    assert.match(output, /npx bourse run races\/adding\.mjs .*--schedule b1:/)
    assert.match(output, /pass 1|Passed: +1|1 passed/)
  }
  // TypeScript without a loader of its own
  assert.match(ok(await project.node(...vitest, 'lock/typed.test.ts')), '1 passed')
})

test('is found to be well made by publint and by Are the Types Wrong', async () => {
  const attw = ofCheckout('node_modules/@arethetypeswrong/cli/dist/index.js')
  ok(await project.node(attw, project.tarball, '--profile', 'esm-only', '--no-emoji'))
  const publint = ofCheckout('node_modules/publint/src/cli.js')
  const told = ok(await project.node(publint, 'node_modules/bourse', '--strict', '--pack', 'false'))
  assert.match(told, 'All good!')
})

test('runs the scenarios of the papers by their names', async () => {
  assert.match(ok(await project.bourse('run', 'bidding/market', '--tasks', '5', '--runtime', 'inline')), 'ok ')
})

test('lists its commands, and refuses others in one line', async () => {
  assert.match(ok(await project.bourse('--help')), /^ {2}explore +search for schedules/m)
  assert.match(ok(await project.bourse('help', 'explore')), /--schedules N/)
  assert.match(ok(await project.bourse('--version')), /^\d+\.\d+\.\d+\n$/)
  assert.match(ok(await project.bourse('completion', 'bash')), 'complete ')
  for (const args of [
    ['explroe'],
    ['explore'],
    ['run'],
    ['run', 'none.ts'],
    ['new', 'Lock'],
    ['new', 'lock'],
    ['completion', 'csh'],
  ]) {
    const { code, stderr } = await project.bourse(...args)
    assert.is(code, 2, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, /^bourse: [^\n]+\n$/)
  }
})

test.run()
