/**
 * A mean to which a model converges, and the tolerance for the mean of other runs. Papers do not print these values:
 * another implementation of the same rules computed them.
 */
export interface Converged {
  readonly value: number
  /**
   * The tolerance for a mean of `ofSeeds` runs: three standard errors of the difference of both means. Without
   * `ofSeeds` it is the tolerance for any number of runs.
   */
  readonly tolerance: number
  readonly ofSeeds?: number
  /** The number of runs behind this mean. */
  readonly seeds?: number
}

/** The tolerance for a mean of `runs` runs (>= 1): three standard errors of the difference. */
export const toleranceOf = ({ tolerance, ofSeeds, seeds }: Converged, runs: number): number =>
  ofSeeds === undefined || seeds === undefined
    ? tolerance
    : tolerance * Math.sqrt((1 / runs + 1 / seeds) / (1 / ofSeeds + 1 / seeds))
