/** The flags of the studies of a market that loses a site. */
import type { Time } from '../../../lib/actor.ts'
import {
  duration,
  integer,
  number,
  type OptionsOf,
  type Parser,
  seedFlags,
  toggle,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { runtimeFlag, seedsFlag } from '../../study/flags.ts'
import { reportFlags, sweepFlags } from '../../sweep-flags.ts'

const durations: Parser<readonly Time[]> = (given, flag) => {
  const times = given.split(',').map((one) => duration(one, flag))
  if (new Set(times).size === times.length) return times
  throw UsageError.repeated(flag, 'each time')
}

/** The number of seeds, by scale. */
const SEEDS = { quick: 3, standard: 12, full: 48 } as const

export const seedsOf = ({ seeds, quick, full }: Options): number =>
  seeds ?? SEEDS[full ? 'full' : quick ? 'quick' : 'standard']

export const flags = {
  ...seedFlags,
  quick: toggle(`run ${SEEDS.quick} seeds: the intervals are wide`),
  full: toggle(`run ${SEEDS.full} seeds: the intervals are about half as wide as by default`),
  runtime: runtimeFlag,
  tasks: value({
    metavar: 'N',
    fallback: '200',
    parse: integer({ min: 10, max: 100_000 }),
    help: 'number of tasks that arrive',
  }),
  load: value({
    metavar: 'U',
    fallback: '1.2',
    parse: number({ above: 0, max: 1000 }),
    help: 'work that arrives in a unit, divided by all processors, before one site dies',
  }),
  latency: value({
    metavar: 'T,...',
    fallback: '0,5,20',
    parse: durations,
    help: 'delay of every message, in units; the mean runtime is 100',
  }),
  seeds: seedsFlag(`default ${SEEDS.standard}, with --quick ${SEEDS.quick}, with --full ${SEEDS.full}`),
  ...sweepFlags,
  ...reportFlags,
}

export type Options = OptionsOf<typeof flags>
