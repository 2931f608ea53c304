/** A mean with its 90 % interval, and how the tables write one. */
export interface Mean {
  readonly mean: number
  readonly halfWidth: number
}

/** A `Mean` as a line of a table. */
export type Pair = readonly [mean: number, halfWidth: number]

export const meanOf = ([mean, halfWidth]: Pair): Mean => ({ mean, halfWidth })

/** `'4,1,1'` */
export const speedsOf = (text: string): number[] => text.split(',').map(Number)

/** Units of work of a task at speed 1, in all of the paper's simulations. */
export const MEAN_WORK = 60
