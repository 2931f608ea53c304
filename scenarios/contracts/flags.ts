/** The flags of one run of a contracts market. */
import { HEURISTICS } from '../../actors/contracts/ranks.ts'
import { DETECTORS, PREFERENCES, STALE } from '../../actors/contracts/terms.ts'
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
import { decimal, quoted } from '../../lib/core/format.ts'
import { stretch } from '../workload-flags.ts'
import type { Law } from './workload/generate.ts'

/** The largest amount that a flag takes, in dollars. */
const MOST = 1_000_000_000

const ratio = number({ min: 0, max: 1e6 })
const skew = number({ min: 1, max: 1e6 })

/** Reads a bound; null means no limit. */
const boundOf: Parser<number | null> = (given, flag) => (given === 'inf' ? null : dollars(given, flag))
const dollars = number({ min: 0, max: MOST })

/** Reads `exponential`, or the coefficient of variation of a normal law. */
const lawOf: Parser<Law> = (given, flag) => {
  if (given === 'exponential') return { law: 'exponential' }
  const cv = decimal(given)
  if (cv !== undefined && cv >= 0 && cv <= 1e6) return { law: 'normal', cv }
  throw UsageError.invalid(flag, 'exponential, or the coefficient of variation of a normal law', quoted(given))
}

/** Flags of the sites and the broker. */
const marketFlags = {
  heuristic: choice({
    of: HEURISTICS,
    fallback: 'FirstReward',
    help: 'which task a site runs next: by arrival, remaining time, decay or yield per remaining time, discounted yield, or yield less the cost to others',
  }),
  alpha: value({
    metavar: 'A',
    fallback: '0.3',
    parse: number({ min: 0, max: 1 }),
    help: 'FirstReward: weight of the yield of a task against its cost to others (equation 6)',
  }),
  discount: value({
    metavar: 'R',
    fallback: '0.01',
    parse: ratio,
    help: 'PV, FirstReward and slack: discount rate of future money, per unit (equation 3)',
  }),
  threshold: value({
    metavar: 'S|off',
    fallback: 'off',
    parse: off(number({ min: -MOST, max: MOST })),
    help: 'least slack, in units, of a task that a site accepts (equations 7 and 8); off accepts all',
  }),
  preempt: choice({
    of: ['0', '1', '2'],
    fallback: '0',
    help: 'which waiting tasks may preempt a running one: 0 none, 1 those accepted since the last dispatch, 2 all; checked at each dispatch: after an award, or when a task ends or fails or a processor returns',
  }),
  stale: choice({
    of: STALE,
    fallback: 'honour',
    help: 'what a site does with an award that it can only serve late: accept it, or renege, so that the broker takes the next best offer; either way it reneges if the offer is forgotten, of another round or expired',
  }),
  allowance: optional({
    metavar: 'T',
    parse: duration,
    help: 'time that a promise allows for a message and its answer, until the award and for each execution (default: two delays)',
  }),
  expiry: value({
    metavar: 'T|off',
    fallback: 'off',
    parse: off(duration),
    help: 'how long an offer is valid',
  }),
  broker: choice({
    of: PREFERENCES,
    fallback: 'earliest',
    help: 'which offer the broker takes: the earliest completion, or the lowest price',
  }),
  rounds: choice({
    of: ['serial', 'parallel'],
    fallback: 'serial',
    help: 'whether the broker decides on one task before it asks about the next, or negotiates several at once',
  }),
  wait: value({
    metavar: 'T|off',
    fallback: 'off',
    parse: off(duration),
    help: 'how long the broker waits for answers of sites; off: until all have answered, or --patience ends',
  }),
  rebids: value({
    metavar: 'N',
    fallback: '10',
    parse: integer({ min: 0, max: 1000 }),
    help: 'how many times at most all sites are asked again about a task if no site keeps its offer',
  }),
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'time after which an unanswered request is repeated and its receiver given up; sites, broker and client then keep records for later incarnations (default: off; with faults, or with duplicates without --reliable, 10 and four delays); against lost messages use --reliable',
  }),
  detector: choice({
    of: DETECTORS,
    fallback: 'probes',
    help: 'how a client finds out that a site died: it queries the site, and gives it up after a --patience without an answer; or the runtime tells it at once, as no network can',
  }),
  claimCap: value({
    metavar: 'D',
    fallback: '1000',
    parse: dollars,
    help: 'most dollars beyond its price that a given-up site owes for a task with an unbounded penalty',
  }),
}

/** Flags of the workload: section 4 of the paper, and what it leaves open. */
const workloadFlags = {
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 0, max: 1_000_000 }),
    help: 'number of tasks (default 500); of a workload, the first N (default all)',
  }),
  load: value({
    metavar: 'U',
    fallback: '1',
    parse: number({ above: 0, max: 1000 }),
    help: 'work that arrives in a unit, divided by the processors of all sites',
  }),
  batch: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 1, max: 10_000 }),
    help: 'number of tasks that arrive together',
  }),
  gaps: value({
    metavar: 'LAW',
    fallback: 'exponential',
    parse: lawOf,
    help: 'law of the times between arrivals: exponential, or normal with this coefficient of variation',
  }),
  runtimes: value({
    metavar: 'LAW',
    fallback: 'exponential',
    parse: lawOf,
    help: 'law of the runtimes, whose mean is 100 units: exponential, or normal with this coefficient of variation',
  }),
  valueSkew: value({
    metavar: 'X',
    fallback: '3',
    parse: skew,
    help: 'mean value per unit of runtime of the high fifth of tasks, over that of the others (mean of all tasks: 1 dollar)',
  }),
  valueCv: value({
    metavar: 'CV',
    fallback: '0.2',
    parse: ratio,
    help: 'coefficient of variation of values within high and other tasks',
  }),
  decay: value({
    metavar: 'D',
    fallback: '0.1',
    parse: dollars,
    help: 'dollars lost per unit of delay, mean of all tasks',
  }),
  decaySkew: value({ metavar: 'X', fallback: '5', parse: skew, help: 'like --value-skew, for decays' }),
  decayCv: value({
    metavar: 'CV',
    fallback: '0.2',
    parse: ratio,
    help: 'like --value-cv, for decays',
  }),
  bound: value({
    metavar: 'B|inf',
    fallback: 'inf',
    parse: boundOf,
    help: 'largest penalty for a task, in dollars; inf sets no limit',
  }),
  workload: fileFlag(
    'input',
    'read tasks from a CSV file id,arrival,runtime,value,decay,bound instead of generating them',
  ),
  onlyTasks: onlyFlag('of these tasks'),
  stretch,
}

/** The flags of every run, with faults that fit this family. */
const sharedFlags = runFlagsWith([
  'kill processor@s1p1 at 500',
  'restart site@s1 after 20 bid',
  'kill random every 4000',
  'restart broker@b at 700',
  'restart site@s1 when processor@s1p2 enters busy',
  'pause client@c1 for 50 at 100',
  'partition s1 | b at 100 until 130',
  'jump s1 by 30 at 100',
])

export const flags = {
  ...sharedFlags,
  sites: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 1, max: 100 }),
    help: 'number of sites s1, s2, ..., all alike',
  }),
  processors: value({
    metavar: 'N',
    fallback: '4',
    parse: integer({ min: 1, max: 1000 }),
    help: 'processors of each site, one actor each',
  }),
  ...grouped('protocol', marketFlags),
  ...grouped('workload', workloadFlags),
}
