/** The error of a user: a wrong flag, option or input file. */
import { BourseError } from './error.ts'
import { nearest, quoted } from './format.ts'

/** Most known names that an error lists. */
const LISTED = 8

/** The parts of the error of a wrong value. */
interface Invalid {
  readonly where: string
  readonly mustBe: string
  readonly got: string | undefined
  readonly why: string | undefined
}

/**
 * A mistake of the user, told in one sentence that names the flag or the place in a file, what is wrong, and the mend.
 * Commands print the sentence and exit with 2.
 *
 * The named constructors cover the usual mistakes; `new UsageError(sentence)` is for the others. A `where` is a flag
 * (`--speeds`) or a place in a file that a flag names (`--workload jobs.csv, line 3, column work`).
 */
export class UsageError extends BourseError {
  override readonly name = 'UsageError'

  constructor(message: string) {
    super('BOURSE_USAGE', message)
  }
  #invalid: Invalid | undefined

  /**
   * A value of the wrong kind or out of range; `got` is as it is to be read, such as `"4,x"` or `3 columns`, and `why` is
   * a clause of its own: the reason, or what to do.
   *
   * @example `--speeds must be positive numbers separated by commas, not "4,x"`
   * @example `--time must be virtual, not "real": exploration uses no clock`
   */
  static invalid(where: string, mustBe: string, got?: string, why?: string): UsageError {
    const [unlike, since] = [got === undefined ? '' : `, not ${got}`, why === undefined ? '' : `: ${why}`]
    const error = new UsageError(`${where} must be ${mustBe}${unlike}${since}`)
    error.#invalid = { where, mustBe, got, why }
    return error
  }

  /**
   * More of something than a limit allows; without `has` it is not known how many.
   *
   * @example `--hosts may have at most 32 hosts, but has 33`
   */
  static tooMany(where: string, most: string, has = 'more'): UsageError {
    return new UsageError(`${where} may have at most ${most}, but has ${has}`)
  }

  /**
   * Something is missing: another flag, a value, a package.
   *
   * @example `--stretch needs --workload`
   */
  static requires(where: string, what: string): UsageError {
    return new UsageError(`${where} needs ${what}`)
  }

  /**
   * Two flags exclude each other.
   *
   * @example `--check-determinism cannot be combined with --trace: it writes traces of its own`
   */
  static conflicts(flag: string, other: string, why?: string): UsageError {
    return new UsageError(`${flag} cannot be combined with ${other}${why === undefined ? '' : `: ${why}`}`)
  }

  /**
   * A name that does not exist; the error suggests a similar one and lists the first known ones, or says `list`.
   *
   * @example `unknown flag --tesks; did you mean --tasks? (--help lists all flags)`
   * @example `unknown client "D" in --sleeper; known: A, B, C`
   */
  static unknown(
    what: string,
    got: string,
    known: readonly string[],
    { where, list }: { readonly where?: string; readonly list?: string } = {},
  ): UsageError {
    const meant = nearest(got, known)
    const shown = known.slice(0, LISTED).join(', ') + (known.length > LISTED ? ', ...' : '')
    const all = list ?? `known: ${shown || 'none'}`
    // m1 is no better guess for m9 than m2
    const isGuess = meant !== undefined && withoutDigits(meant) !== withoutDigits(got)
    const name = got.startsWith('-') ? got : quoted(got)
    const place = where === undefined ? '' : ` in ${where}`
    return new UsageError(`unknown ${what} ${name}${place}; ${isGuess ? `did you mean ${meant}? (${all})` : all}`)
  }

  /**
   * A flag, or a name within its value, that may come only once.
   *
   * @example `--seed may be given only once`
   * @example `--clients may name "A" only once`
   */
  static repeated(where: string, name?: string): UsageError {
    return new UsageError(`${where} may ${name === undefined ? 'be given' : `name ${name}`} only once`)
  }

  /**
   * A file, server or module that cannot be used, with the cause.
   *
   * @example `cannot read --workload jobs.csv: no such file`
   */
  static cannot(what: string, why: string): UsageError {
    return new UsageError(`cannot ${what}: ${why}`)
  }

  /** The same error for a flag that takes `other` as well; only `invalid` errors change. */
  or(other: string): UsageError {
    if (!this.#invalid) return this
    const { where, mustBe, got, why } = this.#invalid
    return UsageError.invalid(where, `${mustBe}, or ${other}`, got, why)
  }
}

const withoutDigits = (text: string): string => text.replace(/\d/g, '')
