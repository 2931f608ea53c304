/**
 * Small runs with known outcomes: a few jobs under each policy. Times are exact; prices and amounts are fractions
 * that doubles approximate.
 */
import { ran, type Vector } from './vector.ts'

const BOTH = ['ECON/paper', 'ECON/literal'] as const
const EQUAL = [1 / 3, 1 / 3, 1 / 3] as const

/** Jobs: user, class, arrival, processors, service, deposit. Ran: job, start, finish, kind, decided, wasted, price, paid. */
export const VECTORS: readonly Vector[] = [
  {
    name: 'G1',
    why: "u1's job has a processor until 4. B needs both, so 4 minutes of the other are wasted for it, and its 32 dollars for 8 minutes come to 32 / (4 + 8).",
    processors: 2,
    incomes: [0, 0],
    savings: { initial: 100, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 2, 0, 1, 4, 100],
      ['u2', 2, 0, 2, 4, 32],
    ],
    expect: [
      { policies: ['ECON/paper'], ran: [ran(0, 0, 4, 'direct', 0, 0, 25, 100), ran(1, 4, 8, 'direct', 4, 0, 4, 32)] },
      {
        policies: ['ECON/literal'],
        ran: [ran(0, 0, 4, 'direct', 0, 0, 25, 100), ran(1, 4, 8, 'reserved', 0, 4, 8 / 3, 32)],
        ledger: { end: 8, income: 0, savings: 68, system: 132 },
      },
    ],
  },
  {
    name: 'G2',
    why: 'As G1, with A, whose 15 dollars for 5 minutes beat 8 / 3, so that both processors are free at 9. At 4 only one minute is wasted for B: 32 / (1 + 8).',
    processors: 2,
    incomes: [0, 0, 0],
    savings: { initial: 100, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 2, 0, 1, 4, 100],
      ['u2', 2, 0, 1, 5, 15],
      ['u3', 2, 0, 2, 4, 32],
    ],
    expect: [
      { policies: ['ECON/paper'], ran: [ran(1, 0, 5, 'direct', 0, 0, 3, 15), ran(2, 5, 9, 'direct', 5, 0, 4, 32)] },
      {
        policies: ['ECON/literal'],
        ran: [ran(1, 0, 5, 'direct', 0, 0, 3, 15), ran(2, 5, 9, 'reserved', 4, 1, 32 / 9, 32)],
      },
    ],
  },
  {
    name: 'G3',
    why: 'Job 1 waits for job 0 until 10 and will leave 2 of 4 processors free, so job 3 may begin before 10 and end after it.',
    processors: 4,
    incomes: [0],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 3, 10],
      ['u1', 1, 1, 2, 5],
      ['u1', 1, 2, 1, 4],
      ['u1', 1, 2, 1, 9],
    ],
    expect: [
      {
        policies: ['FCFS'],
        ran: [ran(0, 0, 10, 'direct'), ran(1, 10, 15, 'direct'), ran(2, 10, 14, 'direct'), ran(3, 10, 19, 'direct')],
      },
      {
        policies: ['RES'],
        ran: [
          ran(0, 0, 10, 'direct'),
          ran(1, 10, 15, 'reserved', 1, 9),
          ran(2, 2, 6, 'backfill'),
          ran(3, 6, 15, 'backfill'),
        ],
      },
      {
        policies: ['ECON/paper'],
        ran: [ran(1, 10, 15, 'direct', 10), ran(2, 2, 6, 'backfill'), ran(3, 6, 15, 'backfill')],
      },
      {
        policies: ['ECON/literal'],
        ran: [ran(1, 10, 15, 'reserved'), ran(2, 2, 6, 'backfill'), ran(3, 6, 15, 'backfill')],
      },
    ],
  },
  {
    name: 'G4',
    why: 'Job 1 waits for the whole machine until 10. Job 3 ends at 10 and may overtake it; jobs 2 and 4 would end later and may not.',
    processors: 4,
    incomes: [0],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 2, 10],
      ['u1', 1, 1, 4, 5],
      ['u1', 1, 2, 2, 10],
      ['u1', 1, 2, 1, 8],
      ['u1', 1, 2, 1, 9],
    ],
    expect: [
      {
        policies: ['FCFS'],
        ran: [ran(1, 10, 15, 'direct'), ran(2, 15, 25, 'direct'), ran(3, 15, 23, 'direct'), ran(4, 15, 24, 'direct')],
      },
      {
        policies: ['RES'],
        ran: [
          ran(0, 0, 10, 'direct'),
          ran(1, 10, 15, 'reserved', 1, 18),
          ran(2, 15, 25, 'direct'),
          ran(3, 2, 10, 'backfill'),
          ran(4, 15, 24, 'direct'),
        ],
      },
    ],
  },
  {
    name: 'G5',
    why: 'Incomes 10 and 20 have come to 100 and 200 dollars when the processor is free at 10; at 15 the poorer user has 150.',
    processors: 1,
    incomes: [0, 10, 20],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 1, 10],
      ['u2', 1, 0, 1, 5],
      ['u3', 1, 0, 1, 5],
    ],
    expect: [
      {
        policies: BOTH,
        ran: [
          ran(0, 0, 10, 'direct', 0, 0, 0, 0),
          ran(1, 15, 20, 'direct', 15, 0, 30, 150),
          ran(2, 10, 15, 'direct', 10, 0, 40, 200),
        ],
        ledger: { end: 20, income: 600, savings: 250, system: 350 },
      },
    ],
  },
  {
    name: 'G6',
    why: 'An income of 90 is divided by work: 10, 20 and 60 a minute, so all offer the same and the first goes; then 22.5 and 67.5.',
    processors: 1,
    incomes: [0, 90],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 1, 10],
      ['u2', 1, 0, 1, 10],
      ['u2', 2, 0, 1, 20],
      ['u2', 3, 0, 1, 60],
    ],
    expect: [
      {
        policies: BOTH,
        ran: [
          ran(1, 10, 20, 'direct', 10, 0, 10, 100),
          ran(2, 20, 40, 'direct', 20, 0, 21.25, 425),
          ran(3, 40, 100, 'direct', 40, 0, 51.25, 3075),
        ],
        ledger: { end: 100, income: 9000, savings: 5400, system: 3600 },
      },
    ],
  },
  {
    name: 'G7',
    why: 'The same with coefficients: work weighs 5, 6 and 12, so the rates are 450 / 23, 540 / 23 and 1080 / 23; then 30 and 60.',
    processors: 1,
    incomes: [0, 90],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: [0.5, 0.3, 0.2],
    jobs: [
      ['u1', 1, 0, 1, 10],
      ['u2', 1, 0, 1, 10],
      ['u2', 2, 0, 1, 20],
      ['u2', 3, 0, 1, 60],
    ],
    expect: [
      {
        policies: BOTH,
        ran: [
          ran(1, 10, 20, 'direct', 10, 0, 450 / 23, 4500 / 23),
          ran(2, 20, 40, 'direct', 20, 0, 615 / 23, 12300 / 23),
          ran(3, 40, 100, 'direct', 40, 0, 1100 / 23, 66000 / 23),
        ],
      },
    ],
  },
  {
    name: 'G8',
    why: 'Job 3 reserves 20 and wastes 10 + 5 for it; job 4 of a rich user comes at 11. One preset keeps the reservation, the other chooses again when job 2 ends at 15.',
    processors: 3,
    incomes: [0, 10, 100],
    savings: { initial: 0, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 1, 10],
      ['u1', 1, 0, 1, 20],
      ['u1', 1, 0, 1, 15],
      ['u2', 1, 1, 3, 4],
      ['u3', 1, 11, 1, 10],
    ],
    expect: [
      {
        policies: ['ECON/paper'],
        ran: [ran(3, 25, 29, 'direct', 25, 0, 20, 240), ran(4, 15, 25, 'direct', 15, 0, 40, 400)],
      },
      {
        policies: ['ECON/literal'],
        ran: [ran(3, 20, 24, 'reserved', 10, 15, 10 / 3, 190), ran(4, 24, 34, 'direct', 24, 0, 130, 1300)],
      },
    ],
  },
  {
    name: 'G9',
    why: 'There is room for one of two jobs until 10: one preset takes the better offer, the other the earlier arrival (and at 7 the better offer after all).',
    processors: 2,
    incomes: [0, 1, 0, 0],
    savings: { initial: 20, cap: 1_000_000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 1, 10],
      ['u2', 1, 0, 2, 5],
      ['u3', 1, 1, 1, 6, 6],
      ['u4', 1, 1, 1, 6, 12],
    ],
    expect: [
      {
        policies: ['ECON/paper'],
        ran: [
          ran(1, 13, 18, 'direct', 13, 0, 1.3, 13),
          ran(2, 1, 7, 'backfill', 1, 0, 1, 6),
          ran(3, 7, 13, 'direct', 7, 0, 2, 12),
        ],
      },
      {
        policies: ['ECON/literal'],
        ran: [
          ran(1, 10, 15, 'reserved', 0, 10, 0, 10),
          ran(2, 15, 21, 'direct', 15, 0, 1, 6),
          ran(3, 1, 7, 'backfill', 1, 0, 2, 12),
        ],
      },
    ],
  },
  {
    name: 'G10',
    why: 'Savings are full from 5 on, so income stops; it flows again while a job waits from 10 to 12.',
    processors: 1,
    incomes: [10],
    savings: { initial: 0, cap: 50 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 10, 1, 2],
      ['u1', 1, 10, 1, 3],
    ],
    expect: [
      {
        policies: BOTH,
        ran: [ran(0, 10, 12, 'direct', 10, 0, 0, 0), ran(1, 12, 15, 'direct', 12, 0, 20 / 3, 20)],
        ledger: { end: 15, income: 70, savings: 50, system: 20 },
      },
    ],
  },
  {
    name: 'G11',
    why: 'Rich jobs hold 60,006 dollars in expense accounts before job 3 begins to save: it starts at 300, after the printed bound of 106.',
    processors: 1,
    incomes: [1, 1],
    savings: { initial: 60000, cap: 60000 },
    coefficients: EQUAL,
    jobs: [
      ['u1', 1, 0, 1, 100, 60000],
      ['u2', 1, 0, 1, 100, 25000],
      ['u2', 1, 0, 1, 100, 35000],
      ['u1', 1, 0, 1, 1],
    ],
    expect: [
      {
        policies: BOTH,
        ran: [
          ran(0, 0, 100, 'direct', 0, 0, 600, 60000),
          ran(1, 200, 300, 'direct', 200, 0, 251.5, 25150),
          ran(2, 100, 200, 'direct', 100, 0, 350.5, 35050),
          ran(3, 300, 301, 'direct', 300, 0, 300, 300),
        ],
      },
    ],
  },
]
