/** A process on a time-shared processor: what it is a process of, what it is doing, and what it does next. */
import type { Address, Call, Time } from '../../lib/actor.ts'
import type { Funding, Parallel, Program } from './jobs.ts'
import { type Attempt, duration } from './messages.ts'
import type { Client } from './stride.ts'

export interface Process extends Client {
  readonly name: string
  readonly employer: Address
  /** Of a task: which attempt, and since when it is here. Null of a job. */
  readonly task: (Attempt & { readonly since: Time }) | null
  readonly funding: Funding
  readonly borrows: boolean
  readonly program: Program | OneCall
  readonly doing: Activity
  /** Exhaustible tickets that it holds, of which `extra` is the sum. */
  readonly grants: readonly Grant[]
  /** Bursts begun; of a parallel process the round. */
  readonly bursts: number
  /** Processor time so far, and in this burst. */
  readonly cpu: Time
  readonly burst: Time
  readonly asleepSince: Time | null
  readonly suspended: boolean
}

/** A call of real code after loading what it needs. It cannot be interrupted, so a time-shared processor refuses it. */
type OneCall = { readonly kind: 'call'; readonly call: Call }

type Activity =
  /** Needs the processor for so long yet; null: for ever. */
  | { readonly type: 'computing'; readonly left: Time | null }
  /** At a barrier since then, spinning whenever it has the processor. */
  | { readonly type: 'waiting'; readonly since: Time; readonly released: boolean }
  | { readonly type: 'calling' }

export interface Grant {
  readonly extra: number
  /** Null: until the sleeper wakes. */
  readonly until: Time | null
  /** Whose sleep it comes from. */
  readonly of: string
}

/** What follows a burst. */
export type Next =
  | { readonly type: 'exit' }
  | { readonly type: 'sleep'; readonly lasts: Time }
  | { readonly type: 'arrive' }

export const RESTING: Activity = { type: 'computing', left: 0 }

/** The computation of its next burst (the `bursts`-th, from 1); `random` is drawn for it. */
export function burstOf({ program, bursts }: Process, speed: number, random: () => number): Time | null {
  switch (program.kind) {
    case 'compute':
      return program.work === null ? null : duration(program.work, speed)
    case 'bursts':
      return duration(program.bursts[(bursts - 1) % program.bursts.length]?.run ?? 0, speed)
    case 'periodic':
      return duration(program.run, speed)
    case 'parallel':
      return duration(roundOf(program, random()), speed)
    case 'call':
      return 0
  }
}

const roundOf = ({ granularity, imbalance }: Parallel, random: number): Time =>
  Math.round(granularity * (1 + imbalance * (random - 0.5)))

/** What follows its burst, which ends `now`; `began` is when it began to run at all. */
export function nextOf({ program, bursts }: Process, began: Time, now: Time): Next {
  switch (program.kind) {
    case 'compute':
    case 'call':
      return { type: 'exit' }
    case 'bursts': {
      const lasts = program.bursts[(bursts - 1) % program.bursts.length]?.sleep ?? 0
      return isLast(program.cycles, bursts / program.bursts.length) ? { type: 'exit' } : { type: 'sleep', lasts }
    }
    case 'periodic': {
      const lasts = Math.max(0, began + bursts * program.period - now)
      return isLast(program.cycles, bursts) ? { type: 'exit' } : { type: 'sleep', lasts }
    }
    case 'parallel':
      return { type: 'arrive' }
  }
}

const isLast = (cycles: number | null, done: number) => cycles !== null && done >= cycles
