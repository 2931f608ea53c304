/** Small markets with a known outcome: what each heuristic makes of a few tasks. Times in units, money in dollars. */
import type { HeuristicName } from '../../../actors/contracts/ranks.ts'
import type { Row } from '../tasks.ts'

export interface SiteRow {
  readonly processors: number
  readonly name: HeuristicName
  readonly alpha: number
  readonly discount: number
  readonly threshold: number | null
  readonly preempt: 0 | 1 | 2
}
/** The expected contract of a task. `site` counts from 0; -1: no site accepted the task. */
export interface Expected {
  readonly start?: number
  readonly finish?: number
  readonly value?: number
  readonly paid?: number
  readonly promised?: number
  readonly price?: number
  readonly slack?: number
  readonly site?: number
  readonly preempted?: number
}
export interface Case {
  readonly sites: readonly SiteRow[]
  readonly preference: 'earliest' | 'cheapest'
  readonly expect: Readonly<Record<number, Expected>>
  readonly value: number
  readonly paid?: number
}
export interface Vector {
  readonly name: string
  readonly why: string
  readonly tasks: readonly Row[]
  readonly cases: readonly Case[]
}

const site = (name: HeuristicName, more: Partial<SiteRow> = {}): SiteRow => ({
  processors: 1,
  name,
  alpha: 0,
  discount: 0,
  threshold: null,
  preempt: 0,
  ...more,
})

