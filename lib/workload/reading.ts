/** Options for reading a source of jobs: its part, its limits and its pace. */
export interface Reading {
  /** The most jobs to read; the others are left out (default: all are read). */
  readonly first?: number | undefined
  /** The most rows of a source; a longer one is refused (default a million). */
  readonly maxRows?: number
  /** A factor > 0 for the gaps between arrivals (default 1): 2 halves the load. */
  readonly stretch?: number | undefined
  /** Seconds of a log that make one unit, > 0; default 1. CSV is in units and ignores it. */
  readonly logUnit?: number | undefined
}

export const MAX_ROWS = 1_000_000
