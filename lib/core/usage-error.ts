/**
 * Wrong use, told in one line: where, what was expected there, and what came. Scenarios print it and exit with 2.
 *
 * @example `--speeds: expected positive numbers separated by commas, got "4,x"`
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** A flag (`--speeds`) or a place in a file that a flag names (`--workload jobs.csv, line 3, column work`). */
  readonly where: string
  readonly expected: string
  /** As it is to be read: `"4,x"`, `nothing`, `3 columns`. */
  readonly got: string

  constructor(where: string, expected: string, got: string) {
    super(`${where}: expected ${expected}, got ${got}`)
    this.where = where
    this.expected = expected
    this.got = got
  }
}
