/** The explorer's own flags; those of the explored scenario are added. */
import {
  duration,
  fileFlag,
  integer,
  number,
  type OptionsOf,
  optional,
  repeated,
  toggle,
  value,
} from '../../../lib/cli/index.ts'
import { CONTINUATIONS, CONTINUATIONS_MAX } from '../../../lib/explore/continuations.ts'
import { parseAllowed } from '../../../lib/explore/fault-generator.ts'
import { DEFAULT_STRATEGY, strategyOf } from '../../../lib/explore/strategies/strategies.ts'
import { RUN_LIMITS } from '../../../lib/scenario/specification.ts'
import { placeFlags } from '../../sweep-flags.ts'
import { shrinkSeconds } from '../shrinking.ts'
import { subjectFlags } from '../subject.ts'

export const exploreFlags = {
  ...subjectFlags,
  schedules: value({
    metavar: 'N',
    fallback: '1000',
    parse: integer({ min: 0, max: 10_000_000 }),
    help: 'number of runs; 0: only those of --corpus',
  }),
  strategy: value({
    metavar: 'fifo|random|pos|pct:D|delay:K|portfolio|guided|exhaustive[:K]',
    fallback: DEFAULT_STRATEGY,
    parse: (given: string, flag: string) => {
      if (exhaustiveDepth(given) === undefined) strategyOf(given, flag, ['exhaustive[:K]'])
      return given
    },
    help: 'how schedules are chosen; portfolio: pos, random, delay:2 and pct in turn, mostly pos in runs without faults; guided: portfolio that builds on runs which met something new; exhaustive: every order, or those with at most K deviations from the first one',
  }),
  everyOrder: toggle('exhaustive: run every order, including those that are equivalent to another'),
  faults: repeated({
    metavar: 'SPEC',
    parse: (given: string, flag: string) => {
      parseAllowed(given, flag)
      return given
    },
    help: 'faults that each run may draw, each at most N times (default 1): "kill any ROLE [N]", "restart any ROLE [N]", both also with "losing W [torn]" (writes of the disk), "pause any ROLE [N]" ("some" in place of "any": several at one point), "cut any [N]" (a partition), "cut any machine [N]" (a host cut off from all others), "slow any [N]" (a slow link), "jump any [N]" (a clock that jumps), "lose [N]" (messages), "double [N]", "double late [N]" (a copy after later mail), "any [N]" (all kinds, but no disk loses writes and no clock jumps); ROLE machine means all actors of a machine',
  }),
  seconds: optional({
    metavar: 'S',
    parse: number({ above: 0, max: 1e6 }),
    help: 'stop S seconds after the first schedule has begun',
  }),
  shrinkSeconds,
  inevitable: value({
    metavar: 'K',
    fallback: String(CONTINUATIONS),
    parse: integer({ min: 0, max: CONTINUATIONS_MAX }),
    help: 'tell when the failure of each run became inevitable, judged by K random continuations of each step that is tried, for at most --shrink-seconds; 0: do not tell it',
  }),
  seeds: value({
    metavar: 'N',
    fallback: '1',
    parse: integer({ min: 1, max: 1_000_000 }),
    help: 'number of seeds of the scenario, from --seed on, that take turns, so that the workload varies, too',
  }),
  first: toggle('stop at the first failing run'),
  corpus: fileFlag(
    'folder',
    'run the failing runs in this folder again before the search, and add those that it finds',
  ),
  livelock: value({
    metavar: 'N',
    fallback: String(RUN_LIMITS.livelock),
    parse: integer({ min: 1, max: 1e9 }),
    help: 'steps without a fault or progress after which a run counts as a livelock',
  }),
  hold: optional({
    metavar: 'D',
    parse: duration,
    help: 'how long an event can be held back after it is due, in units (default: twice the longest timer of the undisturbed run, and at least its length if it comes to rest)',
  }),
  unfair: optional({
    metavar: 'N',
    parse: integer({ min: 0, max: 1e9 }),
    help: 'decisions of a schedule after which events come in plain order (default: ten times the steps of the undisturbed run, at least 1000)',
  }),
  ...placeFlags,
}

export type ExploreOptions = OptionsOf<typeof exploreFlags>

/** The K of `exhaustive:K`, and Infinity for `exhaustive`; undefined for other strategies. */
export function exhaustiveDepth(strategy: string): number | undefined {
  const [whole, depth] = /^exhaustive(?::([1-9]\d?))?$/.exec(strategy) ?? []
  return whole === undefined ? undefined : depth === undefined ? Number.POSITIVE_INFINITY : Number(depth)
}
