/** The limits of exported pictures: large ones are hard to read, and tools refuse them. */

export interface Limit {
  /** The most events in a picture: steps and acts of the system. */
  readonly most: number
}

/** The limit of each format: pictures that people can read, within the tools' own limits. */
export const MOST = { shiviz: 5_000, mermaid: 400, dot: 1_000, perfetto: 1_000_000 } as const

export type Format = keyof typeof MOST
