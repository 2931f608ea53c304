/** How a source of jobs is read: how much of it, and at what pace. */
export interface Reading {
  /** Reads no more than so many jobs and leaves the others out; default all. */
  readonly first?: number | undefined
  /** A source with more rows is refused; default a million. */
  readonly maxRows?: number
  /** Multiplies the gaps between arrivals, > 0: 2 halves the load; default 1. */
  readonly stretch?: number | undefined
  /** Seconds of a log that make one unit, > 0; default 1. CSV is in units and ignores it. */
  readonly logUnit?: number | undefined
}

export const MAX_ROWS = 1_000_000
