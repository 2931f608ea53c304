/** The modules that users of the package import. Tests of the package import them compiled; here they are as they stand in lib. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { TYPESCRIPT } from './typescript.ts'

const test = suite('the doors of the package')

const root = new URL('../', import.meta.url)
const Manifest = v.looseObject({
  exports: v.record(v.string(), v.union([v.string(), v.looseObject({ default: v.string() })])),
})
const { exports } = v.parse(Manifest, JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))
/** The sources of the doors of lib, such as `lib/actor.ts`. */
const DOORS = Object.values(exports).flatMap((door) => {
  const path = typeof door === 'string' ? undefined : /^\.\/dist\/(lib\/.*)\.js$/.exec(door.default)?.[1]
  return path === undefined ? [] : [`${path}.ts`]
})

test('each can be the first module that a program imports, and each of its names has a value', () => {
  assert.ok(DOORS.length >= 8, DOORS.join())
  for (const door of DOORS) {
    const program = `const door = await import(${JSON.stringify(new URL(door, root).href)})
      console.log(JSON.stringify(Object.keys(door).filter((name) => door[name] === undefined)))`
    const { stdout, stderr } = spawnSync(process.execPath, [...TYPESCRIPT, '--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    assert.is(stdout, '[]\n', `${door}: ${stderr}`)
  }
})

test.run()
