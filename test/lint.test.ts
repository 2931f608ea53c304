import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const lint = suite('the rules of the house are lint errors')
const root = fileURLToPath(new URL('..', import.meta.url))
const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')

/** Lines of code, each in a file of its own, which may have a name, with a part of the expected message, or none. */
const cases: [place: string, line: string, expected: string | undefined][] = [
  ['lib', 'export const a = Math.pow(2, 3)', 'Powers differ'],
  ['lib', 'export const a = [2].map((x) => x ** 3)', 'Powers differ'],
  ['lib', 'export const a = { sum: 2 }\na.sum **= 3', 'Powers differ'],
  ['lib', 'export const { pow } = Math', 'Powers differ'],
  ['lib', "export const a = Math['pow'](2, 3)", 'Powers differ'],
  ['lib/runtime', 'export const a = Math.pow(2, 3)', 'Powers differ'],
  ['actors/bidding', 'export const a = Math.pow(2, 3)', 'Powers differ'],
  ['actors/bidding', 'export const a = 2 ** 3', 'Powers differ'],
  ['lib', 'export const a = 2 * 3 * Math.exp(2)', undefined],
  ['scenarios', 'export const a = Math.pow(2, 3)', undefined],
  ['lib', 'export const a = Math.random()', 'not seeded'],
  ['actors/bidding', 'export const { random } = Math', 'Powers differ'],
  ['actors/bidding', 'export const a = Math.random()', 'not seeded'],
  ['actors/bidding', 'export const a = Date.now()', 'global variable Date'],
  ['actors/bidding', 'export const a = new Date()', 'global variable Date'],
  ['actors/bidding', 'export const a = performance.now()', 'global variable performance'],
  ['actors/bidding', 'export const a = setTimeout(() => {}, 1)', 'global variable setTimeout'],
  ['actors/bidding', 'export const a = setInterval(() => {}, 1)', 'global variable setInterval'],
  ['actors/bidding', 'export const a = process.pid', 'global variable process'],
  ['actors/bidding', 'export const a = globalThis.Date', 'global variable globalThis'],
  ['actors/bidding', "console.log('told')", 'console'],
  ['actors/bidding', "export { readFileSync } from 'node:fs'", 'no file'],
  ['actors/bidding', "export { readFile } from 'node:fs/promises'", 'no file'],
  ['actors/bidding', "import { readFileSync } from 'fs'\nexport const a = readFileSync", 'node:'],
  ['actors/bidding', "export { run } from '../../scenarios/bidding/market.ts'", 'knows no scenario'],
  ['actors/bidding', "export { bundle } from '../../lib/runtime/bundle.ts'", 'no thread'],
  ['actors/bidding', "export { tell } from '../../lib/actor.ts'", undefined],
  ['lib', "export { client } from '../actors/bidding/client.ts'", 'knows no protocol'],
  ['lib/clock', "export { market } from '../../scenarios/bidding/market.ts'", 'knows no protocol'],
  ['lib/clock', 'export const a = Date.now()', 'global variable Date'],
  ['lib/clock', 'export const a = setTimeout(() => {}, 1)', 'global variable setTimeout'],
  ['lib', 'export const a = { ...{ name: 1 }, b: 2 }', 'misspelt'],
  ['scenarios', 'export const a = [{ ...{ name: 1 } }]', 'misspelt'],
  ['test', 'export const a = (b: { c: number }) => ({ ...b, d: 1, ...(b.c > 0 && { e: 2 }) })', undefined],
  ['actors/bidding', 'export const a = (b: number[]) => [...b, ...[1]]', undefined],
  ['actors/bidding', "export const a = (b: object) => ({ type: 'c', ...b })", 'Write the fields'],
  ['actors/bidding', "export const a = (type: 'c', b: object) => ({ type, d: 1, ...b })", 'Write the fields'],
  ['actors/bidding', "export const a = (b: { type: 'c' }) => ({ ...b, d: 1 })", undefined],
  ['actors/bidding', 'export const a = (b: object) => ({ d: 1, ...b })', undefined],
  ['lib', "export const a = (b: object) => ({ type: 'c', ...b })", undefined],
  ['actors/bidding/timeline.ts', "export const a = (b: object) => ({ type: 'c', ...b })", undefined],
  [
    'actors/bidding',
    'export const a = (turn: (b: unknown) => void) => turn(({ c, ...d }: { c: 1 }) => [c, d])',
    'rest pattern',
  ],
  [
    'actors/bidding',
    'export const a = (turn: (b: unknown) => void) => turn((b: { c: 1 }) => {\n  const { c, ...d } = b\n  return [c, d]\n})',
    'rest pattern',
  ],
  ['actors/bidding', 'export const a = ({ b, ...c }: { b: 1 }) => [b, c]', undefined],
  ['actors/bidding', 'export type A = Readonly<Record<number, string>>', 'numbers for keys'],
  ['actors/bidding', 'export type A = { [key: number]: string }', 'numbers for keys'],
  ['actors/bidding', 'export type A = Record<string, number>', undefined],
  ['actors/bidding', 'export type A = { [key: string]: number }', undefined],
  ['lib', 'export type A = Record<number, string>', undefined],
  ['lib/runtime', "export { tell } from '../actor.ts'", undefined],
  ['lib/runtime', 'export const a = [Date.now(), performance.now(), setTimeout(() => {}, 1)]', undefined],
]

const folder = mkdtempSync(join(tmpdir(), 'bourse-lint-'))
const messages = new Map<number, string[]>()

lint.before(() => {
  for (const file of ['biome.json', '.gitignore', 'test/lint']) {
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  cases.forEach(([place, line], index) => {
    const own = `case-${index}`
    const path = place.endsWith('.ts')
      ? join(folder, dirname(place), own, basename(place))
      : join(folder, place, `${own}.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${line}\n`)
  })
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  for (const [, index, message] of stdout.matchAll(/^::error .*case-(\d+)[./].*?::(.*)$/gm)) {
    messages.set(Number(index), [...(messages.get(Number(index)) ?? []), message ?? ''])
  }
})

lint.after(() => rmSync(folder, { recursive: true, force: true }))

cases.forEach(([place, line, expected], index) => {
  lint(`${place}: ${line}`, () => {
    const found = messages.get(index) ?? []
    if (expected === undefined) assert.equal(found, [])
    else
      assert.ok(
        found.some((message) => message.includes(expected)),
        `found only ${JSON.stringify(found)}`,
      )
  })
})

lint.run()
