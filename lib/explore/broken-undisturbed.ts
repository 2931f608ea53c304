import { BourseError } from '../core/error.ts'

/**
 * Thrown when a scenario breaks promises without a schedule. It may do so in its plain run, or only under faults. A plain run that never ends
 * is told before the first schedule, and all else only if no run of the search breaks a promise.
 */
export class BrokenUndisturbed extends BourseError {
  override readonly name = 'BrokenUndisturbed'
  /** The broken promises: for each its name, a colon and what was broken. */
  readonly broken: readonly string[]

  constructor(broken: readonly string[], command?: string, causes: readonly string[] = []) {
    const repeat = command === undefined ? [] : ['  to repeat it, without a schedule:', `  ${command}`]
    super('BOURSE_PROMISE_BROKEN', [...broken, ...causes.map((cause) => `  ${cause}`), ...repeat].join('\n'))
    this.broken = broken
  }
}
