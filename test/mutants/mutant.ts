/** A mutant of a protocol: one small mistake, made in one place of a file by an operator. */

export interface Mutant {
  /** The name, which stays the same while the line and its function do: file, function, operator, line. */
  readonly name: string
  /** The file, below `actors/`. */
  readonly file: string
  readonly operator: Operator
  /** The text from `start` to `end` is replaced by `text`. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The mistakes that are made. */
export const OPERATORS = [
  'effect dropped',
  'effect doubled',
  'record dropped',
  'timer kept',
  'call dropped',
  'update dropped',
  'guard negated',
  'attempt ignored',
  'comparison swapped',
  'connective swapped',
] as const
export type Operator = (typeof OPERATORS)[number]

export const applied = (source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string =>
  source.slice(0, start) + text + source.slice(end)

/** The changed lines, for people: what stood there, and what stands there now. */
export function changeOf(source: string, mutant: Mutant): string {
  const from = source.lastIndexOf('\n', mutant.start - 1) + 1
  const until = source.indexOf('\n', mutant.end)
  const to = until < 0 ? source.length : until
  const before = source.slice(from, to)
  const after = applied(source, mutant).slice(from, to + mutant.text.length - (mutant.end - mutant.start))
  const lines = (sign: string, text: string) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `${sign} ${line.trim()}`)
  return [...lines('-', before), ...lines('+', after)].join('\n')
}
