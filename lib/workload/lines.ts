/** A line that is not blank, with its number in the file (from 1). */
export interface Line {
  readonly line: string
  readonly number: number
}

/** The lines of a text, however they end, without blank ones and without a byte order mark. */
export function* linesOf(content: string): Generator<Line> {
  let number = 0
  for (const line of content.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    number++
    if (line.trim()) yield { line, number }
  }
}
