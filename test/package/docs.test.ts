/** The reference: every name that the package exports has a doc comment, which editors and `npm run docs` show. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = fileURLToPath(new URL('../../', import.meta.url))
const DOORS = ['actor', 'experiment', 'index', 'lab', 'nats', 'report', 'scenario', 'system', 'workload'].map(
  (name) => `${root}lib/${name}.ts`,
)

test('every export of the package has a doc comment', () => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const program = ts.createProgram(DOORS, ts.parseJsonConfigFileContent(config, ts.sys, root).options)
  const checker = program.getTypeChecker()
  const exported = DOORS.flatMap((door) => {
    const source = program.getSourceFile(door)
    const module = source && checker.getSymbolAtLocation(source)
    return module ? checker.getExportsOfModule(module) : []
  })
  const bare = exported.filter((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return own.getDocumentationComment(checker).length === 0
  })
  assert.ok(exported.length > 200)
  assert.equal([...new Set(bare.map(({ name }) => name))], [])
})

test.run()
