/** `npm test [-- pattern...]`: runs the test files whose path contains a pattern, or all. */
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './loader/cache.mjs'
import { endAll, runFile, type Verdict } from './runner.ts'
import { keepTimes, longestFirst } from './times.ts'

const here = dirname(fileURLToPath(import.meta.url))
const patterns = process.argv.slice(2)
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts') && !path.startsWith('fixtures'))
  .map((path) => join(here, path))
  .filter((path) => patterns.length === 0 || patterns.some((pattern) => named(path).includes(pattern)))

for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  process.once(signal, () => {
    endAll()
    process.exit(code)
  })
}

await prepare(['lib', 'actors', 'scenarios', 'test'].flatMap(sourcesIn))

const verdicts: Verdict[] = []
const waiting = longestFirst(files)
await Promise.all(Array.from({ length: availableParallelism() }, work))
keepTimes(new Map(verdicts.map(({ file, seconds }) => [file, seconds])))

const passed = sum(verdicts.map((verdict) => verdict.passed))
const failed = sum(verdicts.map((verdict) => verdict.failed))
if (files.length === 0) console.log(`no test file matches ${patterns.join(', ')}`)
const left = verdicts.filter(({ notRun }) => notRun !== undefined).length
console.log(`${passed} passed, ${failed} failed${left > 0 ? `, ${left} ${left === 1 ? 'file' : 'files'} not run` : ''}`)
process.exitCode = failed > 0 || files.length === 0 ? 1 : 0

async function work(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const verdict = await runFile(file)
    verdicts.push(verdict)
    show(verdict)
  }
}

function show({ file, passed, failed, seconds, faults, notRun, output }: Verdict): void {
  if (notRun !== undefined) {
    console.log(`none ${named(file)}  not run: ${notRun}`)
    return
  }
  if (failed > 0) console.log(`\n${output.trimEnd()}\n`)
  const faulty = faults.map((fault) => `; ${fault}`).join('')
  const counts = failed > 0 ? `${passed} passed, ${failed} failed${faulty}` : `${passed} passed`
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${named(file)}  ${seconds.toFixed(1)} s  ${counts}`)
}

/** The files of TypeScript in a folder of the project. */
function sourcesIn(folder: string): string[] {
  const path = join(here, '..', folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(path, name))
}

function named(file: string): string {
  return relative(dirname(here), file).split(sep).join('/')
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
