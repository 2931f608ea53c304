/**
 * A sixth family, made by the checklist of CONTRIBUTING.md in a copy of the project, is taken by what is about all families.
 *
 * Six things are left out. Two small machines have too few mutants. The family has no measures of its speed (`npm run bench`), no
 * picture in the manual and no figure: it says so. It runs on hosts only where a NATS server is installed. Its row about failing
 * disks is required, but not searched: its promises know of no earlier run on a log.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { flagTable } from '../lib/cli/index.ts'
import { ownFlagsOf } from '../scenarios/family.ts'
import counting from './fixtures/counting/counting.ts'
import { Viewer } from './live/client.ts'
import { liveCommandOf } from './live/command.ts'
import { TYPESCRIPT } from './typescript.ts'

const test = suite('a sixth family')

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'bourse-sixth-'))
const SCENARIO = 'counting/run'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

function write(path: string, text: string): void {
  const file = join(copy, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Edits a file of the copy, where `find` occurs once. */
function edit(path: string, find: string, replace: string): void {
  const text = readFileSync(join(copy, path), 'utf8')
  assert.is(text.split(find).length, 2, `${path}: ${find}`)
  writeFileSync(join(copy, path), text.replace(find, replace))
}

/** A file of the scenario of a user, as it stands in the folder of a family. */
const moved = (name: string): string =>
  read(`test/fixtures/counting/${name}.ts`)
    .replaceAll('../../../lib/', '../../lib/')
    .replace('`./', '`../../actors/counting/')
    .replace("name: 'counting'", `name: '${SCENARIO}'`)

