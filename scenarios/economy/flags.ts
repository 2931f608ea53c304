/** The flags of one run of an economy. */
import { FLOOR } from '../../actors/economy/coefficients.ts'
import type { PerClass } from '../../actors/economy/messages.ts'
import { POLICIES, PRESETS } from '../../actors/economy/terms.ts'
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
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { decimal, quoted } from '../../lib/core/format.ts'
import { onlyFlag, stretch } from '../workload-flags.ts'

/** Dollars, or dollars per minute. */
const MOST = 1_000_000_000

/** `100`, or `50,100,100`: at least one amount. */
const amounts: Parser<readonly number[]> = (given, flag) => given.split(',').map((word) => amount(word, flag))

const amount = number({ min: 0, max: MOST })

/** `1:2:2`, each number at least the floor of a coefficient. */
const perClass: Parser<PerClass> = (given, flag) => {
  const [one = 0, two = 0, three = 0, ...more] = given.split(':').map((word) => decimal(word) ?? 0)
  const all: PerClass = [one, two, three]
  if (more.length === 0 && all.every((each) => each >= FLOOR && each <= MOST)) return all
  throw UsageError.invalid(flag, `three numbers >= ${FLOOR}, one for each class, such as 1:2:2`, quoted(given))
}

/** Flags of the policy. */
const policyFlags = {
  policy: value({
    metavar: POLICIES.join('|'),
    fallback: 'ECON',
    parse: oneOf(...POLICIES),
    help: 'who is next: whoever came first; the same, with processors reserved and the time before filled; or the best offer',
  }),
  preset: value({
    metavar: PRESETS.join('|'),
    fallback: 'paper',
    parse: oneOf(...PRESETS),
    help: 'ECON: is a reservation dropped when processors become free (section 2.2), or does it stand until it starts (2.5)?',
  }),
  runIncome: toggle('ECON: running jobs are paid, too'),
  future: toggle(
    'ECON: an offer counts what is still to come in until the job starts, with --run-income until it ends',
  ),
  rates: value({
    metavar: 'weighted|unweighted',
    fallback: 'weighted',
    parse: oneOf('weighted', 'unweighted'),
    help: 'ECON: is the income shared out by the weighted work of all waiting jobs (equation 4), or by their work as it is?',
  }),
}

/** Flags of the machine and its workload. */
const workloadFlags = {
  processors: value({
    metavar: 'N',
    fallback: '128',
    parse: integer({ min: 1, max: 1000 }),
    help: 'of the machine: p1, p2, ..., an actor each',
  }),
  users: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 1000 }),
    help: 'u1, u2, ... (default 10; of a workload: those that it names)',
  }),
  load: value({
    metavar: 'U',
    fallback: '0.9',
    parse: number({ above: 0, max: 100 }),
    help: 'work that arrives in a minute, over the processors',
  }),
  span: value({
    metavar: 'T',
    fallback: '1500',
    parse: duration,
    help: 'minutes in which jobs arrive; then the machine drains',
  }),
  workload: optional({
    metavar: 'FILE',
    file: 'input',
    parse: text,
    help: 'jobs from a CSV file or a log (.swf, .swf.gz)',
  }),
  stretch,
  jobs: optional({ metavar: 'N', parse: integer({ min: 1, max: 1_000_000 }), help: 'only the first N of all these' }),
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
  cap: value({ metavar: 'M', fallback: '1000000', parse: amount, help: 'ECON: the most that a user can save' }),
  coefficients: value({
    metavar: 'A:A:A',
    fallback: '1:1:1',
    parse: perClass,
    help: 'ECON: how users weight their classes of jobs; only the ratios matter',
  }),
  targets: optional({
    metavar: 'U:U:U',
    parse: perClass,
    help: 'ECON: ratios of slowdowns that users steer their classes towards, every 2000 minutes (default: they do not)',
  }),
}

const hardshipFlags = {
  overrun: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'a job that needs more than declared pays for pieces of T minutes out of the savings, or is stopped (default: 10 if any job does, else off); off: it runs on for nothing',
  }),
  alpha: value({
    metavar: 'A',
    fallback: '0.1',
    parse: number({ above: 0, max: 1e6 }),
    help: 'how fast the price of now loses its weight against the mean price so far, per minute (equation 2)',
  }),
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'how long an answer may take before it is asked for again and who owes it is given up; bank, scheduler and users then write down what a later incarnation needs (default: off, with faults 10 and four delays; where mail is lost, --reliable is what helps)',
  }),
}

/** The economy's own flags, in addition to those of every run. */
export const ownFlags = { ...policyFlags, ...workloadFlags, ...moneyFlags, ...hardshipFlags }

export const flags = { ...runFlags, ...ownFlags }
