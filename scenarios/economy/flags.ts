/** The flags of one run of an economy. */
import { FLOOR } from '../../actors/economy/coefficients.ts'
import type { PerClass } from '../../actors/economy/messages.ts'
import { POLICIES, PRESETS } from '../../actors/economy/terms.ts'
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
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { decimal, quoted } from '../../lib/core/format.ts'
import { stretch } from '../workload-flags.ts'

/** The largest amount that a flag takes, in dollars or dollars per minute. */
const MOST = 1_000_000_000

/** Reads one or more amounts: `100`, or `50,100,100`. */
const amounts: Parser<readonly number[]> = (given, flag) => given.split(',').map((word) => amount(word, flag))

const amount = number({ min: 0, max: MOST })

/** Reads a number for each class, such as `1:2:2`. Each is at least the floor of a coefficient. */
const perClass: Parser<PerClass> = (given, flag) => {
  const [one = 0, two = 0, three = 0, ...more] = given.split(':').map((word) => decimal(word) ?? 0)
  const all: PerClass = [one, two, three]
  if (more.length === 0 && all.every((each) => each >= FLOOR && each <= MOST)) return all
  throw UsageError.invalid(flag, `three numbers >= ${FLOOR} such as 1:2:2`, quoted(given), 'one for each class')
}

/** Flags of the policy. */
const policyFlags = {
  policy: choice({
    of: POLICIES,
    fallback: 'ECON',
    help: 'which job is next: the first to come (FCFS), the same with reservations and backfilling (RES), or the best offer (ECON)',
  }),
  preset: choice({
    of: PRESETS,
    fallback: 'paper',
    help: 'ECON: whether a reservation is dropped whenever a job ends or fails (paper: section 2.2) or stands until its job starts (literal: 2.5)',
  }),
  runIncome: toggle('ECON: running jobs receive income as well'),
  future: toggle('ECON: an offer counts the income until the job starts, with --run-income until it ends'),
  rates: choice({
    of: ['weighted', 'unweighted'],
    fallback: 'weighted',
    help: 'ECON: whether income is divided by the weighted work of all waiting jobs (equation 4) or by their plain work',
  }),
}

/** Flags of the workload. */
const workloadFlags = {
  users: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'number of users u1, u2, ... (default 10); a workload names its own',
  }),
  load: value({
    metavar: 'U',
    fallback: '0.9',
    parse: number({ above: 0, max: 100 }),
    help: 'work that arrives in a minute, divided by the processors',
  }),
  widest: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'generated jobs need 1 to N processors, whatever their class (default: by class, as in the paper)',
  }),
  span: value({
    metavar: 'T',
    fallback: '1500',
    parse: duration,
    help: 'minutes of arrivals; then the machine drains',
  }),
  workload: fileFlag('input', 'read jobs from a CSV file or a log (.swf, .swf.gz)'),
  stretch,
  jobs: optional({ metavar: 'N', parse: integer({ min: 1, max: 1_000_000 }), help: 'run only the first N jobs' }),
  onlyJobs: onlyFlag('of these jobs'),
}

/** Flags of the users' money, under ECON. */
const moneyFlags = {
  incomes: value({
    metavar: 'R,R,...',
    fallback: '100',
    parse: amounts,
    help: 'ECON: dollars per minute, of all users or one for each',
  }),
  savings: value({
    metavar: 'M,M,...',
    fallback: '0',
    parse: amounts,
    help: 'ECON: dollars at the start, of all users or one for each',
  }),
  cap: value({ metavar: 'M', fallback: '1000000', parse: amount, help: 'ECON: most dollars that a user can save' }),
  coefficients: value({
    metavar: 'A:A:A',
    fallback: '1:1:1',
    parse: perClass,
    help: 'ECON: weights that users give their classes of jobs; only the ratios matter',
  }),
  targets: optional({
    metavar: 'U:U:U',
    parse: perClass,
    help: 'ECON: ratios of slowdowns towards which users steer their classes every 2000 minutes (default: none)',
  }),
}

/** Flags of extra time and of faults. */
const overrunFlags = {
  overrun: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'a job that exceeds its declared time pays for pieces of T minutes from the savings, or is stopped; off: it runs on for free (default: 10 if a job exceeds it, else off)',
  }),
  alpha: value({
    metavar: 'A',
    fallback: '0.1',
    parse: number({ above: 0, max: 1e6 }),
    help: 'how fast the present price loses weight against the mean price so far, per minute (equation 2)',
  }),
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'time after which an unanswered request is repeated and its receiver given up; bank, scheduler and users then keep records for later incarnations (default: off, with faults 10 and four delays); against lost messages use --reliable',
  }),
}

/** The flags of every run, with faults that fit this family. */
const sharedFlags = runFlagsWith([
  'kill processor@p3 at 500',
  'kill user@u2 after 3 ended',
  'kill random every 400',
  'restart scheduler@hub at 700',
  'restart bank@hub when scheduler@hub enters charging',
  'pause user@u1 for 50 at 100',
  'partition p1,p2 | hub at 100 until 130',
  'jump hub by 30 at 100',
])

export const flags = {
  ...sharedFlags,
  processors: value({
    metavar: 'N',
    fallback: '128',
    parse: integer({ min: 1, max: 1000 }),
    help: 'processors p1, p2, ... of the machine, one actor each',
  }),
  ...grouped('protocol', policyFlags),
  ...grouped('workload', workloadFlags),
  ...moneyFlags,
  ...grouped('protocol', overrunFlags),
}
