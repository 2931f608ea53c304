/**
 * A mean to which a model converges, and how far from it the mean of other runs may lie. Papers do not print them:
 * another implementation of the same rules gave them.
 */
export interface Converged {
  readonly value: number
  /** For a mean of `ofSeeds` runs: three standard errors of the difference of both means. */
  readonly tolerance: number
  readonly ofSeeds: number
  /** Of how many runs it is the mean. */
  readonly seeds: number
}

/** The tolerance for a mean of so many runs, >= 1: three standard errors again. */
export const toleranceOf = ({ tolerance, ofSeeds, seeds }: Converged, runs: number): number =>
  tolerance * Math.sqrt((1 / runs + 1 / seeds) / (1 / ofSeeds + 1 / seeds))
