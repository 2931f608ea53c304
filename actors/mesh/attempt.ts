/** Which job it is, and the how manieth time that its user had it begun. */
import type { Attempt } from './messages.ts'

/** Without whatever else is known of it. */
export const attemptOf = ({ job, attempt }: Attempt): Attempt => ({ job, attempt })

export const isSame = (one: Attempt, other: Attempt): boolean => one.job === other.job && one.attempt === other.attempt
