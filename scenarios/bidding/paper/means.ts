/** The means in the tables of the paper. */

/** A mean with half of its 90 % interval. */
export interface Mean {
  readonly mean: number
  readonly halfWidth: number
}

/** A `Mean` as two numbers, as the tables below write it. */
export type Pair = readonly [mean: number, halfWidth: number]

export const meanOf = ([mean, halfWidth]: Pair): Mean => ({ mean, halfWidth })

/** Reads speeds such as `4,1,1`. */
export const speedsOf = (text: string): number[] => text.split(',').map(Number)

/** The mean work of a task in units at speed 1, in all of the paper's simulations. */
export const MEAN_WORK = 60
