/**
 * `npm run coverage [-- pattern...]`: the coverage of lib and actors by the tests, on the main thread and in workers.
 *
 * Coverage of transpiled code has been wrong before (privatenumber/tsx#433, #564), so some fixtures state which of
 * their lines must be covered and which must not; the command fails if the report says otherwise.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Report } from 'c8'
import { transformSync } from 'esbuild'
import * as v from 'valibot'
import { decode, fromLineStart } from './source-map.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const canaries = join(root, 'test/fixtures/canary')
const target = join(root, 'coverage')
const raw = join(target, 'raw')

const Raw = v.looseObject({
  result: v.array(v.looseObject({ url: v.string() })),
  'source-map-cache': v.optional(
    v.record(
      v.string(),
      v.looseObject({ data: v.nullable(v.looseObject({ sources: v.array(v.string()), mappings: v.string() })) }),
    ),
    {},
  ),
})

const Final = v.record(
  v.string(),
  v.object({
    statementMap: v.record(v.string(), v.object({ start: v.object({ line: v.number() }) })),
    s: v.record(v.string(), v.number()),
  }),
)

rmSync(target, { recursive: true, force: true })
mkdirSync(raw, { recursive: true })
process.chdir(root)

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const tests = spawnSync(process.execPath, ['--import', tsx, 'test/run.ts', 'canary', ...patterns()], {
  stdio: 'inherit',
  env: { ...process.env, NODE_V8_COVERAGE: raw },
})
const loaded = new Set<string>()
for (const name of readdirSync(raw)) prepare(join(raw, name))
addUnloaded()

await report(['lib/**', 'actors/**'], ['text', 'lcovonly'], target)
await report(['test/fixtures/canary/**'], ['json'], join(target, 'canary'))
const errors = canaryErrors(
  v.parse(Final, JSON.parse(readFileSync(join(target, 'canary/coverage-final.json'), 'utf8'))),
)
for (const error of errors) console.error(error)
console.log(
  errors.length === 0
    ? 'the canaries are reported correctly'
    : 'this coverage cannot be trusted: canaries are reported wrongly',
)
process.exitCode = tests.status === 0 && errors.length === 0 ? 0 : 1

/** True without a pattern: all files run, with the canary among them. */
function patterns(): string[] {
  const given = process.argv.slice(2)
  return given.length === 0 ? ['.test.ts'] : given
}

/** Rewrites the coverage of Node for c8, which knows the sources of a bundle only by path, and drops other people's code. */
function prepare(file: string): void {
  const { result, 'source-map-cache': cache } = v.parse(Raw, JSON.parse(readFileSync(file, 'utf8')))
  const maps: Record<string, unknown> = {}
  for (const [url, { data, ...entry }] of Object.entries(cache)) {
    const sources = data?.sources.map((source) => (source.startsWith('file:') ? fileURLToPath(source) : source)) ?? []
    if (data === null || !sources.some(ours)) continue
    for (const source of sources) loaded.add(source)
    const sourcesContent = sources.map((source) => (ours(source) ? readFileSync(source, 'utf8') : ''))
    maps[url] = { ...entry, data: { ...data, sources, sourcesContent, mappings: fromLineStart(decode(data.mappings)) } }
  }
  const kept = result.filter(({ url }) => maps[url] !== undefined)
  if (kept.length === 0) rmSync(file)
  else writeFileSync(file, JSON.stringify({ result: kept, 'source-map-cache': maps }))
}

/** Files with code that no test loads. c8 would also count files that are only in bundles. */
function addUnloaded(): void {
  const paths = ['lib', 'actors'].flatMap((place) =>
    readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((path) => join(root, place, path)),
  )
  const unloaded = paths.filter((path) => path.endsWith('.ts') && !loaded.has(path) && !isPage(path) && hasCode(path))
  const result = unloaded.map((path) => {
    const ranges = [{ startOffset: 0, endOffset: readFileSync(path).length, count: 0 }]
    const functions = [{ functionName: '(empty-report)', ranges, isBlockCoverage: true }]
    return { scriptId: '0', url: pathToFileURL(path).href, functions }
  })
  writeFileSync(join(raw, 'unloaded.json'), JSON.stringify({ result }))
}

/** Code that runs in browsers only, where coverage is not measured. */
function isPage(path: string): boolean {
  return path.startsWith(join(root, 'lib/report/page/'))
}

/** Whether a file has code; false for a file of types only. */
function hasCode(path: string): boolean {
  return transformSync(readFileSync(path, 'utf8'), { loader: 'ts' }).code.trim() !== ''
}

function ours(path: string): boolean {
  const places = [join(root, 'lib/'), join(root, 'actors/'), canaries]
  return places.some((place) => path.startsWith(place)) && existsSync(path)
}

async function report(include: string[], reporter: string[], reportsDirectory: string): Promise<void> {
  const options = { tempDirectory: raw, excludeAfterRemap: true, exclude: [], extension: ['.ts'], omitRelative: true }
  await new Report({ ...options, include, reporter, reportsDirectory, resolve: '' }).run()
}

/** The lines of the canaries that the report shows wrongly. */
function canaryErrors(final: v.InferOutput<typeof Final>): string[] {
  return readdirSync(canaries).flatMap((name) => {
    const path = join(canaries, name)
    const file = final[path]
    const counts = new Map(
      Object.entries(file?.statementMap ?? {}).map(([id, { start }]) => [start.line, file?.s[id] ?? 0]),
    )
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((text, index) => {
        const stated = /\/\/ ((?:un)?covered)$/.exec(text)?.[1]
        const count = counts.get(index + 1)
        if (stated === undefined || (count !== undefined && count > 0 === (stated === 'covered'))) return []
        return [`${name}:${index + 1} is ${stated}, but was reported to have run ${count ?? 'unknown'} times`]
      })
  })
}
