/** The flags of a comparison. */
import { POLICY_NAMES, type PolicyName } from '../../../actors/bidding/priority.ts'
import {
  integer,
  number,
  type OptionsOf,
  oneOf,
  optional,
  type Parser,
  positiveNumbers,
  repeated,
  seedFlags,
  UsageError,
  value,
} from '../../../lib/cli/index.ts'
import { quoted } from '../../../lib/core/format.ts'
import { reportFlags, sweepFlags } from '../../sweep-flags.ts'
import { flags as market } from '../flags.ts'
import { PROTOCOLS } from '../model.ts'

export interface Policy {
  readonly name: string
  readonly protocol: (typeof PROTOCOLS)[number]
  readonly priority: PolicyName
}

/** Parses a policy such as `eager` or `dsp:fcfs`; the default priority is `spt`. */
export const policy: Parser<Policy> = (given, flag) => {
  const [first = '', second = 'spt', ...more] = given.split(':')
  if (more.length > 0) throw UsageError.invalid(flag, 'PROTOCOL or PROTOCOL:PRIORITY', quoted(given))
  const protocol = oneOf(...PROTOCOLS)(first, flag)
  return { name: given, protocol, priority: oneOf(...POLICY_NAMES)(second, flag) }
}

export const flags = {
  ...seedFlags,
  policy: repeated({
    metavar: 'PROTOCOL[:PRIORITY]',
    parse: policy,
    help: 'policies to compare, the baseline first (default: dsp, eager and random by spt)',
  }),
  speeds: value({
    metavar: 'S,S,...',
    fallback: '4,2,2',
    parse: positiveNumbers,
    help: 'speeds of the machines, one machine each',
  }),
  load: value({
    metavar: 'U',
    fallback: '0.5',
    parse: number({ above: 0, max: 1 }),
    help: 'offered work per unit of capacity',
  }),
  errors: market.errors,
  latency: market.latency,
  tasks: value({
    metavar: 'N',
    fallback: '600',
    parse: integer({ min: 100, max: 100_000 }),
    help: 'tasks of every replication, including its warm-up',
  }),
  replications: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: 'number of replications (default 10, or as many as --precision needs)',
  }),
  precision: optional({
    metavar: 'G',
    parse: number({ above: 0, max: 1 }),
    help: 'replicate, at most 1000 times, until the half-width of every interval is this share of its mean',
  }),
  confidence: value({
    metavar: 'P',
    fallback: '0.95',
    parse: number({ min: 0.5, max: 0.999 }),
    help: 'confidence of each mean, and of all differences together',
  }),
  ...sweepFlags,
  markdown: reportFlags.markdown,
}

export type Options = OptionsOf<typeof flags>
