/** The test files of the project, and a run of some of them. */
import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare } from './loader/cache.mjs'
import { endAll, type Limits, limits, runFile, type Verdict } from './runner.ts'

const here = dirname(fileURLToPath(import.meta.url))

/** The test files whose path contains a pattern, or all without patterns. */
export function testFiles(patterns: readonly string[]): string[] {
  return readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith('fixtures'))
    .map((path) => join(here, path))
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => named(path).includes(pattern)))
}

/** The path of a test file in the project. */
export const named = (file: string): string => relative(dirname(here), file).split(sep).join('/')

/** The largest number of files in one process. */
const LARGEST = 10

/** Files that must not share a process: they test what a process says only once. */
const ALONE = ['test/system/notices.test.ts']

/**
 * The files of each process if the files of a folder share processes, since they load the same modules. The tests of the tests
 * themselves, which are in no folder, have a process each.
 */
export function grouped(files: readonly string[]): string[][] {
  const isAlone = (file: string): boolean => dirname(file) === here || ALONE.includes(named(file))
  const folderOf = (file: string): string => (isAlone(file) ? file : dirname(file))
  return [...new Set(files.map(folderOf))].flatMap((folder) => {
    const own = files.filter((file) => folderOf(file) === folder)
    const count = Math.ceil(own.length / LARGEST)
    return Array.from({ length: count }, (_, group) => own.filter((_, i) => i % count === group))
  })
}

/** The files of one process, as a shell understands them. */
function nameOf([file = '', ...others]: readonly string[]): string {
  if (others.length === 0) return named(file)
  const names = [file, ...others].map((one) => basename(one, '.test.ts'))
  return `${named(dirname(file))}/{${names}}.test.ts`
}

export interface RunOptions {
  /** How many processes run at a time. */
  readonly parallel: number
  /** Whether the files of a folder share processes (default: each file has its own). */
  readonly isShared?: boolean
  readonly limits?: Limits
  /** The variables of the environment that a file has besides those of this process. */
  readonly environment?: (file: string) => NodeJS.ProcessEnv
  /** Called when a file has ended. */
  readonly ended?: (verdict: Verdict) => void
}

/**
 * Runs files in their order, shows the verdict of each process, and returns the verdicts. If not all tests of a shared process
 * pass, each of its files runs again in its own. An interrupt ends those that run, begins no other and sets the exit code.
 */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<Verdict[]> {
  await prepare(['lib', 'actors', 'scenarios', 'test'].flatMap(sourcesIn))
  const verdicts: Verdict[] = []
  const waiting = options.isShared ? grouped(files) : files.map((file) => [file])
  let isInterrupted = false
  for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
    process.once(signal, () => {
      isInterrupted = true
      process.exitCode = code
      waiting.length = 0
      endAll()
    })
  }
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const [file = '', ...others] = group
      const verdict = await runFile(file, options.limits ?? limits, options.environment?.(file), others)
      if (isInterrupted) return
      if (others.length > 0 && (verdict.failed > 0 || verdict.notRun !== undefined)) {
        // told in any case, since a failure that does not come again is one as well
        console.log(`\n${verdict.output.trimEnd()}\n`)
        console.log(`once more, each file in a process of its own: ${nameOf(group)}`)
        waiting.unshift(...group.map((one) => [one]))
        continue
      }
      verdicts.push(verdict)
      show(verdict)
      options.ended?.(verdict)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  return verdicts
}

/** Shows how many tests passed, and returns whether all did. */
export function summarize(verdicts: readonly Verdict[]): boolean {
  const passed = sum(verdicts.map((verdict) => verdict.passed))
  const failed = sum(verdicts.map((verdict) => verdict.failed))
  const left = verdicts.filter(({ notRun }) => notRun !== undefined).length
  const notRun = left > 0 ? `, ${left} ${left === 1 ? 'file' : 'files'} not run` : ''
  console.log(`${passed} passed, ${failed} failed${notRun}`)
  return failed === 0
}

function show({ file, others, passed, failed, seconds, faults, notRun, output }: Verdict): void {
  const name = nameOf([file, ...others])
  if (notRun !== undefined) {
    console.log(`none ${name}  not run: ${notRun}`)
    return
  }
  if (failed > 0) console.log(`\n${output.trimEnd()}\n`)
  const faulty = faults.map((fault) => `; ${fault}`).join('')
  const counts = failed > 0 ? `${passed} passed, ${failed} failed${faulty}` : `${passed} passed`
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${name}  ${seconds.toFixed(1)} s  ${counts}`)
}

/** The files of TypeScript in a folder of the project. */
function sourcesIn(folder: string): string[] {
  const path = join(here, '..', folder)
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(path, name))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
