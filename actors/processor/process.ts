/**
 * A process on a processor: its job or task, what it is doing, and what it does next. It has no child chart, because its
 * state follows from its place in the run queue, where one event can move many processes.
 */
import { draw, type Ref, type Time } from '../../lib/actor.ts'
import type { Funding, Parallel, Program } from './jobs.ts'
import { type Attempt, duration, type FromProcessor, isCall, type Work } from './messages.ts'
import { type Client, LEAST_TICKETS, netOf } from './stride.ts'

export interface Process extends Client {
  readonly name: string
  readonly employer: Ref<FromProcessor>
  /** The attempt at a task that the process executes; null for a job. */
  readonly task: Attempt | null
  /** When the process was created. */
  readonly since: Time
  readonly funding: Funding
  /** Whether the process borrows the tickets of sleepers. */
  readonly borrows: boolean
  readonly program: Program | Task
  readonly doing: Activity
  /** The exhaustible tickets that the process holds; their sum is `extra`. */
  readonly grants: readonly Grant[]
  /** The number of bursts begun; for a parallel process, the round. */
  readonly bursts: number
  /** The processor time so far, and in this burst. */
  readonly cpu: Time
  readonly burst: Time
  readonly asleepSince: Time | null
  readonly suspended: boolean
}

/** The work of a task, after the time to load what it needs. A call cannot be interrupted. */
type Task = { readonly kind: 'task'; readonly work: Work; readonly setup: Time }

type Activity =
  /** Needs the processor for the time `left`; for ever if it is null. */
  | { readonly type: 'computing'; readonly left: Time | null }
  /** Waits at a barrier since `since`; it spins whenever it has the processor. */
  | { readonly type: 'waiting'; readonly since: Time; readonly released: boolean }
  | { readonly type: 'calling'; readonly begun: boolean }

export interface Grant {
  readonly extra: number
  /** When the grant ends; null: when the sleeper wakes. */
  readonly until: Time | null
  /** The process whose sleep, or whose grant, it comes from. */
  readonly of: string
}

/** The activity after a burst. */
export type Next =
  | { readonly type: 'exit' }
  | { readonly type: 'arrive' }
  | { readonly type: 'sleep'; readonly lasts: Time }

export const canCompete = (process: Process): boolean =>
  process.asleepSince === null && !process.suspended && netOf(process) >= LEAST_TICKETS

/** When a running process at a barrier stops spinning; Infinity if it never does, or does not wait. */
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

/** The activity after the burst of a process that ends now. */
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
