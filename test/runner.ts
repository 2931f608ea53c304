/**
 * Runs a test file in a process of its own and judges it by its behaviour, not by its claims. A file that dies,
 * hangs, tests nothing, skips, or leaves something running has failed. A file that lacks a program of the computer may print
 * `not run: WHY` and end, and is counted as not run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TYPESCRIPT } from './typescript.ts'

export interface Verdict {
  readonly file: string
  /** Other files that ran in the same process. */
  readonly others: readonly string[]
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** The reasons for the failure of the file other than failed tests, in one line each. */
  readonly faults: readonly string[]
  /** The reason why its tests were skipped, such as a missing program. */
  readonly notRun: string | undefined
  readonly output: string
}

export interface Limits {
  /** The time limit for the whole file. */
  readonly seconds: number
  /** The time limit for processes that still run after the last test. */
  readonly graceSeconds: number
}

export const limits: Limits = { seconds: 600, graceSeconds: 5 }
const running = new Set<ChildProcess>()
const TOGETHER = fileURLToPath(new URL('./together.ts', import.meta.url))

/**
 * Runs a test file. `environment` has the variables that it gets besides those of this process. With `others` these files run in
 * the same process, which ends at the first test that fails.
 */
export function runFile(
  file: string,
  { seconds, graceSeconds }: Limits = limits,
  environment: NodeJS.ProcessEnv = {},
  others: readonly string[] = [],
): Promise<Verdict> {
  const start = performance.now()
  const program = others.length > 0 ? [TOGETHER, file, ...others] : [file]
  // A process group, so that all processes that the file started can be ended with it.
  const child = spawn(process.execPath, [...TYPESCRIPT, ...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, FORCE_COLOR: '0', ...environment },
  })
  running.add(child)
  let output = ''
  let stopped: string | undefined
  let ended = false
  const faults: string[] = []

  return new Promise((resolve) => {
    const stop = (reason: string) => () => {
      stopped ??= reason
      end(child)
    }
    const limit = setTimeout(stop(`hangs: it was ended after ${seconds} s`), seconds * 1000)
    let grace: NodeJS.Timeout | undefined
    const allow = (reason: string) => {
      clearTimeout(grace)
      grace = setTimeout(stop(reason), graceSeconds * 1000)
    }
    const hear = (text: string) => {
      output += text
      if (ended) return
      // A summary with more output after it belongs to another run that a test shows.
      clearTimeout(grace)
      if (/^ {2}Duration: +\S+\s*$/m.test(output.slice(-60))) {
        allow(`was still running ${graceSeconds} s after its last test: something was left open`)
      }
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.on('error', (error) => faults.push(error.message))
    child.on('exit', () => {
      ended = true
      allow('left a process behind that had to be ended')
    })
    // Comes later than 'exit' if a process that the file started still holds its output open.
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      clearTimeout(grace)
      end(child)
      running.delete(child)
      const counts = countsOf(output)
      const isQuiet = stopped === undefined && counts === undefined && code === 0
      const notRun = isQuiet ? /^not run: (.+)$/m.exec(output)?.[1] : undefined
      if (notRun !== undefined) {
        const seconds = (performance.now() - start) / 1000
        resolve({ file, others, passed: 0, failed: 0, seconds, faults: [], notRun, output })
        return
      }
      if (stopped !== undefined) faults.push(stopped)
      else if (counts === undefined) faults.push(`ended before its tests did (exit ${signal ?? code})`)
      else if (code !== (counts.passed < counts.total ? 1 : 0)) {
        faults.push(`exit ${signal ?? code} after ${counts.passed} of ${counts.total} tests passed`)
      }
      if (counts?.total === 0) faults.push('has no tests')
      if (counts !== undefined && counts.skipped > 0) faults.push(`skips ${counts.skipped}`)
      resolve({
        file,
        others,
        passed: counts?.passed ?? 0,
        failed: (counts === undefined ? 0 : counts.total - counts.passed) + faults.length,
        seconds: (performance.now() - start) / 1000,
        faults,
        notRun,
        output,
      })
    })
  })
}

/** Ends every file that is running. */
export function endAll(): void {
  for (const child of running) end(child)
}

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The whole group is gone already.
  }
}

/** The final summary of uvu; a summary that a test shows is never the last one. */
function countsOf(output: string): { total: number; passed: number; skipped: number } | undefined {
  const all = [...output.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /gm)]
  const last = all.at(-1)
  if (last === undefined) return undefined
  return { total: Number(last[1]), passed: Number(last[2]), skipped: Number(last[3]) }
}
