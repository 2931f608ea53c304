/** A mapping: the column in the generated line, then the source, line and column of the original, and an optional name. */
type Segment = number[]

/** The mappings of a source map, line by line, with absolute numbers. */
export function decode(mappings: string): Segment[][] {
  const last = [0, 0, 0, 0, 0]
  return mappings.split(';').map((line) => {
    last[0] = 0
    return line
      .split(',')
      .filter((text) => text !== '')
      .map((text) =>
        numbersOf(text).map((step, field) => {
          const value = (last[field] ?? 0) + step
          last[field] = value
          return value
        }),
      )
  })
}

/**
 * Moves the first mapping of an original line to the beginning of the line. A reader of coverage takes a line for not run if
 * a range that did not run covers it whole, and no range begins in the blanks before the code.
 */
export function fromLineStart(mappings: Segment[][]): Segment[][] {
  const first = new Map<string, number>()
  for (const [, source, line, column] of mappings.flat()) {
    if (column === undefined) continue
    const key = `${source}:${line}`
    first.set(key, Math.min(column, first.get(key) ?? column))
  }
  return mappings.map((segments) =>
    segments.map(([at = 0, source, line, column, ...name]) => {
      if (source === undefined || line === undefined || column === undefined) return [at]
      return [at, source, line, column === first.get(`${source}:${line}`) ? 0 : column, ...name]
    }),
  )
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Decodes variable-length numbers: five bits per digit, low ones first; the sixth bit means that more follow, and the lowest bit of all is the sign. */
function numbersOf(text: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits >= 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
