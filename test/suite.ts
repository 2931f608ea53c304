/** The test files of the project, and a run of some of them. */
import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
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

export interface RunOptions {
  /** How many files run at a time. */
  readonly parallel: number
  readonly limits?: Limits
  /** The variables of the environment that a file has besides those of this process. */
  readonly environment?: (file: string) => NodeJS.ProcessEnv
  /** Called when a file has ended. */
  readonly ended?: (verdict: Verdict) => void
}

/**
 * Runs files in their order, shows the verdict of each, and returns the verdicts. An interrupt ends those that run, begins no
 * other and sets the exit code.
 */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<Verdict[]> {
  await prepare(['lib', 'actors', 'scenarios', 'test'].flatMap(sourcesIn))
  const verdicts: Verdict[] = []
  const waiting = [...files]
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
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const verdict = await runFile(file, options.limits ?? limits, options.environment?.(file))
      if (isInterrupted) return
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
