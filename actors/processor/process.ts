/** A process on a processor: what it is a process of, what it is doing, and what it does next. */
import { type Address, draw, type Time } from '../../lib/actor.ts'
import type { Funding, Parallel, Program } from './jobs.ts'
import { type Attempt, duration, isCall, type Work } from './messages.ts'
import { type Client, LEAST_TICKETS, netOf } from './stride.ts'

export interface Process extends Client {
  readonly name: string
  readonly employer: Address
  /** Which attempt at a task it is; null: a job. */
  readonly task: Attempt | null
  /** When it came. */
  readonly since: Time
  readonly funding: Funding
  /** Does it borrow the tickets of sleepers? */
  readonly borrows: boolean
  readonly program: Program | Task
  readonly doing: Activity
  /** The exhaustible tickets that it holds, of which `extra` is the sum. */
  readonly grants: readonly Grant[]
  /** Bursts begun; of a parallel process the round. */
  readonly bursts: number
  /** Processor time so far, and in this burst. */
  readonly cpu: Time
  readonly burst: Time
  readonly asleepSince: Time | null
  readonly suspended: boolean
}

/** What a task has to do, after the time to load what it needs. A call cannot be interrupted. */
type Task = { readonly kind: 'task'; readonly work: Work; readonly setup: Time }

type Activity =
  /** Needs the processor for so long yet; null: for ever. */
  | { readonly type: 'computing'; readonly left: Time | null }
  /** At a barrier since then; it spins whenever it has the processor. */
  | { readonly type: 'waiting'; readonly since: Time; readonly released: boolean }
  | { readonly type: 'calling'; readonly begun: boolean }

export interface Grant {
  readonly extra: number
  /** Null: until the sleeper wakes. */
  readonly until: Time | null
  /** Whose sleep, or whose grant, it comes from. */
  readonly of: string
}

/** What follows a burst. */
export type Next =
  | { readonly type: 'exit' }
  | { readonly type: 'arrive' }
  | { readonly type: 'sleep'; readonly lasts: Time }

export const canCompete = (process: Process): boolean =>
  process.asleepSince === null && !process.suspended && netOf(process) >= LEAST_TICKETS

/** When a running process at a barrier stops spinning; Infinity: it does not, or does not wait. */
export const limitOf = ({ doing, program }: Process): Time =>
  doing.type !== 'waiting' || program.kind !== 'parallel' || program.spin === null
    ? Number.POSITIVE_INFINITY
    : doing.since + program.spin

/** The process at the beginning of its next burst. */
export function begun(process: Process, speed: number): Process {
  const bursts = process.bursts + 1
  return { ...process, bursts, burst: 0, doing: doingOf(process, bursts, speed) }
}

function doingOf({ program, name }: Process, bursts: number, speed: number): Activity {
  if (program.kind === 'task' && isCall(program.work)) return { type: 'calling', begun: false }
  return { type: 'computing', left: workOf({ name, bursts }, program, speed) }
}

function workOf(
  { name, bursts }: Pick<Process, 'name' | 'bursts'>,
  program: Process['program'],
  speed: number,
): Time | null {
  switch (program.kind) {
    case 'task':
      return isCall(program.work) ? null : program.setup + duration(program.work, speed)
    case 'compute':
      return program.work === null ? null : duration(program.work, speed)
    case 'bursts':
      return duration(burstAt(program.bursts, bursts).run, speed)
    case 'periodic':
      return duration(program.run, speed)
    case 'parallel':
      return duration(roundOf(program, name, bursts), speed)
  }
}

const roundOf = ({ granularity, imbalance, rank }: Parallel, job: string, round: number): Time =>
  Math.round(granularity * (1 + imbalance * (draw('computation', `${job} ${rank} ${round}`) - 0.5)))

const burstAt = <B>(bursts: readonly B[], count: number): B => {
  const burst = bursts[(count - 1) % bursts.length]
  if (burst === undefined) throw new Error('a program of bursts has none')
  return burst
}

/** What follows its burst, which ends now. */
export function nextOf({ program, bursts, since }: Process, now: Time): Next {
  switch (program.kind) {
    case 'compute':
    case 'task':
      return { type: 'exit' }
    case 'bursts':
      return isLast(program.cycles, bursts / program.bursts.length)
        ? { type: 'exit' }
        : { type: 'sleep', lasts: burstAt(program.bursts, bursts).sleep }
    case 'periodic':
      return isLast(program.cycles, bursts)
        ? { type: 'exit' }
        : { type: 'sleep', lasts: Math.max(0, since + bursts * program.period - now) }
    case 'parallel':
      return { type: 'arrive' }
  }
}

const isLast = (cycles: number | null, done: number) => cycles !== null && done >= cycles
