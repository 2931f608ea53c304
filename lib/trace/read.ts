/** A trace as it was written: its head, which says how the run was made, and its lines. */
import { StringDecoder } from 'node:string_decoder'
import { isObject, type Plain } from '../core/data.ts'
import { quoted } from '../core/format.ts'
import { chunksOf } from '../core/input.ts'
import type { Time } from '../core/time.ts'
import { UsageError } from '../core/usage-error.ts'
import { LOST_PARTITION, LOST_REASONS } from '../memory/envelope.ts'
import { beginsStep, type Line, TRACE_VERSION } from './lines.ts'

export interface Trace {
  /** The file, or what else errors are to name. */
  readonly where: string
  /** The first line (see `headOf`). Its version is that of the file. */
  readonly head: Line
  /** All lines, the head among them, in the words of this version: `lines[i]` is line i + 1 of the file. */
  readonly lines: readonly Line[]
  /** The end of the trace of a run that was killed; null if the trace is whole. */
  readonly cutOff: CutOff | null
}

/** The end of what can be used of a trace that is cut off. */
export interface CutOff {
  /** The number of the last line that is used, from 1. */
  readonly line: number
  readonly at: Time
}

/** The most bytes of a trace; reading needs about ten times as much memory. */
export const TRACE_BYTES_MAX = 200_000_000

/**
 * Reads a file of JSON lines. A trace that is cut off, since its run was killed, is read up to its last whole step.
 *
 * @throws UsageError for a file that cannot be read, is larger than `limit` bytes, is no trace, has another version, is
 *   damaged before its end, or stopped at its limit
 */
export function readTrace(path: string, limit = TRACE_BYTES_MAX): Trace {
  const lines: Line[] = []
  const texts = textsOf(path, limit)
  let next = texts.next()
  for (; !next.done; next = texts.next()) {
    const line = parse(next.value)
    if (line) lines.push(line)
    else throw new UsageError(`${path}, line ${lines.length + 1} is not a line of a trace: ${quoted(next.value)}`)
    // before anything else is read: a file of another kind may be large
    if (lines.length === 1) checkHead(line, path)
  }
  const trace = traceOf(lines, path)
  const isCutOff = next.value || (trace.head['ends'] === true && lines[lines.length - 1]?.t !== 'end')
  return isCutOff ? upToLastStep(trace) : trace
}

/** Cuts off the last step of a trace, since some of its lines may be missing. */
function upToLastStep(trace: Trace): Trace {
  const last = trace.lines.findLastIndex(beginsStep)
  const lines = last < 0 ? trace.lines : trace.lines.slice(0, last)
  const at = lines.findLast((line) => typeof line['at'] === 'number')?.['at']
  return { ...trace, lines, cutOff: { line: lines.length, at: typeof at === 'number' ? at : 0 } }
}

/**
 * A trace from lines in memory, as `System.onLine` reports them. The head is not among them, since it is written before a
 * listener can be added; it is `headOf(system.options)`.
 *
 * @throws UsageError as `readTrace` does
 */
export function traceOf(lines: readonly Line[], where = 'trace'): Trace {
  const head = checkHead(lines[0], where)
  const last = lines[lines.length - 1]
  if (last?.t === 'truncated') {
    const { limit, option } = last
    throw new UsageError(`${where} is not a whole trace: it was cut off at ${limit} bytes (option ${option})`)
  }
  const isPresent = head['version'] !== 2
  return { where, head, lines: isPresent ? lines : lines.map(inPresentWords), cutOff: null }
}

/** The lines of version 2 differ in these words. The data of actors may differ too, as their family says. */
function inPresentWords(line: Line): Line {
  const { fault, reason, missed } = line
  if (typeof fault === 'string') {
    return { ...line, fault: fault.replace(/^stall /, 'pause ').replace(/^cut /, 'partition ') }
  }
  const separated = LOST_REASONS[LOST_PARTITION]
  if (reason === 'the link is cut') return { ...line, reason: separated }
  return missed === 'the link is cut' ? { ...line, missed: separated } : line
}

function checkHead(head: Line | undefined, where: string): Line {
  if (head?.t !== 'trace') {
    throw new UsageError(
      `${where} is not a trace: it ${head ? `begins with ${quoted(JSON.stringify(head))}` : 'is empty'}`,
    )
  }
  const version = head['version'] ?? null
  if (typeof version === 'number' && version >= 2 && version <= TRACE_VERSION) return head
  throw UsageError.invalid(where, `a trace of version 2 to ${TRACE_VERSION}`, `version ${JSON.stringify(version)}`)
}

function parse(text: string): Line | undefined {
  try {
    const value: Plain = JSON.parse(text)
    return isLine(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isLine = (value: Plain): value is Line => isObject(value) && typeof value['t'] === 'string'

/** The lines of a file, a chunk at a time; returns whether a line follows them that has no end. */
function* textsOf(path: string, limit: number): Generator<string, boolean> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (const chunk of chunksOf(path, path, { bytes: limit, most: `${limit} bytes (option bytes)` })) {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = parts.pop() ?? ''
    yield* parts
  }
  return rest !== ''
}