test.before(() => {
  for (const path of [
    'actors',
    'lib',
    'scenarios',
    'test',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'typedoc.json',
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  // the folders of the family
  write('actors/counting/counter.ts', moved('counter'))
  write('actors/counting/client.ts', moved('client'))
  write('actors/counting/README.md', '# Counting\n')
  write('scenarios/counting/run.ts', moved('counting'))
  write('scenarios/counting/README.md', '# Counting\n')
  write(
    'scenarios/counting/family.ts',
    `import type { Family } from '../family.ts'
import countingRun from './run.ts'

export const counting: Family = {
  name: 'counting',
  source: 'nobody',
  scenarios: { '${SCENARIO}': countingRun },
  machines: ['counting/client', 'counting/counter'],
  studies: [],
  trace: {},
  picture: null,
  figure: null,
}
`,
  )
  write('test/counting/run.test.ts', "import { test } from 'uvu'\n\ntest('nothing', () => {})\n\ntest.run()\n")
  // the list of families
  edit(
    'scenarios/families.ts',
    'import type { Family }',
    "import { counting } from './counting/family.ts'\nimport type { Family }",
  )
  edit('scenarios/families.ts', 'contracts, mesh]', 'contracts, mesh, counting]')
})
test.after(() => rmSync(copy, { recursive: true }))

/** What the tests of families and of the manual ask for, in addition to the folders and the list. */
function addTheRest(): void {
  const flags = flagTable(ownFlagsOf(counting))
  write(
    'scenarios/counting/README.md',
    `# Counting\n\n[The protocol](../../actors/counting/README.md)\n\n<!-- ${SCENARIO} flags: -->\n${flags}\n<!-- /${SCENARIO} flags -->\n`,
  )
  // the package has the family as a library
  write(
    'actors/counting/index.ts',
    `/** Counting as a library: its machines. */
import { moduleUrl } from '../../lib/actor.ts'

/** The modules of its actors. */
export const machines = {
  client: moduleUrl<typeof import('./client.ts')>(new URL('./client.ts', import.meta.url)),
  counter: moduleUrl<typeof import('./counter.ts')>(new URL('./counter.ts', import.meta.url)),
} as const
`,
  )
  write(
    'scenarios/counting/protocol.ts',
    `/** Counting as a library: its actors, and its scenario. */
export * from '../../actors/counting/index.ts'
export { default as countingRun } from './run.ts'
`,
  )
  edit(
    'typedoc.json',
    '"scenarios/mesh/protocol.ts"',
    '"scenarios/mesh/protocol.ts",\n    "scenarios/counting/protocol.ts"',
  )
  // the counter persists, so it says whether it survives failing disks
  edit(
    'test/scenario/disks.ts',
    "  ['shares `barrier`'",
    `  ['counting \`counter\`', rowOf('counting/counter', '${SCENARIO}', '--latency 1', 'counter', 2)],\n  ['shares \`barrier\`'`,
  )
  edit('scenarios/README.md', '| shares | `barrier`', '| counting | `counter` | kept | kept |\n| shares | `barrier`')
  // its page
  write(
    'scenarios/counting/page.ts',
    `/** What the page of a counter tells. */
import type { PageReader } from '../../lib/scenario/page.ts'

export function countingPage(): PageReader {
  const counted: string[] = []
  return {
    fold: ({ id }) => {
      counted.push(String(id))
    },
    story: () => [\`The counter counted \${counted.length} additions.\`],
    tiles: () => [{ label: 'additions', value: counted.length }],
    objects: () => [{ name: 'addition', columns: [], rows: counted.map((id) => ({ id, values: [] })) }],
  }
}
`,
  )
  edit('scenarios/counting/run.ts', '  oracle: ', '  page: countingPage,\n  oracle: ')
  edit('scenarios/counting/run.ts', '\nconst CLIENTS', "import { countingPage } from './page.ts'\n\nconst CLIENTS")
  edit('README.md', '| [The mesh]', '| [Counting](scenarios/counting/README.md) | numbers |\n| [The mesh]')
  const whole = `{ scenario: '${SCENARIO}', of: 'additions', flags: () => [] }`
  edit('test/bench/families.ts', '  mesh: {', `  counting: { measures: [], whole: ${whole} },\n  mesh: {`)
  edit('test/lab/examples.ts', "  'economy/run':", `  '${SCENARIO}': '--latency 1',\n  'economy/run':`)
  edit('lib/explore/README.md', '`contracts/run` and', `\`contracts/run\`, \`${SCENARIO}\` and`)
  edit(
    'test/bugs/bugs.ts',
    '...ECONOMY_BUGS]',
    `...ECONOMY_BUGS, {
  scenario: '${SCENARIO}',
  args: '--latency 1',
  strategy: 'random',
  within: 60,
  name: 'message counted twice',
  what: 'the counter counts a message that arrives twice again',
  file: 'counting/counter.ts',
  find: 'if (counted.includes(id)) return [{}, added]',
  replace: '',
  allowed: [],
  property: 'an addition is counted once',
}]`,
  )
}

/** Runs a program of the copy. Fails unless it ends with 0. Returns its output. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { code, said } = await ended(program, ...args)
  assert.is(code, 0, said)
  return said
}

async function ended(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [...TYPESCRIPT, program, ...args], { cwd: copy })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk
    })
  }
  const code = await new Promise<unknown>((resolve) => child.once('close', resolve))
  return { code, said }
}

test('is found by the tests of families and of the manual, which fail and name what it lacks', async () => {
  const { code, said } = await ended('test/run.ts', 'test/families.test', 'test/readme.test')
  assert.is(code, 1, said)
  assert.match(said, 'counting has seeded bugs that the laboratory finds')
  assert.match(said, 'counting says for each of its machines that persist whether it survives failing disks')
  assert.match(said, 'counting can be imported from the package, and is in its reference')
  assert.match(said, `the page of ${SCENARIO} tells a story, numbers and objects`)
  assert.match(said, 'every scenario has its program, an example, and a place in the manual of the laboratory')
  assert.match(said, `the table of ${SCENARIO} flags in scenarios/counting/README.md matches their declarations`)
})

test('lacks nothing after that, and runs on hosts', async () => {
  addTheRest()
  assert.match(await run('test/run.ts', 'families.test', 'readme.test'), ' 0 failed')
})

test('runs with a trace and a report, and one seed gives one trace', async () => {
  await run('scenarios/counting/run.ts', '--trace', 'run.jsonl', '--report', 'run.html')
  assert.match(await run('scenarios/counting/run.ts', '--check-determinism'), 'ok ')
})

test('is replayed, and its trace is read', async () => {
  assert.match(await run('scenarios/lab/replay.ts', 'run.jsonl'), /^\d+ steps of 4 actors$/m)
  for (const command of ['summary', 'coverage']) await run('scenarios/lab/trace.ts', command, 'run.jsonl')
})

test('is explored, and its races are listed', async () => {
  assert.match(await run('scenarios/lab/explore.ts', SCENARIO, '--schedules', '20'), 'schedules 20')
  assert.match(await run('scenarios/lab/races.ts', SCENARIO), 'pairs that could have come in the other order')
})

test('is run under fault plans, in a soak, and recorded in real time with deaths', async () => {
  assert.match(await run('scenarios/lab/faults.ts', SCENARIO, '--plans', '2'), 'ok     mixed')
  assert.match(
    await run('scenarios/soak.ts', 'counting', '--plans', '2', '--threads', '1'),
    'all plans kept all promises',
  )
  assert.match(await run('scenarios/lab/replay-soak.ts', '--only', SCENARIO, '--runs', '2'), `ok     ${SCENARIO}`)
})

test('is shown on a live page while it runs', async () => {
  const { url, ended } = await liveCommandOf(copy, SCENARIO, '--latency', '1', '--scale', '1000')
  const viewer = await Viewer.at(url)
  await viewer.until(({ messages }) => messages.at(-1)?.type === 'end')
  const { code, err } = await ended
  assert.is(code, 0, err)
  const last = viewer.messages.at(-1)
  assert.ok(last?.type === 'end' && last.front.checks.every(({ ok }) => ok))
})

test('has machines that run alike on all engines', async () => {
  assert.match(await run('test/run.ts', 'engine/machines'), ' 0 failed')
})

test.run()
