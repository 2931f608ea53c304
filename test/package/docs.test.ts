/** The reference: every name that the package exports has a doc comment, and the guide names all that authors of actors use. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { FAMILIES } from '../../scenarios/families.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const LIB = ['actor', 'experiment', 'index', 'lab', 'nats', 'report', 'scenario', 'system', 'workload']
const DOORS = [
  ...LIB.map((name) => `${root}lib/${name}.ts`),
  ...FAMILIES.map(({ name }) => `${root}scenarios/${name}/protocol.ts`),
]

/** The names that each door of the package exports. */
function exportsOf(doors: readonly string[]) {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const program = ts.createProgram(doors, ts.parseJsonConfigFileContent(config, ts.sys, root).options)
  const checker = program.getTypeChecker()
  const exported = doors.flatMap((door) => {
    const source = program.getSourceFile(door)
    const module = source && checker.getSymbolAtLocation(source)
    assert.ok(module, `${door} exports nothing, or there is no such file`)
    return checker.getExportsOfModule(module)
  })
  return { checker, exported }
}

test('every export of the package has a doc comment', () => {
  const { checker, exported } = exportsOf(DOORS)
  const bare = exported.filter((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return own.getDocumentationComment(checker).length === 0
  })
  assert.ok(exported.length > 200)
  assert.equal([...new Set(bare.map(({ name }) => name))], [])
})

test('the guide of actors names every export of bourse/actor', () => {
  const guide = readFileSync(`${root}actors/GUIDE.md`, 'utf8').replaceAll(/^```ts\n\/\/[\s\S]*?^```/gm, '')
  const named = new Set([...guide.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []))
  const { exported } = exportsOf([`${root}lib/actor.ts`])
  assert.ok(exported.length > 50)
  assert.equal(
    exported.flatMap(({ name }) => (named.has(name) ? [] : [name])),
    [],
  )
})

test.run()
