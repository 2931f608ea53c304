/** Pictures of runs are for people, and tools give up beyond some size: what is drawn is limited. */

export interface Limit {
  /** Most events that are drawn: steps, and what the system did. */
  readonly most: number
}

/** What can still be read, and what the tools' own limits allow. */
export const MOST = { shiviz: 5_000, mermaid: 400, dot: 1_000, perfetto: 1_000_000 } as const

export type Format = keyof typeof MOST
