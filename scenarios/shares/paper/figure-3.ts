/**
 * Figure 3: one of five equal clients sleeps for a part of the time. The values are the converged values of its
 * unfairness (unfairness.ts; 1 is fair): 30 cycles without the first burst, quantum 10 ms, no preemption on waking.
 * The paper prints no numbers. Then two tables that it does not show: several sleepers, and how soon an interactive
 * client is served.
 */

interface Sleeper {
  /** The part of the time asleep, S / (S + R). */
  readonly asleep: number
  /** The unfairness with bursts of 1000 ms. */
  readonly long: Readonly<Record<'none' | 'loan' | 'system' | 'adaptive', number>>
  /** The unfairness with bursts of 30 ms: three quanta, so it matters which client goes first. */
  readonly short: Readonly<Record<'none' | 'loan' | 'system', number>>
}

type Long = readonly [none: number, loan: number, system: number, adaptive: number]
type Short = readonly [none: number, loan: number, system: number]

const row = (asleep: number, long: Long, short: Short): Sleeper => ({
  asleep,
  long: { none: long[0], loan: long[1], system: long[2], adaptive: long[3] },
  short: { none: short[0], loan: short[1], system: short[2] },
})

/** Columns: asleep; long bursts: none, loan, system, adaptive; short bursts: none, loan, system. */
export const FIGURE_3: readonly Sleeper[] = [
  row(0, [1, 1, 1, 1], [1, 1, 1]),
  row(0.1, [1.03, 1, 1, 1], [1.0833, 1, 1]),
  row(0.2, [1.0627, 1.0003, 1, 1], [1.0833, 1, 1]),
  row(0.3, [1.1077, 1.0003, 1, 1], [1.1667, 1, 1]),
  row(0.4, [1.1677, 1.0003, 1, 1], [1.1667, 1, 1]),
  row(0.5, [1.25, 1.0003, 1, 1], [1.25, 1, 1]),
  row(0.6, [1.375, 1.0003, 1, 1], [1.4167, 1, 1]),
  row(0.7, [1.585, 1.0003, 1, 1], [1.5833, 1, 1]),
  row(0.75, [1.75, 1.125, 1.125, 1], [1.75, 1.1367, 1.1433]),
  row(0.8, [2, 1.375, 1.375, 1.0163], [2, 1.3733, 1.3733]),
  row(0.85, [2.4177, 1.7923, 1.7923, 1.4307], [2.4167, 1.79, 1.79]),
  row(0.9, [3.25, 2.625, 2.625, 2.263], [3.25, 2.6258, 2.6233]),
  row(0.95, [5.75, 5.125, 5.125, 4.763], [5.75, 5.1233, 5.1233]),
]

/** The largest differences from these values that count as agreement. */
export const TOLERANCE = { none: 0.02, loan: 0.02, system: 0.02, adaptive: 0.06, short: 0.12 } as const

export interface Sleepers {
  /** How many of the five clients sleep; they run and sleep for 1000 ms in turn. */
  readonly sleepers: number
  /** The unfairness to each client in 400 s, sleepers first. */
  readonly none: readonly number[]
  readonly system: readonly number[]
  readonly tolerance: number
}

export const SLEEPERS: readonly Sleepers[] = [
  {
    sleepers: 1,
    none: [1.2472, 0.9503, 0.9503, 0.9503, 0.9505],
    system: [1, 0.9998, 0.9998, 0.9998, 1],
    tolerance: 0.03,
  },
  {
    sleepers: 2,
    none: [1.2393, 1.2397, 0.8787, 0.8787, 0.8787],
    system: [1.0974, 1.0968, 0.9423, 0.9423, 0.9423],
    tolerance: 0.03,
  },
  {
    sleepers: 3,
    none: [1.1773, 1.1798, 1.1797, 0.8013, 0.8013],
    system: [1.0909, 1.1089, 1.1082, 0.8713, 0.8713],
    tolerance: 0.06,
  },
  {
    sleepers: 4,
    none: [1.1224, 1.1221, 1.1378, 1.1395, 0.6551],
    system: [1.1, 1.1573, 1.1184, 1.1178, 0.668],
    tolerance: 0.06,
  },
]

/** The milliseconds from waking to the processor, and to the end of the burst; to within a tenth. */
type Latency = { readonly firstRun: number; readonly response: number }

/** An interactive client among four that always run; milliseconds. */
export const INTERACTIVE: readonly { ran: number; slept: number; none: Latency; system: Latency }[] = [
  { ran: 5, slept: 97.3, none: { firstRun: 20, response: 25 }, system: { firstRun: 7.51, response: 12.51 } },
  { ran: 25, slept: 97.3, none: { firstRun: 20, response: 125 }, system: { firstRun: 13.76, response: 62.53 } },
]
