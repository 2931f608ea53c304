import { convergedFor } from '../../study/paper.ts'

/** A converged value with its tolerance for a mean of 20 seeds. */
export const converged = convergedFor(20)
