/** The flags of one run on a mesh. */
import { DEALS } from '../../actors/mesh/equi.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import {
  choice,
  duration,
  fileFlag,
  grouped,
  integer,
  number,
  off,
  onlyFlag,
  optional,
  type Parser,
  runFlagsWith,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { printUnits, quoted } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'
import { meshWithin } from './model-flags.ts'
import { OF_THESIS } from './workload/generate.ts'
import { JOBS_MAX, scriptParser } from './workload/script.ts'

export const POLICIES = ['equi', 'equi+', 'fold'] as const

const PROCESSORS_MAX = 65_536

/** Parses an interval: `20` is every 20 seconds, `20J` is multiplied by the number of jobs. */
const intervalOf: Parser<{ readonly interval: Time; readonly isPerJob: boolean }> = (given, flag) => {
  const [, seconds = '', perJob] = /^(.*?)(\*?J)?$/.exec(given) ?? []
  try {
    const interval = duration(seconds, flag)
    if (interval > 0) return { interval, isPerJob: perJob !== undefined }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
  throw UsageError.invalid(flag, 'seconds > 0 such as 20 or 20J', quoted(given), '20J is 20 s times the number of jobs')
}

const seconds = (help: string, fallback: Time) =>
  value({ metavar: 'S', fallback: printUnits(fallback), parse: duration, help })

/** Flags of the policy. */
const policyFlags = {
  policy: choice({
    of: POLICIES,
    fallback: 'fold',
    help: 'equi: divide the mesh again at every arrival and departure; equi+: the same with threads laid out in a snake; fold: halve partitions, which exchange cells',
  }),
  deal: choice({
    of: DEALS,
    fallback: 'arrival',
    help: 'equi: which job gets which partition: in the order of arrival, or at random at every change',
  }),
  divide: choice({
    of: ['yes', 'no'],
    fallback: 'yes',
    help: 'fold: whether an even number of jobs rotates as two rings where possible',
  }),
  interval: optional({
    metavar: 'S|SJ',
    parse: intervalOf,
    help: 'fold: seconds between rotations; 20J is 20 s times the number of jobs (default: none; a script names its rotations)',
  }),
  limit: optional({
    metavar: 'L',
    parse: integer({ min: 1, max: PROCESSORS_MAX }),
    help: 'most jobs that run at once; others wait (default: the number of processors); 1 with --quantum off is FCFS',
  }),
  quantum: optional({
    metavar: 'S|off',
    parse: off(duration),
    help: 'while jobs wait, the oldest running ones make room for them every S seconds (default 10; with a script off)',
  }),
  overhead: seconds('time that all jobs stand still when jobs make room; less than --quantum', 100_000),
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'time after which an unanswered request is repeated; an actor that misses several in a row is taken for dead, and the allocator keeps records (default: off, with faults 5 and four delays)',
  }),
}

/** Flags of the cost model. */
const costFlags = {
  moving: choice({
    of: ['charged', 'free'],
    fallback: 'charged',
    help: 'whether sending threads to other processors takes time',
  }),
  compute: seconds('computing time of a thread in a step', BASELINE.compute),
  delta: seconds('largest deviation of the computing time, which is uniform', BASELINE.delta),
  message: seconds('delay of messages between neighbouring threads', BASELINE.message),
  switching: seconds('time to switch threads on a processor', BASELINE.switching),
  data: seconds('time to send the data of a thread', BASELINE.data),
  code: seconds('time to send the code of a job', BASELINE.code),
}

/** Flags of the workload. */
const workloadFlags = {
  script: optional({
    metavar: 'TEXT',
    parse: scriptParser,
    help: 'operations in sequence, such as "arrive 1; arrive 2; rotate 3; depart 1" (under equi rotations change nothing)',
  }),
  jobs: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1_000_000 }),
    help: 'without a script: number of jobs, which arrive at random (default 100)',
  }),
  load: value({
    metavar: 'U',
    fallback: String(OF_THESIS.load),
    parse: number({ above: 0, max: 1000 }),
    help: 'mean number of jobs that arrive in the mean time that a job takes alone',
  }),
  short: value({
    metavar: 'P',
    fallback: '0.5',
    parse: number({ min: 0, max: 1 }),
    help: 'share of short jobs',
  }),
  shortMean: value({
    metavar: 'S',
    fallback: String(OF_THESIS.shortMean),
    parse: number({ above: 0, max: 1e6 }),
    help: 'mean seconds that a short job takes alone',
  }),
  longMean: value({
    metavar: 'S',
    fallback: String(OF_THESIS.longMean),
    parse: number({ above: 0, max: 1e6 }),
    help: 'mean seconds that a long job takes alone',
  }),
  leaders: value({
    metavar: 'N',
    fallback: '64',
    parse: integer({ min: 1, max: JOBS_MAX }),
    help: 'without a script: number of leader actors; each leads one job after the other, and more jobs wait',
  }),
  onlyTasks: onlyFlag('without a script, of the jobs'),
}

/** Parses an outage such as `3,4 at 100`. */
const outagesOf: Parser<readonly Outage[]> = (given, flag) =>
  given.split(';').map((text) => {
    const [, row, column, at = ''] = /^\s*(\d{1,6}),(\d{1,6}) +at +(\S+)\s*$/.exec(text) ?? []
    if (row === undefined || column === undefined)
      throw UsageError.invalid(flag, 'processors and times such as "3,4 at 100; 0,0 at 200"', quoted(given))
    return { row: Number(row), column: Number(column), at: duration(at, flag) }
  })

/** Flags of faults. */
const faultFlags = {
  attempts: value({
    metavar: 'N',
    fallback: '3',
    parse: integer({ min: 1, max: 1000 }),
    help: 'most attempts of a job',
  }),
  outages: optional({ metavar: '"R,C at T; ..."', parse: outagesOf, help: 'processors that die, with times' }),
}

/** Flags of the output. */
const outputFlags = {
  svg: fileFlag('result', 'draw the partitions after each step of a script (SVG)'),
}

/** The flags of every run, with faults that fit this family. */
const sharedFlags = runFlagsWith([
  'kill job@j2 at 500',
  'kill job@j3 after 2 begin',
  'kill random every 4000',
  'restart allocator@a at 700',
  'restart job@j1 when allocator@a enters ordering',
  'pause allocator@a for 20 at 100',
  'partition j1,j2 | a at 100 until 130',
  'jump j2 by 30 at 100',
])

export const flags = {
  ...sharedFlags,
  mesh: value({
    metavar: 'RxC',
    fallback: '16x16',
    parse: meshWithin(PROCESSORS_MAX),
    help: 'rows and columns of processors, powers of two',
  }),
  ...costFlags,
  ...grouped('workload', workloadFlags),
  ...grouped('protocol', policyFlags),
  ...grouped('faults', faultFlags),
  ...grouped('output', outputFlags),
}
