import type { Converged } from '../../../lib/experiment/converged.ts'

/** A converged value with its tolerance for a mean of 20 seeds. */
export const converged = (value: number, tolerance: number, seeds: number): Converged => ({
  value,
  tolerance,
  seeds,
  ofSeeds: 20,
})
