/** Data can name registered code only: no other code is loaded because of a name in data. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { actorNamed, isComputation, nameOfModule, register, studyNamed } from '../../lib/core/code-registry.ts'
import { System } from '../../lib/system.ts'
import '../../scenarios/registered.ts'
import { runScenario } from '../bidding/command.ts'
import { sampled } from '../repeats.ts'
import { PUPPET } from '../system/harness.ts'
import { TYPESCRIPT } from '../typescript.ts'

const folder = mkdtempSync(join(tmpdir(), 'bourse-registry-test-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const MARKING = 'test/fixtures/leaves-a-mark.ts'

test('modules are looked up by name and never by path, and an unregistered module has no name', () => {
  const url = new URL('../fixtures/actors/lamp.ts', import.meta.url)
  const name = nameOfModule(url)
  assert.is(name, 'test/fixtures/actors/lamp.ts')
  assert.is(actorNamed(name), undefined)
  register({ actors: [url] })
  assert.is(actorNamed(name), url.href)
  for (const other of [MARKING, './test/fixtures/actors/lamp.ts', url.href, 'data:text/javascript,1', '../x.ts', '']) {
    assert.is(actorNamed(other), undefined, other)
    assert.is(studyNamed(other, 'measure'), undefined, other)
    assert.not(isComputation(other, 'measure'), other)
  }
  assert.not(studyNamed('scenarios/lab/faults/block.ts', 'faultFile'), 'another export of a registered module')
})

test('a module of a user is named by its path from the folder of the project, wherever in it a command runs', async () => {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'sub'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{}')
  const registry = new URL('../../lib/core/code-registry.ts', import.meta.url).href
  const urls = [join(project, 'actors/a.ts'), join(folder, 'b.ts')].map((path) => pathToFileURL(path).href)
  const code = `import { nameOfModule } from '${registry}'
console.log(${JSON.stringify(urls)}.map((url) => nameOfModule(url)).join(' '))`
  for (const cwd of [project, join(project, 'sub')]) {
    const args = [...TYPESCRIPT, '--input-type=module', '--eval', code]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
    assert.is(stdout, './actors/a.ts ../b.ts\n')
  }
})

test('every actor and every study of the project is registered', async () => {
  const sources = (under: string) =>
    readdirSync(new URL(`../../${under}`, import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${under}/${path.replaceAll('\\', '/')}`)
  const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const machines = sources('actors').filter((path) => /^export default /m.test(text(path)))
  assert.ok(machines.length > 25)
  for (const path of machines) assert.ok(actorNamed(path), path)
  const exports = (path: string) => [
    ...text(path).matchAll(
      /^export (?:async function|const) (exploreBlock|faultBlock|replication|runPoint|compare)\b/gm,
    ),
  ]
  const studies = sources('scenarios').flatMap((path) => exports(path).map(([, name = '']) => `${path} ${name}`))
  const unregistered = studies.filter((study) => {
    const [path = '', name = ''] = study.split(' ')
    return studyNamed(path, name) === undefined
  })
  assert.equal(unregistered, [])
  assert.ok(studies.length > 10)
})

/** A trace of one actor whose module is replaced by the name `module`. */
async function traceNaming(module: string): Promise<string> {
  const file = join(folder, `${readdirSync(folder).length}.jsonl`)
  const system = new System({ runtime: 'inline', trace: file })
  await system.spawn('a@m1', PUPPET)
  await system.run()
  await system.stop()
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('test/fixtures/actors/puppet.ts', module))
  return file
}

const reading = (file: string): readonly (readonly [string, readonly string[]])[] => [
  ['lab/replay', [file]],
  ['lab/races', [file]],
  ['lab/trace', ['coverage', file]],
  ['lab/trace', ['summary', file, '--report', join(folder, 'page.html')]],
]

test('a command that reads a trace loads no module that is not registered', async () => {
  process.env['MARK'] = join(folder, 'mark')
  try {
    const mark = join(folder, 'mark')
    const elsewhere = join(folder, 'elsewhere.mjs')
    writeFileSync(
      elsewhere,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, 'loaded')\n`,
    )
    for (const module of [MARKING, nameOfModule(pathToFileURL(elsewhere))]) {
      const file = await traceNaming(module)
      for (const [command, args] of sampled(reading(file))) {
        const { code, stderr } = await runScenario(command, args)
        const isPage = args.includes('--report')
        assert.is(code, isPage ? 0 : 2, stderr)
        if (!isPage) assert.match(stderr, /a registered module \(--register FILE/)
        if (command === 'lab/replay') assert.match(stderr, `lab/replay.ts ${file} --register FILE`)
        assert.not(existsSync(mark), `${command} has loaded ${module}`)
      }
    }
    const mine = join(folder, 'mine.ts')
    const marking = JSON.stringify(new URL('../fixtures/leaves-a-mark.ts', import.meta.url).href)
    writeFileSync(mine, `export default { actors: [${marking}] }\n`)
    const { code, stdout, stderr } = await runScenario('lab/replay', [await traceNaming(MARKING), '--register', mine])
    assert.is(code, 0, stderr)
    assert.match(stdout, /replay: identical/)
    assert.ok(existsSync(mark), 'a module that the user has registered is loaded')
  } finally {
    delete process.env['MARK']
  }
})

test.run()
