/** The flags of one run on a mesh. */
import { DEALS } from '../../actors/mesh/equi.ts'
import { type Mesh, processorsOf } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import type { Outage } from '../../actors/mesh/sentry.ts'
import {
  duration,
  integer,
  number,
  off,
  oneOf,
  optional,
  type Parser,
  runFlags,
  text,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { printUnits, quoted } from '../../lib/core/format.ts'
import type { Time } from '../../lib/core/time.ts'
import { onlyFlag } from '../workload-flags.ts'
import { meshParser } from './study/flags.ts'
import { THEIRS } from './workload/generate.ts'
import { JOBS_MAX, scriptParser } from './workload/script.ts'

export const POLICIES = ['equi', 'equi+', 'fold'] as const
export type PolicyName = (typeof POLICIES)[number]

const PROCESSORS_MAX = 65_536

const meshOf: Parser<Mesh> = (given, flag) => {
  const mesh = meshParser(given, flag)
  if (processorsOf(mesh) > PROCESSORS_MAX)
    throw UsageError.tooMany(flag, `${PROCESSORS_MAX} processors`, `${processorsOf(mesh)}`)
  return mesh
}

/** Parses an interval: `20` is every 20 seconds, `20J` is multiplied by the number of jobs. */
const intervalOf: Parser<{ readonly interval: Time; readonly isPerJob: boolean }> = (given, flag) => {
  const [, seconds = '', perJob] = /^(.*?)(\*?J)?$/.exec(given) ?? []
  try {
    const interval = duration(seconds, flag)
    if (interval > 0) return { interval, isPerJob: perJob !== undefined }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
  throw UsageError.invalid(flag, 'seconds > 0, such as 20, or 20J for 20 s times the number of jobs', quoted(given))
}

const seconds = (help: string, fallback: Time) =>
  value({ metavar: 'S', fallback: printUnits(fallback), parse: duration, help })

/** Flags of the policy. */
const policyFlags = {
  policy: value({
    metavar: POLICIES.join('|'),
    fallback: 'fold',
    parse: oneOf(...POLICIES),
    help: 'the mesh is dealt out anew at every arrival and departure; the same with threads laid out in a snake; partitions are halved, and exchange cells',
  }),
  mesh: value({
    metavar: 'RxC',
    fallback: '16x16',
    parse: meshOf,
    help: 'rows and columns of processors, powers of two',
  }),
  deal: value({
    metavar: DEALS.join('|'),
    fallback: 'arrival',
    parse: oneOf(...DEALS),
    help: 'equi: which partition is whose; in the order of arrival, or drawn anew at every change',
  }),
  divide: value({
    metavar: 'yes|no',
    fallback: 'yes',
    parse: oneOf('yes', 'no'),
    help: 'fold: does an even number of jobs rotate as two rings, where that can be?',
  }),
  interval: optional({
    metavar: 'S|SJ',
    parse: intervalOf,
    help: 'fold: seconds between rotations, or so many times the number of jobs (default: none; a script says when)',
  }),
  limit: optional({
    metavar: 'L',
    parse: integer({ min: 1, max: PROCESSORS_MAX }),
    help: 'so many jobs run at once, and others wait (default: as many as there are processors); 1 with --quantum off is FCFS',
  }),
  quantum: optional({
    metavar: 'S|off',
    parse: off(duration),
    help: 'while jobs wait those that have been there longest make room for them, every S seconds (default 10; of a script off)',
  }),
  overhead: seconds('for so long all stand still meanwhile; less than --quantum', 100_000),
}

/** Flags of the cost model. */
const costFlags = {
  moving: value({
    metavar: 'charged|free',
    fallback: 'charged',
    parse: oneOf('charged', 'free'),
    help: 'does it take time to send threads to other processors?',
  }),
  compute: seconds('a thread computes so long in a step', BASELINE.compute),
  delta: seconds('the time that it computes is uniform, so far to either side', BASELINE.delta),
  message: seconds('its messages to neighbours take so long', BASELINE.message),
  switching: seconds('from one thread to another on a processor', BASELINE.switching),
  data: seconds('to send the data of a thread', BASELINE.data),
  code: seconds('to send the code of a job', BASELINE.code),
}

/** Flags of the workload. */
const workloadFlags = {
  script: optional({
    metavar: 'TEXT',
    parse: scriptParser,
    help: 'such as "arrive 1; arrive 2; rotate 3; depart 1": each when all before it is done (under equi rotations change nothing)',
  }),
  jobs: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1_000_000 }),
    help: 'without a script: so many arrive at random (default 100)',
  }),
  load: value({
    metavar: 'U',
    fallback: String(THEIRS.load),
    parse: number({ above: 0, max: 1000 }),
    help: 'jobs that arrive in the time that one takes alone on average',
  }),
  short: value({
    metavar: 'P',
    fallback: '0.5',
    parse: number({ min: 0, max: 1 }),
    help: 'the part of them that is short',
  }),
  shortMean: value({
    metavar: 'S',
    fallback: String(THEIRS.shortMean),
    parse: number({ above: 0, max: 1e6 }),
    help: 'seconds that a short job takes alone, on average',
  }),
  longMean: value({
    metavar: 'S',
    fallback: String(THEIRS.longMean),
    parse: number({ above: 0, max: 1e6 }),
    help: 'and a long one',
  }),
  leaders: value({
    metavar: 'N',
    fallback: '64',
    parse: integer({ min: 1, max: JOBS_MAX }),
    help: 'without a script: actors that lead jobs, one after the other; more jobs wait for one of them',
  }),
  svg: optional({
    metavar: 'FILE',
    file: 'result',
    parse: text,
    help: 'draw the partitions after each step of a script as SVG',
  }),
}

/** The flags of a run on a mesh besides those of every run. */
export const ownFlags = { ...policyFlags, ...costFlags, ...workloadFlags }

/** Parses an outage such as `3,4 at 100`. */
const outagesOf: Parser<readonly Outage[]> = (given, flag) =>
  given.split(';').map((text) => {
    const [, row, column, at = ''] = /^\s*(\d{1,6}),(\d{1,6}) +at +(\S+)\s*$/.exec(text) ?? []
    if (row === undefined || column === undefined)
      throw UsageError.invalid(flag, 'processors and times such as "3,4 at 100; 0,0 at 200"', quoted(given))
    return { row: Number(row), column: Number(column), at: duration(at, flag) }
  })

/** Flags of faults and of how actors handle them. */
const faultFlags = {
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'how long an answer may take before it is asked for again; who leaves several in a row is taken for dead, and the allocator writes down who is on the mesh (default: off, with faults 5 and four delays)',
  }),
  attempts: value({
    metavar: 'N',
    fallback: '3',
    parse: integer({ min: 1, max: 1000 }),
    help: 'how often a job is begun if it fails',
  }),
  outages: optional({ metavar: '"R,C at T; ..."', parse: outagesOf, help: 'processors that die, and when' }),
  onlyTasks: onlyFlag('without a script: of the jobs'),
}

export const flags = { ...runFlags, ...ownFlags, ...faultFlags }
