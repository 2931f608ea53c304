import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'

/**
 * Moves the first mapping of an original line to the beginning of the line. A reader of coverage takes a line for not run if
 * a range that did not run covers it whole, and no range begins in the blanks before the code.
 */
export function fromLineStart(mappings: string): string {
  const lines = decode(mappings)
  const first = new Map<string, number>()
  for (const [, source, line, column] of lines.flat()) {
    if (column === undefined) continue
    const key = `${source}:${line}`
    first.set(key, Math.min(column, first.get(key) ?? column))
  }
  return encode(lines.map((segments) => segments.map((segment) => moved(segment, first))))
}

function moved(segment: SourceMapSegment, first: ReadonlyMap<string, number>): SourceMapSegment {
  if (segment.length === 1) return segment
  const [at, source, line, column] = segment
  const start = column === first.get(`${source}:${line}`) ? 0 : column
  return segment.length === 4 ? [at, source, line, start] : [at, source, line, start, segment[4]]
}
