/**
 * What a study of implicit coscheduling varies. The paper (Arpaci-Dusseau & Culler 1997, section 5.2) gives tickets,
 * 32 processes and barriers every 10 ms; the other values are ours. Times in milliseconds.
 */
export type Parameters = {
  /** Processes of each job, one to a node. */
  readonly nodes: number
  /** Mean computation between barriers. */
  readonly granularity: number
  /** A round computes granularity * U[1 - imbalance / 2, 1 + imbalance / 2]. */
  readonly imbalance: number
  readonly latency: number
  readonly switching: number
  readonly quantum: number
  readonly spin: Spin
  readonly credit: 'none' | 'system'
  /** As a multiple of the sleep. */
  readonly catchUp: number
  /** Largest share while credited, in percent. */
  readonly cap: number
  readonly competing: 'resident' | 'active'
  readonly preempt: boolean
  readonly clamp: boolean
}

/**
 * How long a process spins at a barrier before it sleeps: not at all, without end, or for two latencies, so many context
 * switches and so many times what the slowest may be late by; or for so many milliseconds.
 */
export type Spin = 'block' | 'endless' | number | { readonly switches: number; readonly spread: number }

/** The spin times of the sweeps, in the order of their length. */
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

/** Milliseconds; null: without end. */
export function spinOf({ spin, latency, switching, imbalance, granularity }: Parameters): number | null {
  if (spin === 'block') return 0
  if (spin === 'endless') return null
  if (typeof spin === 'number') return spin
  return 2 * latency + spin.switches * switching + spin.spread * imbalance * granularity
}
