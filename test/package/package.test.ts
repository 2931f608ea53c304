/** The package, packed and installed into an empty project, as a new user has it. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ended, installed, ofCheckout } from './installed.ts'

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
const untyped = (text: string): string => text.replace(' as const', '')
const GREETED = 'Hello Ada, guest 1\n'.repeat(3)

function ok({ code, stdout, stderr }: Ended): string {
  assert.is(code, 0, `${stdout}\n${stderr}`)
  return stdout
}

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
    '/protocols/bidding',
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
  assert.match(ok(await project.bourse('replay', 'lock.jsonl', '--register', 'lock/lock.ts')), 'steps of 3 actors')
  assert.match(ok(await project.bourse('trace', 'lock.jsonl', '--register', 'lock/lock.ts')), 'added')
  assert.match(ok(await project.node('--import', 'tsx', '--test', 'lock/lock.test.ts')), /# pass 1|pass 1/)
  ok(await project.node(ofCheckout('node_modules/typescript/bin/tsc'), '-p', '.'))
})

test('runs the scenarios of the papers by their names', async () => {
  assert.match(ok(await project.bourse('run', 'bidding/market', '--tasks', '5', '--runtime', 'inline')), 'ok ')
})

test('lists its commands, and refuses others in one line', async () => {
  assert.match(ok(await project.bourse('--help')), /^ {2}explore +search for schedules/m)
  assert.match(ok(await project.bourse('--version')), /^\d+\.\d+\.\d+\n$/)
  assert.match(ok(await project.bourse('completion', 'bash')), 'complete ')
  for (const args of [
    ['explroe'],
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
