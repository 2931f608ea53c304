/**
 * The parameters of implicit coscheduling. The paper (Arpaci-Dusseau & Culler 1997, section 5.2) gives tickets, 32
 * processes and barriers every 10 ms; the other values are ours. Times are in milliseconds.
 */
export type Parameters = {
  /** The processes of each job, one per node. */
  readonly nodes: number
  /** The mean computation between barriers. */
  readonly granularity: number
  /** A round computes granularity * U[1 - imbalance / 2, 1 + imbalance / 2]. */
  readonly imbalance: number
  readonly latency: number
  readonly switching: number
  readonly quantum: number
  readonly spin: Spin
  readonly credit: 'none' | 'system'
  /** The catch-up time as a multiple of the sleep. */
  readonly catchUp: number
  /** The largest share while credited, in percent. */
  readonly cap: number
  readonly competing: 'resident' | 'active'
  readonly preempt: boolean
  readonly clamp: boolean
}

/**
 * How long a process spins at a barrier before it sleeps: not at all, without end, for a number of milliseconds, or
 * for two latencies, `switches` context switches and `spread` times the most that the slowest process may be late by.
 */
export type Spin = 'block' | 'endless' | number | { readonly switches: number; readonly spread: number }

/** The spin limits of the sweeps, from short to long. */
export const SPINS = {
  block: 'block',
  switch: { switches: 1, spread: 0 },
  switches: { switches: 5, spread: 0 },
  spread: { switches: 5, spread: 1 },
  endless: 'endless',
} as const satisfies Record<string, Spin>

export const DEFAULTS: Parameters = {
  nodes: 32,
  granularity: 10,
  imbalance: 0.2,
  latency: 0.01,
  switching: 0.1,
  quantum: 20,
  spin: SPINS.spread,
  credit: 'system',
  catchUp: 1,
  cap: 95,
  competing: 'resident',
  preempt: true,
  clamp: false,
}

/** The spin limit in milliseconds; null: without end. */
export function spinOf({ spin, latency, switching, imbalance, granularity }: Parameters): number | null {
  if (spin === 'block') return 0
  if (spin === 'endless') return null
  if (typeof spin === 'number') return spin
  return 2 * latency + spin.switches * switching + spin.spread * imbalance * granularity
}
