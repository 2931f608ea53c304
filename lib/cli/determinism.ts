/** `--check-determinism`: runs four times, on threads and inline and on two engines, and compares the traces byte for byte. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../core/usage-error.ts'
import type { EngineName } from '../engine/engine.ts'
import { temporaryFolder } from '../runtime/temporary-folder.ts'
import { type Check, is } from '../scenario/checks.ts'
import type { Given } from '../scenario/flags.ts'

const WAYS = ['threads', 'threads', 'inline', 'inline'] as const

/** The engine of the last run, which differs from that of the others. */
const otherThan = (engine: string | undefined): EngineName => (engine === 'xstate' ? 'compiled' : 'xstate')

/**
 * Calls `run` four times with flags that write a trace; returns the last outcome with a check for each comparison.
 *
 * @throws UsageError in real time, where two runs may differ, with `--trace`, and with `--pool-threads`
 */
export async function runAlike<T extends { readonly checks: readonly Check[] }>(
  given: Given,
  run: (given: Given) => Promise<T>,
  onInterrupt: (stop: () => void) => void,
): Promise<T & { readonly checks: readonly Check[] }> {
  if (given.get('time')?.[0] === 'real') {
    throw UsageError.requires('--check-determinism', '--time virtual, since runs in real time differ')
  }
  if (given.has('trace')) throw UsageError.conflicts('--check-determinism', '--trace', 'it writes traces of its own')
  if (given.has('poolThreads')) {
    throw UsageError.conflicts('--check-determinism', '--pool-threads', 'it chooses the runtime of each of its runs')
  }
  const { path: folder, remove } = temporaryFolder()
  onInterrupt(remove)
  try {
    const traces: string[] = []
    let outcome: T | undefined
    const other = otherThan(given.get('engine')?.[0])
    for (const [i, runtime] of WAYS.entries()) {
      const engine: [string, string[]][] = i === WAYS.length - 1 ? [['engine', [other]]] : []
      const file = join(folder, `${i}.jsonl`)
      outcome = await run(new Map([...given, ...engine, ['runtime', [runtime]], ['trace', [file]]]))
      traces.push(readFileSync(file, 'utf8'))
    }
    if (!outcome) throw new Error('no way to run')
    const [first = ''] = traces
    const checks = WAYS.slice(1).map((runtime, i) => {
      const name = `the trace of a run on ${runtime}${i === 2 ? `, on the engine ${other},` : ''} against the first, on threads`
      return is(name, difference(traces[i + 1] ?? '', first), `equal (${hashOf(first)})`)
    })
    return { ...outcome, checks: [...outcome.checks, ...checks] }
  } finally {
    remove()
  }
}

const hashOf = (trace: string): string => createHash('sha256').update(trace).digest('hex').slice(0, 16)

function difference(trace: string, first: string): string {
  if (trace === first) return `equal (${hashOf(first)})`
  const lines = trace.split('\n')
  const place = first.split('\n').findIndex((line, i) => line !== lines[i])
  return `differs from line ${place + 1}: ${lines[place] ?? 'nothing'}`
}
