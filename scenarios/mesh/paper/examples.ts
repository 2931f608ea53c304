/** The examples of McCann 1994, chapter 6, with the results of an independent implementation. */

export interface Example {
  readonly where: string
  readonly processors: number
  readonly minima: readonly number[]
  readonly epochs: number
  /** The number of processors exchanged in a period; null if it is unknown. */
  readonly costs: { readonly BUDDY: number; readonly 'EQUI-EPOCH': number } | null
}

const example = (
  where: string,
  processors: number,
  minima: readonly number[],
  epochs: number,
  costs?: readonly [buddy: number, epoch: number],
): Example => ({
  where,
  processors,
  minima,
  epochs,
  costs: costs ? { BUDDY: costs[0], 'EQUI-EPOCH': costs[1] } : null,
})

export const EXAMPLES: readonly Example[] = [
  example('section 6.6', 16, [2, 2, 4, 4, 4, 8, 8, 8], 3, [40, 48]),
  example('section 6.3', 16, [2, 2, 4, 8, 8, 8, 8, 16], 5, [72, 80]),
  example('section 6.7', 16, [2, 2, 4, 4, 8, 8, 8, 8], 3, [40, 48]),
  example('figure 6.7', 12, [2, 3, 3, 4, 4, 4, 5, 6], 3),
  example('section 6.5.2', 140, new Array<number>(10).fill(20), 3),
  example('section 6.5.2', 16, [4, 4, 4, 4, 8], 2),
]
