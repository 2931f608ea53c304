/** The rooms of lib, from the ground up: a file imports from its own room and from those below it, and from no other. */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

/** This is the one place that says in which order they are. */
const ROOMS = [
  'core',
  'actor',
  'engine',
  'memory',
  'cell',
  'clock',
  'runtime',
  'trace',
  'distributed',
  'system',
  'scenario',
  'replay',
  'explore',
  'workload',
  'experiment',
  'report',
  'live',
  'cli',
]

/** The only files outside of rooms: what users import. They only hand names on. */
const DOORS = ['lib/actor.ts', 'lib/system.ts', 'lib/index.ts']

const lib = new URL('../lib/', import.meta.url)
const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .map((path) => `lib/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts'))

const roomOf = (path: string): string => path.split('/')[1] ?? ''

/** What is wrong with the imports of a file. */
function faultsOf(path: string, text: string): string[] {
  if (DOORS.includes(path)) return []
  const from = ROOMS.indexOf(roomOf(path))
  if (from < 0) return [`${path} is in no room`]
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
  const own = imported.filter((name) => name.startsWith('.')).map((name) => posix.join(posix.dirname(path), name))
  return own
    .filter((name) => name.startsWith('lib/') && !(ROOMS.indexOf(roomOf(name)) <= from && ROOMS.includes(roomOf(name))))
    .map((name) => `${path} imports ${name}: ${roomOf(path)} is below ${roomOf(name)}`)
}

test('every file of lib is in a room, and imports from its own and those below it', () => {
  const faults = files.flatMap((path) => faultsOf(path, readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')))
  assert.equal(faults, [])
  assert.ok(files.length > 200)
})

test('an import that runs up, one of a door from within, and a file in no room are told', () => {
  const of = (path: string, imported: string) => faultsOf(path, `import { a } from '${imported}'\n`)
  assert.equal(of('lib/trace/read.ts', '../core/data.ts'), [])
  assert.equal(of('lib/trace/read.ts', './steps.ts'), [])
  assert.equal(of('lib/core/data.ts', '../trace/read.ts'), [
    'lib/core/data.ts imports lib/trace/read.ts: core is below trace',
  ])
  assert.is(faultsOf('lib/core/data.ts', `import type { A } from '../cell/links.ts'\n`).length, 1, 'types count, too')
  assert.is(faultsOf('lib/core/data.ts', `const a = await import('../cell/links.ts')\n`).length, 1)
  assert.is(of('lib/cell/links.ts', '../actor.ts').length, 1)
  assert.equal(of('lib/attic/old.ts', './other.ts'), ['lib/attic/old.ts is in no room'])
})

test('a door only hands names on', () => {
  for (const path of DOORS) {
    const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    assert.ok(parsed.statements.every(ts.isExportDeclaration), path)
  }
})

test.run()