export const VECTORS: readonly Vector[] = [
  {
    name: 'H1',
    why: 'Three tasks arrive at once. Their losses per minute of runtime are 0.375, 1.5 and 0.25; alpha 0 ranks by decay alone, which gives another order.',
    tasks: [
      [0, 4, 40, 1.5, null],
      [0, 2, 10, 3, null],
      [0, 8, 120, 2, null],
    ],
    cases: [
      {
        sites: [site('FCFS')],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 4, value: 40 },
          1: { start: 4, finish: 6, value: -2 },
          2: { start: 6, finish: 14, value: 108 },
        },
        value: 146,
      },
      {
        sites: [site('SRPT')],
        preference: 'earliest',
        expect: {
          1: { start: 0, finish: 2, value: 10 },
          0: { start: 2, finish: 6, value: 37 },
          2: { start: 6, finish: 14, value: 108 },
        },
        value: 155,
      },
      {
        sites: [site('SWPT')],
        preference: 'earliest',
        expect: {
          1: { start: 0, finish: 2, value: 10 },
          0: { start: 2, finish: 6, value: 37 },
          2: { start: 6, finish: 14, value: 108 },
        },
        value: 155,
      },
      {
        sites: [site('FirstPrice')],
        preference: 'earliest',
        expect: {
          2: { start: 0, finish: 8, value: 120 },
          0: { start: 8, finish: 12, value: 28 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 122,
      },
      {
        sites: [site('PV', { discount: 0.125 })],
        preference: 'earliest',
        expect: {
          2: { start: 0, finish: 8, value: 120 },
          0: { start: 8, finish: 12, value: 28 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 122,
      },
      {
        sites: [site('PV', { discount: 0.5 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 4, value: 40 },
          2: { start: 4, finish: 12, value: 112 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 126,
      },
      {
        sites: [site('FirstReward', { alpha: 1.0, discount: 0.5 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 4, value: 40 },
          2: { start: 4, finish: 12, value: 112 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 126,
      },
      {
        sites: [site('FirstReward', { alpha: 1.0 })],
        preference: 'earliest',
        expect: {
          2: { start: 0, finish: 8, value: 120 },
          0: { start: 8, finish: 12, value: 28 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 122,
      },
      {
        sites: [site('FirstReward')],
        preference: 'earliest',
        expect: {
          1: { start: 0, finish: 2, value: 10 },
          2: { start: 2, finish: 10, value: 116 },
          0: { start: 10, finish: 14, value: 25 },
        },
        value: 151,
      },
      {
        sites: [site('FirstReward', { alpha: 0.5 })],
        preference: 'earliest',
        expect: {
          2: { start: 0, finish: 8, value: 120 },
          0: { start: 8, finish: 12, value: 28 },
          1: { start: 12, finish: 14, value: -26 },
        },
        value: 122,
      },
    ],
  },
  {
    name: 'H2',
    why: 'A task that has nothing more to lose runs last, and its delay costs nothing.',
    tasks: [
      [0, 4, 40, 1.5, 0],
      [0, 2, 10, 3, 0],
      [0, 8, 120, 2, 0],
    ],
    cases: [
      {
        sites: [site('FirstPrice')],
        preference: 'earliest',
        expect: {
          2: { start: 0, finish: 8, value: 120 },
          0: { start: 8, finish: 12, value: 28 },
          1: { start: 12, finish: 14, value: 0 },
        },
        value: 148,
      },
    ],
  },
  {
    name: 'H3',
    why: 'The tasks can still lose value for 2, 15 and 25 units. At alpha 0 the costs per unit are 12/4, 11/3 and 18/5; at 1/2 task 1 is first. At time 3 task 0 has expired.',
    tasks: [
      [0, 4, 8, 4, 0],
      [0, 3, 30, 2, 0],
      [0, 5, 20, 1, 5],
    ],
    cases: [
      {
        sites: [site('FirstReward')],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 4, value: 8 },
          1: { start: 4, finish: 7, value: 22 },
          2: { start: 7, finish: 12, value: 13 },
        },
        value: 43,
      },
      {
        sites: [site('FirstReward', { alpha: 0.5 })],
        preference: 'earliest',
        expect: {
          1: { start: 0, finish: 3, value: 30 },
          2: { start: 3, finish: 8, value: 17 },
          0: { start: 8, finish: 12, value: 0 },
        },
        value: 47,
      },
    ],
  },
  {
    name: 'H4',
    why: 'At 4 the rank of task 0 is 20/6 and that of task 1 is 10. Task 2 arrives with 2 against 20, and never preempts after it has waited.',
    tasks: [
      [0, 10, 20, 1, null],
      [4, 2, 20, 1, null],
      [5, 1, 2, 0.5, null],
    ],
    cases: [
      {
        sites: [site('FirstPrice', { preempt: 1 })],
        preference: 'earliest',
        expect: {
          1: { start: 4, finish: 6, value: 20, preempted: 0 },
          0: { start: 0, finish: 12, value: 18, preempted: 1 },
          2: { start: 12, finish: 13, value: -1.5 },
        },
        value: 36.5,
      },
      {
        sites: [site('FirstPrice')],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 20 },
          1: { start: 10, finish: 12, value: 14 },
          2: { start: 12, finish: 13, value: -1.5 },
        },
        value: 32.5,
      },
    ],
  },
  {
    name: 'H5',
    why: 'Task 1 is placed from 10 to 14, for 4. Task 2 outranks it, for 39 and a slack of 29/3. Task 1 ends with a penalty of 6, which a threshold of 5 prevents.',
    tasks: [
      [0, 10, 100, 1, null],
      [2, 4, 20, 2, null],
      [3, 5, 60, 3, null],
    ],
    cases: [
      {
        sites: [site('FirstPrice', { threshold: 0 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 100, promised: 10, price: 100, slack: 100, paid: 100 },
          1: { start: 15, finish: 19, value: -6, promised: 14, price: 4, slack: 2, paid: -6 },
          2: { start: 10, finish: 15, value: 39, promised: 15, price: 39, slack: 9.666666666666666, paid: 39 },
        },
        value: 133,
        paid: 133,
      },
      {
        sites: [site('FirstPrice', { threshold: 5 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 100 },
          1: { site: -1 },
          2: { start: 10, finish: 15, value: 39, promised: 15, price: 39, slack: 13, paid: 39 },
        },
        value: 139,
        paid: 139,
      },
      {
        sites: [site('FirstPrice', { discount: 0.1, threshold: 0 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 100, slack: 50 },
          1: { start: 15, finish: 19, value: -6, slack: 1.4285714285714286 },
          2: { start: 10, finish: 15, value: 39, slack: 5.333333333333333 },
        },
        value: 133,
        paid: 133,
      },
    ],
  },
  {
    name: 'H6',
    why: 'Task 2 is promised for 18, behind task 1, which has expired by 10. Task 2 is done at 14 and worth 26; the agreed 24 is paid.',
    tasks: [
      [0, 10, 50, 1, 0],
      [1, 4, 40, 5, 0],
      [2, 4, 30, 0.5, 0],
    ],
    cases: [
      {
        sites: [site('FirstPrice')],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 50, paid: 50 },
          2: { start: 10, finish: 14, value: 26, promised: 18, price: 24, paid: 24 },
          1: { start: 14, finish: 18, value: 0, promised: 14, price: 0, paid: 0 },
        },
        value: 76,
        paid: 74,
      },
    ],
  },
  {
    name: 'H7',
    why: 'Thresholds 0 and 10: the earliest promise or the lowest price wins, equal offers go to the first site, and no site accepts task 3.',
    tasks: [
      [0, 10, 100, 1, null],
      [1, 6, 30, 2, null],
      [2, 3, 12, 1, null],
      [3, 2, 2, 1, null],
    ],
    cases: [
      {
        sites: [site('FirstPrice', { threshold: 0 }), site('FirstPrice', { threshold: 10 })],
        preference: 'earliest',
        expect: {
          0: { start: 0, finish: 10, value: 100, site: 0, promised: 10, price: 100, slack: 100 },
          1: { start: 1, finish: 7, value: 30, site: 1, promised: 7, price: 30, slack: 15 },
          2: { start: 10, finish: 13, value: 4, site: 0, promised: 13, price: 4, slack: 4 },
          3: { site: -1 },
        },
        value: 134,
        paid: 134,
      },
      {
        sites: [site('FirstPrice', { threshold: 0 }), site('FirstPrice', { threshold: 10 })],
        preference: 'cheapest',
        expect: {
          0: { start: 0, finish: 10, value: 100, site: 0 },
          1: { start: 10, finish: 16, value: 12, site: 0, promised: 16, price: 12, slack: 6 },
          2: { start: 2, finish: 5, value: 12, site: 1, promised: 5, price: 12, slack: 12 },
          3: { site: -1 },
        },
        value: 124,
        paid: 124,
      },
    ],
  },
  {
    name: 'H8',
    why: 'Three equal tasks and a better one arrive at once: equal ranks are ordered by number.',
    tasks: [
      [0, 3, 9, 1, null],
      [0, 3, 9, 1, null],
      [0, 3, 9, 1, null],
      [0, 4, 40, 1, null],
    ],
    cases: [
      {
        sites: [site('FirstPrice', { processors: 2 })],
        preference: 'earliest',
        expect: {
          3: { start: 0, finish: 4, value: 40 },
          0: { start: 0, finish: 3, value: 9 },
          1: { start: 3, finish: 6, value: 6 },
          2: { start: 4, finish: 7, value: 5 },
        },
        value: 60,
      },
    ],
  },
]
