/** The base class of the errors that the library throws to its users. */

/** The codes of the errors. A code never changes, while a message may. */
export type ErrorCode =
  | 'BOURSE_ADDRESS'
  | 'BOURSE_ASK_REFUSED'
  | 'BOURSE_ASK_TIMEOUT'
  | 'BOURSE_COMPUTATION'
  | 'BOURSE_DEFINITIONS_FULL'
  | 'BOURSE_DIVERGENCE'
  | 'BOURSE_ENDLESS_STEP'
  | 'BOURSE_ENGINES_DIFFER'
  | 'BOURSE_ENVELOPES_EXHAUSTED'
  | 'BOURSE_FIELD'
  | 'BOURSE_HOSTS'
  | 'BOURSE_IMPURE_STEP'
  | 'BOURSE_LIMIT'
  | 'BOURSE_LOADING'
  | 'BOURSE_LOG'
  | 'BOURSE_MAIL_MEMORY_FULL'
  | 'BOURSE_MUTATION'
  | 'BOURSE_NOT_A_DECISION'
  | 'BOURSE_NOT_A_MACHINE'
  | 'BOURSE_NOT_PLAIN'
  | 'BOURSE_NOT_REPRODUCED'
  | 'BOURSE_OPTION'
  | 'BOURSE_OUTSIDE_STEP'
  | 'BOURSE_PROMISE_BROKEN'
  | 'BOURSE_RUNNING'
  | 'BOURSE_STOPPED'
  | 'BOURSE_STRICT'
  | 'BOURSE_SWEEP'
  | 'BOURSE_USAGE'

/**
 * An error of the library. `code` says what happened, for programs; the message says it in a sentence, for people. Most
 * errors have a class of their own, with a name.
 */
export class BourseError extends Error {
  override readonly name: string = 'BourseError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Thrown for an argument or option that is unknown or out of its range. */
export class OutOfRange extends BourseError {
  override readonly name = 'RangeError'

  constructor(message: string) {
    super('BOURSE_OPTION', message)
  }
}

/** Thrown where a limit is passed; names the limit, its value and its option. */
export class LimitPassed extends BourseError {
  override readonly name = 'LimitPassed'

  constructor(message: string) {
    super('BOURSE_LIMIT', message)
  }
}

/** The codes of errors that end a thread or a step, and so come back as data without their class, by name. */
const RESTORED: ReadonlyMap<string, ErrorCode> = new Map([
  ['ChangedInPlace', 'BOURSE_MUTATION'],
  ['DefinitionsFull', 'BOURSE_DEFINITIONS_FULL'],
  ['EnginesDiffer', 'BOURSE_ENGINES_DIFFER'],
  ['EnvelopesExhausted', 'BOURSE_ENVELOPES_EXHAUSTED'],
  ['ImpureStep', 'BOURSE_IMPURE_STEP'],
  ['LimitPassed', 'BOURSE_LIMIT'],
  ['MailMemoryFull', 'BOURSE_MAIL_MEMORY_FULL'],
  ['NewField', 'BOURSE_STRICT'],
  ['NotAMachine', 'BOURSE_NOT_A_MACHINE'],
])

/** An error with the class and code that an error of this name had in its thread. */
export function restored(name: string, message: string): Error {
  const code = RESTORED.get(name)
  return code === undefined ? new Error(message) : new BourseError(code, message)
}
