/**
 * A mean to which the model converges, and how far from it the mean of other runs may lie. The paper does not print them:
 * another implementation of the same rules gave them.
 */
export interface Converged {
  readonly value: number
  /** For a mean of 20 seeds: three standard errors of the difference of both means. */
  readonly tolerance: number
  /** Of how many runs it is the mean. */
  readonly seeds: number
}

export const converged = (value: number, tolerance: number, seeds: number): Converged => ({ value, tolerance, seeds })

/** The tolerance for a mean of so many seeds, >= 1: three standard errors again. */
export const toleranceOf = ({ tolerance, seeds }: Converged, ofSeeds: number): number =>
  tolerance * Math.sqrt((1 / ofSeeds + 1 / seeds) / (1 / 20 + 1 / seeds))
