/** The loader with which tests start programs; see typescript.ts. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A project with the loader, its compiler, and nothing else. */
const project = realpathSync(mkdtempSync(join(tmpdir(), 'bourse-loader-')))
const packages = join(project, 'node_modules')
const cache = join(packages, '.cache')
test.after(() => rmSync(project, { recursive: true }))

test.before.each(() => {
  for (const name of readdirSync(project)) rmSync(join(project, name), { recursive: true })
  cpSync(join(root, 'test/loader'), join(project, 'test/loader'), { recursive: true })
  mkdirSync(packages)
  for (const name of ['esbuild', '@esbuild']) symlinkSync(join(root, 'node_modules', name), join(packages, name))
  write('package.json', '{ "type": "module" }')
})

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text)
}

/** Runs a file of the project with the loader. */
function run(name: string, ...options: readonly string[]) {
  const { href } = pathToFileURL(join(project, 'test/loader/register.mjs'))
  const args = [...options, '--import', href, join(project, name)]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

function printed(name: string): string {
  const { status, stdout, stderr } = run(name)
  assert.is(status, 0, stderr)
  return stdout.trimEnd()
}

/** Compiles files as `npm test` does before it begins. */
function prepare(...names: readonly string[]): void {
  const { href } = pathToFileURL(join(project, 'test/loader/cache.mjs'))
  const paths = names.map((name) => join(project, name))
  const script = `import { prepare } from ${JSON.stringify(href)}\nawait prepare(${JSON.stringify(paths)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
}

const kept = (): string[] => readdirSync(join(cache, 'bourse'))

test('each process runs the present text of a file, also if the time of its last change is an older one', () => {
  write('number.ts', 'export const number: number = 1\n')
  write('main.ts', "import { number } from './number.ts'\nconsole.log(number)\n")
  assert.is(printed('main.ts'), '1')
  assert.is(printed('main.ts'), '1')
  write('number.ts', 'export const number: number = 2\n')
  utimesSync(join(project, 'number.ts'), 0, 0)
  assert.is(printed('main.ts'), '2')
  prepare('main.ts', 'number.ts')
  write('number.ts', 'export const number: number = 3\n')
  assert.is(printed('main.ts'), '3')
})

test('a program has the URL of its source, and its errors have the place in the source', () => {
  const text =
    'interface Unused {\n  readonly n: number\n}\n\nconst thrown: Error = new Error(import.meta.url)\nthrow thrown\n'
  write('main.ts', text)
  const { status, stderr } = run('main.ts')
  assert.is(status, 1)
  assert.match(stderr, `Error: ${pathToFileURL(join(project, 'main.ts')).href}\n`)
  assert.match(stderr, `${join(project, 'main.ts')}:5:23`)
})

test('a file that is missing, or has a syntax error, is named by its path', () => {
  write('main.ts', "import './missing.ts'\n")
  assert.match(run('main.ts').stderr, `Cannot find module '${join(project, 'missing.ts')}' imported from`)
  write('missing.ts', 'const = 1\n')
  assert.match(run('main.ts').stderr, `${join(project, 'missing.ts')}:1:6: ERROR: `)
})

test('without a cache that can be written, each process compiles for itself', () => {
  write('main.ts', 'const said: string = "compiled"\nconsole.log(said)\n')
  // The superuser may write everywhere, but no folder is made where a file is.
  writeFileSync(cache, '')
  assert.is(printed('main.ts'), 'compiled')
  prepare('main.ts')
  assert.is(printed('main.ts'), 'compiled')
})

test('what is compiled before a run is what its processes load, and what is old and not needed is removed', () => {
  for (const name of ['a', 'b', 'c']) write(`${name}.ts`, `console.log('${name}')\n`)
  prepare('a.ts', 'b.ts', 'c.ts')
  const all = kept()
  assert.is(all.length, 3)
  assert.is(printed('a.ts'), 'a')
  assert.equal(kept(), all)
  for (const name of all) utimesSync(join(cache, 'bourse', name), 0, 0)
  prepare('a.ts', 'b.ts')
  assert.is(kept().length, 2)
  assert.ok(kept().every((name) => all.includes(name)))
})

test.run()
