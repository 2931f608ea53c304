/** A file of lib imports from its own room and from those below it, and from no other; the drawing of them is up to date. */
import ts from 'typescript'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { drawingOf, drawn, files, importsOf, importsOfRooms, ROOMS, roomOf, textOf } from './rooms.ts'

/** The only files outside of rooms, which users import. They only re-export names. */
const DOORS = ['actor', 'experiment', 'index', 'lab', 'nats', 'report', 'scenario', 'system', 'workload'].map(
  (name) => `lib/${name}.ts`,
)

/** The faults of the imports of a file. */
function faultsOf(path: string, text: string): string[] {
  if (DOORS.includes(path)) return []
  const from = ROOMS.indexOf(roomOf(path))
  if (from < 0) return [`${path} is in no room`]
  return importsOf(path, text)
    .filter((name) => !(ROOMS.indexOf(roomOf(name)) <= from && ROOMS.includes(roomOf(name))))
    .map((name) => `${path} imports ${name}: ${roomOf(path)} is below ${roomOf(name)}`)
}

test('every file of lib is in a room, and imports from its own and those below it', () => {
  const faults = files.flatMap((path) => faultsOf(path, textOf(path)))
  assert.equal(faults, [])
  assert.ok(files.length > 200)
})

test('the drawing of the rooms in ARCHITECTURE.md is made from the imports; `npx tsx test/rooms.ts` draws it again', () => {
  assert.is(drawn(), drawingOf(importsOfRooms()))
})

test('a drawing leaves out the arrows that others imply', () => {
  const imports = new Map([
    ['system', new Set(['trace', 'core'])],
    ['trace', new Set(['core'])],
  ])
  assert.is(drawingOf(imports), '```mermaid\ngraph TD\n  system --> trace\n  trace --> core\n```')
})

test('a cycle of rooms is named', () => {
  const imports = new Map([
    ['system', new Set(['trace', 'core'])],
    ['trace', new Set(['cell'])],
    ['cell', new Set(['trace'])],
  ])
  assert.throws(() => drawingOf(imports), /^rooms import each other in a cycle: trace -> cell -> trace$/)
})

test('an import of an upper room, an import of a door from within, and a file in no room are reported', () => {
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

test('a door only re-exports names', () => {
  for (const path of DOORS) {
    const parsed = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest)
    assert.ok(parsed.statements.every(ts.isExportDeclaration), path)
  }
})

test.run()
