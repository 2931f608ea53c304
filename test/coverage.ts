/**
 * `npm run coverage [-- pattern...]`: the coverage of lib and actors by the tests, on the main thread and in workers.
 *
 * Coverage of transpiled code has been wrong before (privatenumber/tsx#433, #564), so some fixtures state which of
 * their lines must be covered and which must not; the command fails if the report says otherwise.
 *
 * Without a pattern it leaves out the tests that LEFT_OUT lists. An interrupt ends the tests and reports those that have run;
 * `--continue` runs the others, and reports all.
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Report } from 'c8'
import { transformSync } from 'esbuild'
import * as v from 'valibot'
import { UsageError } from '../lib/core/usage-error.ts'
import { RawCoverage } from './raw-coverage.ts'
import { named, runFiles, summarize, testFiles } from './suite.ts'
import { shortestFirst } from './times.ts'
import { runTool, wholeOf } from './tool.ts'

const HELP = `npm run coverage -- [--parallel N] [--continue] [PATTERN...]
  --parallel N   how many test files run at a time (default: the number of processors)
  --continue     add to the coverage of the last run, and run only the test files that did not pass in it
  PATTERN        only the test files whose path contains it`

/** What a run without a pattern leaves out: tests of other code than the sources of lib and actors. */
const LEFT_OUT: readonly (readonly [start: string, reason: string])[] = [
  ['test/package/', 'runs the compiled package, whose sources are not these files'],
  ['test/sixth-family.test.ts', 'runs a copy of the project'],
  ['test/lab/bugs.test.ts', 'runs copies of actors, each with a mistake'],
  ['test/engine/mutants.test.ts', 'runs copies of the engine, each with a mistake'],
  ['test/report/browser/', 'runs pages in a browser, where coverage is not measured'],
  ['test/types/', 'compiles and runs nothing'],
]

/** The test that is run first, since a report without it cannot be trusted. */
const CANARY = 'test/canary.test.ts'

/** A file takes longer than in `npm test`: each thread compiles its program, and writes its coverage when it ends. */
const LIMITS = { seconds: 1800, graceSeconds: 30 }

const root = fileURLToPath(new URL('..', import.meta.url))
const canaries = join(root, 'test/fixtures/canary')
const target = join(root, 'coverage')
const done = join(target, 'done.json')
const raw = join(target, 'raw')

const Done = v.object({ sources: v.string(), files: v.array(v.string()) })

const Final = v.record(
  v.string(),
  v.object({
    statementMap: v.record(v.string(), v.object({ start: v.object({ line: v.number() }) })),
    s: v.record(v.string(), v.number()),
  }),
)

const coverage = new RawCoverage(isOurs)
process.chdir(root)
await runTool(main)

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      continue: { type: 'boolean' },
      parallel: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  const parallel = wholeOf('--parallel', values.parallel, 1)
  const before = values.continue ? lastRun() : []
  if (values.continue) coverage.add(raw)
  rmSync(target, { recursive: true, force: true })
  const folderOf = (file: string): string => join(raw, named(file).replaceAll('/', '-'))
  const files = filesOf(positionals).filter((file) => !before.includes(named(file)))
  const verdicts = await runFiles(files, {
    parallel,
    limits: LIMITS,
    environment: (file) => ({ NODE_V8_COVERAGE: folderOf(file) }),
    ended: ({ file }) => coverage.add(folderOf(file)),
  })
  const hasPassed = summarize(verdicts)
  const isTrue = await reportAll()
  const ran = [...before, ...verdicts.filter(({ failed }) => failed === 0).map(({ file }) => named(file))]
  writeFileSync(done, JSON.stringify({ sources: sourcesDigest(), files: ran }))
  process.exitCode ??= hasPassed && isTrue ? 0 : 1
}

/** The canary, then the others. The shortest are first: an interrupted run then tells most of what there is to tell. */
function filesOf(patterns: readonly string[]): string[] {
  const left = patterns.length === 0 ? LEFT_OUT : []
  for (const [start, reason] of left) console.log(`left out: ${start}, which ${reason}`)
  const files = shortestFirst(testFiles(patterns))
  const isWanted = (file: string): boolean => left.every(([start]) => !named(file).startsWith(start))
  return [...new Set([...testFiles([CANARY]), ...files.filter(isWanted)])]
}

/** Reports what has been covered so far, and returns whether the canaries are as they state. */
async function reportAll(): Promise<boolean> {
  // A file that was interrupted is not counted.
  rmSync(raw, { recursive: true, force: true })
  coverage.addUnloaded(unloaded())
  coverage.write(raw)
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
  return errors.length === 0
}

/** The test files that passed in the last run. */
function lastRun(): readonly string[] {
  if (!existsSync(done)) throw new UsageError('--continue: there is no last run; run without it')
  const { sources, files } = v.parse(Done, JSON.parse(readFileSync(done, 'utf8')))
  if (sources === sourcesDigest()) return files
  throw new UsageError('--continue: lib or actors have changed since the last run; run without it')
}

function sourcesDigest(): string {
  const hash = createHash('sha256')
  for (const path of sourcePaths().sort()) hash.update(path).update(readFileSync(path))
  return hash.digest('hex')
}

function sourcePaths(): string[] {
  return ['lib', 'actors']
    .flatMap((place) =>
      readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((path) => join(root, place, path)),
    )
    .filter((path) => path.endsWith('.ts'))
}

/** Files with code that no test loads. c8 would also count files that are only in bundles. */
function unloaded(): Profiler.ScriptCoverage[] {
  const missing = sourcePaths().filter((path) => !coverage.loaded.has(path) && !isPage(path) && hasCode(path))
  return missing.map((path) => {
    const ranges = [{ startOffset: 0, endOffset: readFileSync(path).length, count: 0 }]
    const functions = [{ functionName: '(empty-report)', ranges, isBlockCoverage: true }]
    return { scriptId: '0', url: pathToFileURL(path).href, functions }
  })
}

/** Code that runs in browsers only, where coverage is not measured. */
function isPage(path: string): boolean {
  return path.startsWith(join(root, 'lib/report/page/'))
}

/** Whether a file has code; false for a file of types only. */
function hasCode(path: string): boolean {
  return transformSync(readFileSync(path, 'utf8'), { loader: 'ts' }).code.trim() !== ''
}

function isOurs(path: string): boolean {
  return [join(root, 'lib/'), join(root, 'actors/'), canaries].some((place) => path.startsWith(place))
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
