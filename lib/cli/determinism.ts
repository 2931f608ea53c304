/** `--check-determinism`: runs four times, on threads and inline and on two engines, and compares the traces byte for byte. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shortened } from '../core/format.ts'
import { UsageError } from '../core/usage-error.ts'
import type { EngineName } from '../engine/engine.ts'
import type { Recorded } from '../report/model.ts'
import { temporaryFolder } from '../runtime/temporary-folder.ts'
import { type Check, is } from '../scenario/checks.ts'
import type { Given } from '../scenario/flags.ts'
import type { Line } from '../trace/lines.ts'
import { traceOf } from '../trace/read.ts'
import { runOf } from '../trace/steps.ts'

const WAYS = ['threads', 'threads', 'inline', 'inline'] as const

/** The engine of the last run, which differs from that of the others. */
const otherThan = (engine: string | undefined): EngineName => (engine === 'xstate' ? 'compiled' : 'xstate')

/** The outcome of the last run, and for a page two runs that differ. */
export interface Alike<T> {
  readonly outcome: T & { readonly checks: readonly Check[] }
  /** The first run and the first one that differs from it, each at the first difference; none without `--report`. */
  readonly differing: readonly Recorded[]
}

/**
 * Calls `run` four times with flags that write a trace; returns the last outcome with a check for each comparison.
 *
 * @throws UsageError in real time, where two runs may differ, with `--trace` and with a runtime
 */
export async function runAlike<T extends { readonly checks: readonly Check[] }>(
  given: Given,
  run: (given: Given) => Promise<T>,
  onInterrupt: (stop: () => void) => void,
): Promise<Alike<T>> {
  if (given.get('time')?.[0] === 'real') {
    throw UsageError.requires('--check-determinism', '--time virtual, since runs in real time differ')
  }
  if (given.has('trace')) throw UsageError.conflicts('--check-determinism', '--trace', 'it writes traces of its own')
  if (given.has('runtime') || given.has('poolThreads')) {
    throw UsageError.conflicts('--check-determinism', '--runtime', 'it chooses the runtime of each of its runs')
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
    const [first = '', ...others] = traces
    const checks = others.map((trace, i) => {
      const name = `the trace of a run on ${WAYS[i + 1]}${i === 2 ? `, on the engine ${other},` : ''} against the first, on threads`
      return compared(name, trace, first)
    })
    const place = given.has('report') ? others.findIndex((trace) => trace !== first) : -1
    const names = ['The first run', 'The second run', 'The third run, inline', `The fourth run, on the engine ${other}`]
    const differing = place < 0 ? [] : differingRuns(first, others[place] ?? '', names[place + 1] ?? '')
    return { outcome: { ...outcome, checks: [...outcome.checks, ...checks] }, differing }
  } finally {
    remove()
  }
}

const hashOf = (trace: string): string => createHash('sha256').update(trace).digest('hex').slice(0, 16)

/** The check that a trace is that of the first run. */
function compared(name: string, trace: string, first: string): Check {
  const expected = `equal (${hashOf(first)})`
  if (trace === first) return is(name, expected, expected)
  const place = differenceOf(trace, first)
  const [line, ofFirst] = [trace, first].map((text) => text.split('\n')[place] || 'nothing')
  const evidence = [`the first run has there: ${shortened(ofFirst ?? '', LINE_MAX)}`]
  return { ...is(name, `differs from line ${place + 1}: ${line}`, expected), evidence }
}

/** The most characters of a line of a trace in the evidence of a check. */
const LINE_MAX = 240

/** The index of the first line where a trace differs from that of the first run. */
function differenceOf(trace: string, first: string): number {
  const lines = trace.split('\n')
  return first.split('\n').findIndex((line, i) => line !== lines[i])
}

/** Both runs, each at the event to which the first different line belongs. */
function differingRuns(first: string, trace: string, name: string): readonly Recorded[] {
  const place = differenceOf(trace, first)
  return [
    { name: 'The first run, on threads', lines: linesIn(first) },
    { name, lines: linesIn(trace) },
  ].map((run) => ({ ...run, focus: eventAt(run.lines, place) }))
}

const linesIn = (trace: string): readonly Line[] =>
  trace
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The line of the last event that begins at a line or before it. */
function eventAt(lines: readonly Line[], place: number): number | undefined {
  const { steps, system } = runOf(traceOf(lines))
  const begun = [...steps, ...system].map(({ line }) => line).filter((line) => line <= place)
  return begun.length > 0 ? Math.max(...begun) : undefined
}
