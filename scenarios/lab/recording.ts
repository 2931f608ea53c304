/** Traces as commands read them: what is not as the user may expect is said. */
import { statSync } from 'node:fs'
import type { Progress } from '../../lib/cli/index.ts'
import { printUnits } from '../../lib/core/format.ts'
import { lastPart } from '../../lib/core/part-file.ts'
import { readTrace, type Trace } from '../../lib/trace/read.ts'

/**
 * Reads a trace, and says if it is cut off, or if a later run has left a part beside it.
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
  return trace
}

const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
