/** Schedules of jobs with a minimum number of processors. Times are fractions of the period. */

export interface Packed {
  readonly processors: number
  readonly minima: readonly number[]
  /** The blocks, as `job(minimum) x+width y+height`. */
  readonly buddy: readonly string[]
  readonly cost: number
  /** The epochs, as the minima of their jobs, the processors of each job and the duration. */
  readonly epochs: readonly string[]
  readonly epochCost: number
}

export const PACKED: readonly Packed[] = [
  {
    processors: 16,
    minima: [2, 2, 4, 4, 4, 8, 8, 8],
    buddy: [
      '7(8) 0+8 0+1/4',
      '6(8) 0+8 1/4+1/4',
      '5(8) 0+8 1/2+1/4',
      '4(4) 0+8 3/4+1/4',
      '3(4) 8+4 0+1/2',
      '2(4) 8+4 1/2+1/2',
      '1(2) 12+2 0+1',
      '0(2) 14+2 0+1',
    ],
    cost: 40,
    epochs: ['2 2 4 4: 4 for 1/2', '4 8: 8 for 1/4', '8 8: 8 for 1/4'],
    epochCost: 48,
  },
  {
    processors: 16,
    minima: [2, 2, 4, 8, 8, 8, 8, 16],
    buddy: [
      '7(16) 0+16 0+1/8',
      '6(8) 0+16 1/8+1/8',
      '5(8) 0+8 1/4+1/4',
      '4(8) 8+8 1/4+1/4',
      '3(8) 0+8 1/2+1/4',
      '2(4) 0+8 3/4+1/4',
      '1(2) 8+4 1/2+1/2',
      '0(2) 12+4 1/2+1/2',
    ],
    cost: 72,
    epochs: ['2 2: 8 for 1/4', '4 8: 8 for 1/4', '8 8: 8 for 1/4', '8: 16 for 1/8', '16: 16 for 1/8'],
    epochCost: 80,
  },
  {
    processors: 16,
    minima: [2, 2, 4, 4, 8, 8, 8, 8],
    buddy: [
      '7(8) 0+8 0+1/4',
      '6(8) 0+8 1/4+1/4',
      '5(8) 0+8 1/2+1/4',
      '4(8) 0+8 3/4+1/4',
      '3(4) 8+4 0+1/2',
      '2(4) 8+4 1/2+1/2',
      '1(2) 12+2 0+1',
      '0(2) 14+2 0+1',
    ],
    cost: 40,
    epochs: ['2 2 4 4: 4 for 1/2', '8 8: 8 for 1/4', '8 8: 8 for 1/4'],
    epochCost: 48,
  },
]

/** The blocks of the last case on 4x4, as `job(minimum) rectangle from+duration`. */
export const ON_4X4 = [
  '7(8) 0,0 2x4 0+1/4',
  '6(8) 0,0 2x4 1/4+1/4',
  '5(8) 0,0 2x4 1/2+1/4',
  '4(8) 0,0 2x4 3/4+1/4',
  '3(4) 2,0 2x2 0+1/2',
  '2(4) 2,0 2x2 1/2+1/2',
  '1(2) 2,2 1x2 0+1',
  '0(2) 3,2 1x2 0+1',
]

/** Epochs of EQUI-EPOCH; `fewest` is the least number that any choice of epochs needs. */
export const EPOCHS = [
  {
    processors: 12,
    minima: [2, 3, 3, 4, 4, 4, 5, 6],
    epochs: ['2 3 3: 4 for 3/8', '4 4 4: 4 for 3/8', '5 6: 6 for 1/4'],
    fewest: 3,
  },
  {
    processors: 140,
    minima: [20, 20, 20, 20, 20, 20, 20, 20, 20, 20],
    epochs: ['20 20 20 20 20 20 20: 20 for 7/10', '20 20: 70 for 1/5', '20: 140 for 1/10'],
    fewest: 2,
  },
  { processors: 16, minima: [4, 4, 4, 4, 8], epochs: ['4 4 4 4: 4 for 4/5', '8: 16 for 1/5'], fewest: 2 },
  {
    processors: 16,
    minima: [2, 2, 4, 4, 4, 8, 8, 8],
    epochs: ['2 2 4 4: 4 for 1/2', '4 8: 8 for 1/4', '8 8: 8 for 1/4'],
    fewest: 3,
  },
] as const
