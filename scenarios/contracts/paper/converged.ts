import { convergedFor } from '../../study/paper.ts'

/** A converged value with its tolerance for a mean of 12 traces. */
export const converged = convergedFor(12)
