/** The pages whose programs are those of the package's users: each program and command does what its page says. */
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { built, ofCheckout, ok } from './installed.ts'

const test = suite('the pages for users of the package')
const project = await built()
test.after(() => project.remove())

/** How a compiler checks programs of the manual, which may use Node. */
const STRICT = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', '--skipLibCheck'].concat(
  ['--module', 'NodeNext', '--target', 'ES2022'],
  ['--typeRoots', ofCheckout('node_modules/@types'), '--types', 'node'],
)

/** The blocks of a page in their order: files with a name in their first line, and commands with what they print. */
const blocksOf = (page: string) =>
  [
    ...readFileSync(ofCheckout(page), 'utf8').matchAll(
      /```(?:ts\n\/\/ (\S+)|\n\$ npx (bourse|tsx) (.*))\n([\s\S]*?)```/g,
    ),
  ].map(([, file, program, command = '', text = '']) => ({ file, program, args: wordsOf(command), text }))

/** The words of a command, without their quotes. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)

/** The pages, with the numbers of their files and commands, and the test files on them with their numbers of tests. */
const PAGES: readonly (readonly [page: string, files: number, commands: number, tests?: readonly [string, number]])[] =
  [
    ['README.md', 3, 2],
    ['lib/scenario/TUTORIAL.md', 8, 4, ['locking.test.ts', 2]],
    ['actors/GUIDE.md', 38, 14],
    ['actors/README.md', 4, 2],
    ['actors/RUNNING.md', 7, 5],
    ['actors/WORLD.md', 10, 4],
    ['lib/scenario/TESTING.md', 4, 1, ['additions.test.ts', 6]],
    ['lib/scenario/README.md', 6, 1],
  ]

for (const [page, files, commands, tests] of PAGES) {
  test(`does what ${page} says: its programs print what it shows`, async () => {
    const bare = readFileSync(ofCheckout(page), 'utf8').match(/```ts\n(?!\/\/ \S+\.ts\n).*/g)
    assert.is(bare, null, 'each program has the name of its file, so it is run or compiled')
    const blocks = blocksOf(page)
    assert.equal(
      [blocks.filter(({ file }) => file).length, blocks.filter(({ file }) => !file).length],
      [files, commands],
    )
    const written = new Set<string>()
    for (const { file, program, args, text } of blocks) {
      if (file !== undefined) {
        project.write({ [file]: text })
        written.add(file)
        continue
      }
      const { stdout } =
        program === 'tsx' ? await project.node('--import', 'tsx', ...args) : await project.bourse(...args)
      const [skipped = '', expected = skipped] = text.split('...\n')
      assert.ok(skipped === '' ? stdout.endsWith(expected) : stdout === expected, `${args.join(' ')}:\n${stdout}`)
      const [, again] = /npx bourse (run \S+ --schedule \S+) --runtime inline/.exec(stdout) ?? []
      if (again === undefined) continue
      const { code } = await project.bourse(...again.split(' '), '--runtime', 'threads')
      assert.is(code, 1, 'the printed command repeats the failure on threads')
    }
    ok(await project.node(ofCheckout('node_modules/typescript/bin/tsc'), ...STRICT, ...written))
    if (!tests) return
    const [file, passed] = tests
    assert.match(ok(await project.node('--import', 'tsx', '--test', file)), new RegExp(`(#|ℹ) pass ${passed}\\b`))
  })
}

test('leads to a race on the front page in 41 lines of three files', () => {
  const programs = blocksOf('README.md').filter(({ file }) => file)
  assert.ok(programs.flatMap(({ text }) => text.trimEnd().split('\n')).length <= 41)
})

test.run()
