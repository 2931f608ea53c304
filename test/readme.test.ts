/** The manual: its tables of flags match the declarations, its links lead somewhere, and its programs are those of the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { flagTable, runFlags } from '../lib/cli/index.ts'
import { studyFlags } from '../scenarios/bidding/study/flags.ts'
import { studyFlags as contractsFigureFlags } from '../scenarios/contracts/study/flags.ts'
import { studyFlags as figureFlags } from '../scenarios/economy/study/flags.ts'
import { FAMILIES } from '../scenarios/families.ts'
import { ownFlagsOf } from '../scenarios/family.ts'
import { sharedModelFlags } from '../scenarios/mesh/model-flags.ts'
import { responseFlags } from '../scenarios/mesh/response/flags.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

/** The front page and the chapters next to the code, by their paths in the project. */
const pages = new Map(
  [...readdirSync(root), ...['actors', 'lib', 'scenarios', 'test'].flatMap(filesIn)]
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path.replaceAll(sep, '/'), readFileSync(join(root, path), 'utf8')]),
)
/** The pages whose programs are run with the package, by test/package/pages.test.ts. */
const PACKAGED = [
  'README.md',
  'actors/GUIDE.md',
  'actors/README.md',
  'actors/RUNNING.md',
  'actors/WORLD.md',
  'lib/scenario/README.md',
  'lib/scenario/TESTING.md',
  'lib/scenario/TUTORIAL.md',
]
const manual = [...pages].flatMap(([page, text]) => (PACKAGED.includes(page) ? [] : [text])).join('\n')

/** The names of ```ts blocks, in their first line, that are on no page of the package. */
const programs = [...manual.matchAll(/```ts\n\/\/ (\S+)\n/g)].map(([, name]) => name)

test('each program of the manual is run with the package', () => {
  assert.equal(programs, [])
})

const ofScenarios = FAMILIES.flatMap((family) =>
  Object.entries(family.scenarios).map(
    ([name, scenario]) => [`scenarios/${family.name}/README.md`, `${name} flags`, ownFlagsOf(scenario)] as const,
  ),
)

for (const [page, name, declared] of [
  ...ofScenarios,
  ['scenarios/README.md', 'run flags', runFlags],
  ['scenarios/bidding/README.md', 'study flags', studyFlags],
  ['scenarios/economy/README.md', 'figure flags', figureFlags],
  ['scenarios/contracts/README.md', 'contracts figure flags', contractsFigureFlags],
  ['scenarios/mesh/README.md', 'mesh response flags', responseFlags],
  ['scenarios/mesh/README.md', 'mesh model flags', sharedModelFlags],
] as const) {
  test(`the table of ${name} in ${page} matches their declarations`, () => {
    const table = pages.get(page)?.match(new RegExp(`<!-- ${name}:.*-->\\n([\\s\\S]*?)<!-- /${name} -->`))?.[1]
    assert.is(table?.trim(), flagTable(declared).trim())
  })
}

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')

/** The links of a page to others and to itself, as paths in the project with what follows a `#`. */
const linksOf = (page: string): { path: string; heading?: string }[] =>
  [
    ...withoutBlocks(pages.get(page) ?? '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^()\s]+)\)/g),
  ].flatMap(([, link = '']) => {
    if (/^\w+:/.test(link)) return []
    const [path = '', heading] = link.split('#')
    const target = path === '' ? page : posix.join(posix.dirname(page), path)
    return [heading === undefined ? { path: target } : { path: target, heading }]
  })

/** The names of the headings of a page in links, as GitHub makes them. */
const headingsOf = (page: string): string[] =>
  [...withoutBlocks(pages.get(page) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link of the manual leads to a file, and to a heading of it if it names one', () => {
  for (const page of pages.keys()) {
    for (const { path, heading } of linksOf(page)) {
      assert.ok(existsSync(join(root, path)), `${page} leads to ${path}, which is not there`)
      if (heading !== undefined) {
        assert.ok(headingsOf(path).includes(heading), `${page} leads to ${path}#${heading}, which is no heading there`)
      }
    }
  }
})

test('every page of the manual is reached from the front page', () => {
  const reached = new Set(['README.md'])
  for (const page of reached) for (const { path } of linksOf(page)) if (pages.has(path)) reached.add(path)
  assert.equal([...reached].sort(), [...pages.keys()].sort())
})

test.run()
