/** The reading of traces by commands, with notes on traces that are cut off or not the newest. */
import { statSync } from 'node:fs'
import type { Progress } from '../../lib/cli/index.ts'
import type { Plain } from '../../lib/core/data.ts'
import { printUnits } from '../../lib/core/format.ts'
import { lastPart } from '../../lib/core/part-file.ts'
import type { Line } from '../../lib/trace/lines.ts'
import { readTrace, type Trace } from '../../lib/trace/read.ts'
import { readingOf } from './reading.ts'

/** The fields of a trace line that hold data of actors. */
const PAYLOADS = ['message', 'event', 'fact', 'record', 'input'] as const

/**
 * Reads a trace. Fields that its family called otherwise in version 2 get their present names. Notes if the trace is cut
 * off, or if a later run has left a part.
 *
 * @throws UsageError as `readTrace`
 */
export function readRecording(path: string, { note }: Pick<Progress, 'note'>, limit?: number): Trace {
  const trace = readTrace(path, limit)
  const { cutOff } = trace
  if (cutOff) note(`${path} is cut off: used up to line ${cutOff.line}, at ${printUnits(cutOff.at)}`)
  const part = lastPart(path)
  if (part !== undefined && writtenAt(part) > writtenAt(path)) {
    note(`${path} is of an earlier run: ${part} is newer, of a run that has not ended`)
  }
  const { renamed } = trace.head['version'] === 2 ? readingOf(trace.head) : {}
  return renamed ? { ...trace, lines: trace.lines.map((line) => renamedLine(line, renamed)) } : trace
}

function renamedLine(line: Line, names: ReadonlyMap<string, string>): Line {
  const payloads = PAYLOADS.flatMap((key) => {
    const value = line[key]
    return value === undefined ? [] : [[key, renamedIn(value, names)] as const]
  })
  return payloads.length === 0 ? line : { ...line, ...Object.fromEntries(payloads) }
}

function renamedIn(value: Plain, names: ReadonlyMap<string, string>): Plain {
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, names))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [
    names.get(key) ?? key,
    item === undefined ? item : renamedIn(item, names),
  ])
  return Object.fromEntries(entries)
}

const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
