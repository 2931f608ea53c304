/** The flags of one run of coscheduling, and the mix of jobs that they describe. */
import {
  choice,
  duration,
  grouped,
  integer,
  number,
  type OptionsOf,
  type Parser,
  positiveNumbers,
  toggle,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { decimal, listed, quoted } from '../../../lib/core/format.ts'
import { toUnits, units } from '../../../lib/core/time.ts'
import { DEFAULTS, type Spin } from '../paper/parameters.ts'
import { sharedFlags } from '../shared-flags.ts'
import type { Mix } from './model.ts'

const spin: Parser<Spin> = (given, flag) => {
  if (given === 'auto') return DEFAULTS.spin
  if (given === 'block' || given === 'endless') return given
  const time = decimal(given)
  if (time === undefined || !(time >= 0 && time <= 1e6)) {
    throw UsageError.invalid(flag, 'auto, block, endless or milliseconds from 0 to 1000000', quoted(given))
  }
  return time
}

const above = (max: number) => number({ above: 0, max })

/** Flags of the workload. */
const workloadFlags = {
  tickets: value({
    metavar: 'T1,T2,...',
    fallback: '1,2,3',
    parse: positiveNumbers,
    help: 'one parallel job for each T, with T tickets on every machine',
  }),
  granularity: value({
    metavar: 'MS',
    fallback: String(DEFAULTS.granularity),
    parse: above(1e6),
    help: 'mean computation between barriers',
  }),
  imbalance: value({
    metavar: 'V',
    fallback: String(DEFAULTS.imbalance),
    parse: number({ min: 0, max: 1.99 }),
    help: 'a round computes granularity * U[1 - V/2, 1 + V/2]',
  }),
}

/** Flags of the scheduler, the ticket servers and what they cost. */
const protocolFlags = {
  spin: value({
    metavar: 'auto|block|endless|MS',
    fallback: 'auto',
    parse: spin,
    help: 'how long to spin at a barrier before sleeping: not at all (block), endless, S ms, or auto: two latencies, five context switches and V * granularity',
  }),
  quantum: value({
    metavar: 'MS',
    fallback: String(DEFAULTS.quantum),
    parse: above(1e6),
    help: 'quantum of the stride scheduler',
  }),
  switch: value({
    metavar: 'MS',
    fallback: String(DEFAULTS.switching),
    parse: number({ min: 0, max: 1e6 }),
    help: 'cost of a context switch',
  }),
  credit: choice({
    of: ['none', 'system'],
    fallback: 'system',
    help: 'credit for sleepers: none (basic stride), or exhaustible tickets of the system',
  }),
  catchUp: value({
    metavar: 'F',
    fallback: '1',
    parse: above(1e3),
    help: 'catch-up time as a multiple of the sleep',
  }),
  cap: value({
    metavar: 'PERCENT',
    fallback: '95',
    parse: number({ above: 0, max: 99.9 }),
    help: 'largest share while credited',
  }),
  preempt: choice({
    of: ['yes', 'no'],
    fallback: 'yes',
    help: 'whether a client that wakes preempts one with a larger pass',
  }),
  gang: toggle('schedule gangs explicitly instead: one actor gives the cluster to one job at a time'),
  independent: toggle('run without ticket servers (the shares are the same)'),
  patience: value({
    metavar: 'MS',
    fallback: '2000',
    parse: above(1e9),
    help: 'how long a round may take before the barrier queries missing members',
  }),
  timeout: value({
    metavar: 'MS',
    fallback: '200',
    parse: duration,
    help: 'how long a member may take to answer before the job is given up',
  }),
}

/** Flags of the length of the run. */
const lengthFlags = {
  warmUp: value({ metavar: 'MS', fallback: '1000', parse: duration, help: 'warm-up, not measured' }),
  measure: value({ metavar: 'MS', fallback: '2400', parse: duration, help: 'measured time after the warm-up' }),
}

/** Flags of the output. */
const outputFlags = {
  timeline: value({
    metavar: 'MS',
    fallback: '400',
    parse: duration,
    help: 'length of the timeline at the end, which shows the job on each machine; 0 draws none',
  }),
}

export const flags = {
  ...sharedFlags,
  machines: value({
    metavar: 'N',
    fallback: '32',
    parse: integer({ min: 1, max: 256 }),
    help: 'number of machines m1, m2, ...; every job has a process on each',
  }),
  latency: { ...sharedFlags.latency, fallback: String(DEFAULTS.latency) },
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', protocolFlags),
  ...grouped('run', lengthFlags),
  ...grouped('output', outputFlags),
}
export type Options = OptionsOf<typeof flags>

/** Refuses flags that have no effect together with others. */
function requireSense({ gang, spin: limit, credit, catchUp, cap, preempt, independent }: Options): void {
  const credited = catchUp !== 1 || cap !== 95
  if (credit === 'none' && credited) throw UsageError.conflicts('--credit none', '--catch-up or --cap')
  const said = [
    ...(limit === DEFAULTS.spin ? [] : ['--spin']),
    ...(credit === 'system' && !credited ? [] : ['--credit, --catch-up or --cap']),
    ...(preempt === 'yes' ? [] : ['--preempt']),
    ...(independent ? ['--independent'] : []),
  ]
  if (gang && said.length > 0) throw UsageError.conflicts('--gang', listed(said), 'the gang scheduler does without')
}

/** The mix that the options describe. @throws UsageError for combinations that make no sense */
export function mixOf(options: Options): Mix {
  const { machines, granularity, imbalance, quantum, latency, credit, catchUp, cap, preempt, tickets, gang } = options
  const { independent, patience, timeout, measure, timeline, jitter, warmUp } = options
  requireSense(options)
  if (measure === 0) throw UsageError.invalid('--measure', 'a time > 0', '"0"')
  if (timeline > warmUp + measure)
    throw UsageError.invalid('--timeline', 'at most --warm-up and --measure together', String(toUnits(timeline)))
  if (timeout <= 2 * (latency + jitter)) {
    throw UsageError.invalid('--timeout', 'more than a request and its answer take', String(toUnits(timeout)))
  }
  return {
    parameters: {
      ...DEFAULTS,
      nodes: machines,
      granularity,
      imbalance,
      quantum,
      switching: options.switch,
      latency: toUnits(latency),
      spin: options.spin,
      credit,
      catchUp,
      cap,
      preempt: preempt === 'yes',
    },
    tickets,
    scheduler: gang ? 'gang' : 'implicit',
    servers: !independent && !gang,
    membership: { patience: units(patience), timeout },
  }
}
