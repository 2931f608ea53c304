/** A tally of records by reason. */
export type Tally = ReadonlyMap<string, number>

export const count = (tally: Map<string, number>, reason: string, by = 1): void => {
  tally.set(reason, (tally.get(reason) ?? 0) + by)
}

/** The tally as text, such as `12 not serial, 3 without a run time`; empty if nothing was counted. */
export const tallyText = (tally: Tally): string => [...tally].map(([reason, n]) => `${n} ${reason}`).join(', ')
