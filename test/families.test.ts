/** Every family has what commands and tests about all families need. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { actorNamed } from '../lib/core/code-registry.ts'
import { LIMITS, readRun } from '../lib/report/model.ts'
import { FAMILIES } from '../scenarios/families.ts'
import { exampleOf } from '../scenarios/family.ts'
import { scenarioNamed } from '../scenarios/lab/scenarios.ts'
import '../scenarios/registered.ts'
import { FAMILY_MEASURES } from './bench/families.ts'
import { BUGS } from './bugs/bugs.ts'
import { EXAMPLES, lineOf, specificationOf } from './lab/examples.ts'
import { nameOf, persists, ROWS, TABLE } from './scenario/disks.ts'
import { linesOf } from './trace/traces.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const names = FAMILIES.map(({ name }) => name).sort()
const scenarios = FAMILIES.flatMap((family) => Object.keys(family.scenarios))

const Reference = v.looseObject({ entryPoints: v.array(v.string()) })
const { entryPoints } = v.parse(Reference, JSON.parse(readFileSync(`${root}typedoc.json`, 'utf8')))

const folders = (path: string, others: readonly string[]): string[] =>
  readdirSync(new URL(path, new URL('../', import.meta.url)), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !others.includes(entry.name))
    .map(({ name }) => name)
    .sort()

test('a family has a folder in actors and in scenarios, and every such folder is a family', () => {
  assert.equal(folders('actors', ['processor']), names)
  assert.equal(folders('scenarios', ['lab', 'study']), names)
})

for (const family of FAMILIES) {
  const { name, machines, studies, picture, figure } = family

  test(`${name} has a page about its protocol, a chapter of the manual, fault plans and tests`, () => {
    for (const path of [`actors/${name}/README.md`, `scenarios/${name}/README.md`]) {
      assert.ok(existsSync(`${root}${path}`), path)
    }
    assert.ok(readdirSync(`${root}test/${name}`).some((file) => file.endsWith('.test.ts')))
    assert.ok(exampleOf(family)[1].faultPlans(new Map()).kinds.length > 0)
  })

  test(`${name} can be imported from the package, and is in its reference`, () => {
    for (const path of [`actors/${name}/index.ts`, `scenarios/${name}/protocol.ts`]) {
      assert.ok(existsSync(`${root}${path}`), path)
    }
    assert.ok(entryPoints.includes(`scenarios/${name}/protocol.ts`), 'the entry points in typedoc.json')
  })

  test(`${name} has pictures in the manual, or says that it has none`, () => {
    assert.is(existsSync(`${root}lib/report/pictures/${name}.png`), picture !== null)
    assert.is(existsSync(`${root}lib/report/pictures/${name}-figure.png`), figure !== null)
  })

  test(`${name} has measures of its speed`, () => {
    assert.ok(FAMILY_MEASURES[name])
  })

  test(`${name} registers each of its machines`, async () => {
    const files = readdirSync(`${root}actors/${name}`, { recursive: true, encoding: 'utf8' })
    const found = await Promise.all(
      files
        .filter((file) => file.endsWith('.ts'))
        .map(async (file) => {
          const module: { default?: unknown } = await import(`${root}actors/${name}/${file}`)
          return module.default === undefined ? [] : [`${name}/${file.replaceAll('\\', '/').slice(0, -3)}`]
        }),
    )
    assert.equal(machines.filter((machine) => machine.startsWith(`${name}/`)).sort(), found.flat().sort())
    for (const machine of machines) assert.ok(actorNamed(`actors/${machine}.ts`), machine)
  })

  test(`${name} says for each of its machines that persist whether it survives failing disks`, () => {
    const rows = [...ROWS].filter(([, row]) => row.machines.some((machine) => machine.startsWith(`${name}/`)))
    assert.equal(
      rows.flatMap(([, row]) => row.machines).sort(),
      machines.filter((machine) => machine.startsWith(`${name}/`) && persists(machine)).sort(),
      'the rows in test/scenario/disks.ts',
    )
    const told = new Set(TABLE.map(nameOf))
    assert.equal(
      rows.flatMap(([row]) => (told.has(row) ? [] : [row])),
      [],
      'the table of failing disks in scenarios/README.md',
    )
  })

  test(`${name} exports each of its studies`, async () => {
    for (const [module, study] of studies) {
      const exported: Record<string, unknown> = await import(`${root}scenarios/${module}.ts`)
      assert.type(exported[study], 'function', `${module}, ${study}`)
    }
  })

  test(`${name} has seeded bugs that the laboratory finds`, () => {
    assert.ok(BUGS.some(({ file }) => file.startsWith(`${name}/`)))
  })
}

for (const name of scenarios) {
  test(`the help of --fault of ${name} shows faults of actors that its default run has`, () => {
    const { flags, specification, prepared } = scenarioNamed(name)
    const faults = [...flags.fault.help.matchAll(/"([^"]+)"/g)].map(([, fault = '']) => fault)
    assert.ok(faults.length >= 4, flags.fault.help)
    specification(prepared(new Map([['fault', faults]])))
  })
}

for (const name of scenarios) {
  test(`the page of ${name} tells a story, numbers and objects`, async () => {
    const { options, open, until } = specificationOf(name, lineOf(name))
    const lines = await linesOf({ ...options, runtime: 'inline', trace: true }, async (system) => {
      await open(system)
      await system.run(until === undefined ? {} : { until })
    })
    const { page } = scenarioNamed(name)
    const { story, tiles, objects } = (await readRun({ name, lines, page }, LIMITS)).run
    assert.ok(story.length > 0, 'the story of its page')
    assert.ok(tiles.length > 0, 'the tiles of its page')
    assert.ok(objects.flatMap(({ rows }) => rows).length > 0, 'the objects of its page')
  })
}

test('every scenario has its program, an example, and a place in the manual of the laboratory', () => {
  for (const name of scenarios) assert.ok(existsSync(`${root}scenarios/${name}.ts`), name)
  assert.equal(Object.keys(EXAMPLES).sort(), [...scenarios].sort())
  const manual = readFileSync(`${root}lib/explore/README.md`, 'utf8')
  for (const name of scenarios) assert.ok(manual.includes(`\`${name}\``), name)
})

test.run()
