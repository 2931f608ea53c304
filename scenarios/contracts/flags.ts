/** The flags of one run of a contracts market. */
import { HEURISTICS } from '../../actors/contracts/ranks.ts'
import { PREFERENCES, STALE } from '../../actors/contracts/terms.ts'
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
import { decimal, quoted } from '../../lib/core/format.ts'
import { onlyFlag, stretch } from '../workload-flags.ts'
import type { Law } from './workload/generate.ts'

/** Dollars. */
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
  sites: value({ metavar: 'N', fallback: '1', parse: integer({ min: 1, max: 100 }), help: 's1, s2, ..., all alike' }),
  processors: value({
    metavar: 'N',
    fallback: '4',
    parse: integer({ min: 1, max: 1000 }),
    help: 'of each site, an actor each',
  }),
  heuristic: value({
    metavar: HEURISTICS.join('|'),
    fallback: 'FirstReward',
    parse: oneOf(...HEURISTICS),
    help: 'which task a site runs next: by arrival, remaining time, decay over it, yield over it, the same discounted, or also by what it costs others',
  }),
  alpha: value({
    metavar: 'A',
    fallback: '0.3',
    parse: number({ min: 0, max: 1 }),
    help: 'FirstReward: the weight of what a task yields against what it costs others (equation 6)',
  }),
  discount: value({
    metavar: 'R',
    fallback: '0.01',
    parse: ratio,
    help: 'PV, FirstReward and slack: by how much money to come is discounted, per unit (equation 3)',
  }),
  threshold: value({
    metavar: 'S|off',
    fallback: 'off',
    parse: off(number({ min: -MOST, max: MOST })),
    help: 'the least slack, in units, of a task that a site takes on (equations 7 and 8); off: it takes all',
  }),
  preempt: value({
    metavar: '0|1|2',
    fallback: '0',
    parse: oneOf('0', '1', '2'),
    help: 'a running task is left alone; a task that has just come may take its place; any that waits may, at every event',
  }),
  stale: value({
    metavar: STALE.join('|'),
    fallback: 'honour',
    parse: oneOf(...STALE),
    help: 'an award whose promise does not hold any more is taken on, late; or turned down, and the broker asks the next best',
  }),
  allowance: optional({
    metavar: 'T',
    parse: duration,
    help: 'what a message and its answer are taken to need: a promise allows for it until the award, and for each execution (default: two delays)',
  }),
  expiry: value({
    metavar: 'T|off',
    fallback: 'off',
    parse: off(duration),
    help: 'how long an offer can be taken up',
  }),
  broker: value({
    metavar: PREFERENCES.join('|'),
    fallback: 'earliest',
    parse: oneOf(...PREFERENCES),
    help: 'which offer is best: the earliest completion, or the lowest price',
  }),
  rounds: value({
    metavar: 'serial|parallel',
    fallback: 'serial',
    parse: oneOf('serial', 'parallel'),
    help: 'does the broker decide on one task before it asks about the next, or may offers for several be open?',
  }),
  wait: value({
    metavar: 'T|off',
    fallback: 'off',
    parse: off(duration),
    help: 'how long the broker waits for sites to answer; off: until all have, or for --patience',
  }),
  rebids: value({
    metavar: 'N',
    fallback: '10',
    parse: integer({ min: 0, max: 1000 }),
    help: 'how often at most all sites are asked anew about a task, if none of those that offered keeps to it',
  }),
  patience: optional({
    metavar: 'T|off',
    parse: off(duration),
    help: 'how long an answer may take before it is asked for again and who owes it is given up; sites, broker and client then write down what a later incarnation needs (default: off; with faults, or doubled mail without --reliable, 10 and four delays; where mail is lost, --reliable is what helps)',
  }),
  claimCap: value({
    metavar: 'D',
    fallback: '1000',
    parse: dollars,
    help: 'dollars: the most that a site that was given up owes beyond its price, for a task whose penalty is unbounded',
  }),
}

/** Flags of the workload: section 4 of the paper, and what it leaves open. */
const workloadFlags = {
  tasks: optional({
    metavar: 'N',
    parse: integer({ min: 0, max: 1_000_000 }),
    help: 'that arrive (default 500; of a workload: only its first N, default all)',
  }),
  load: value({
    metavar: 'U',
    fallback: '1',
    parse: number({ above: 0, max: 1000 }),
    help: 'work that arrives in a unit, over the processors of all sites',
  }),
  batch: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 1, max: 10_000 }),
    help: 'so many arrive together',
  }),
  gaps: value({
    metavar: 'LAW',
    fallback: 'exponential',
    parse: lawOf,
    help: 'times between arrivals: exponential, or normal with this coefficient of variation',
  }),
  runtimes: value({ metavar: 'LAW', fallback: 'exponential', parse: lawOf, help: 'likewise; their mean is 100 units' }),
  valueSkew: value({
    metavar: 'X',
    fallback: '3',
    parse: skew,
    help: 'mean value of a unit of runtime of high tasks, a fifth of all, over that of the others; the mean of all is 1 dollar',
  }),
  valueCv: value({
    metavar: 'CV',
    fallback: '0.2',
    parse: ratio,
    help: 'coefficient of variation within each of these',
  }),
  decay: value({
    metavar: 'D',
    fallback: '0.1',
    parse: dollars,
    help: 'dollars lost in a unit of delay: mean of all tasks',
  }),
  decaySkew: value({ metavar: 'X', fallback: '5', parse: skew, help: 'of decays, as --value-skew' }),
  decayCv: value({ metavar: 'CV', fallback: '0.2', parse: ratio, help: 'of decays, as --value-cv' }),
  bound: value({
    metavar: 'B|inf',
    fallback: 'inf',
    parse: boundOf,
    help: 'the largest penalty for a task, in dollars',
  }),
  workload: optional({
    metavar: 'FILE',
    file: 'input',
    parse: text,
    help: 'tasks from a CSV file id,arrival,runtime,value,decay,bound in place of all these',
  }),
  onlyTasks: onlyFlag('of these tasks'),
  stretch,
}

/** The flags of the contracts market, in addition to those of every run. */
export const ownFlags = { ...marketFlags, ...workloadFlags }

export const flags = { ...runFlags, ...ownFlags }
