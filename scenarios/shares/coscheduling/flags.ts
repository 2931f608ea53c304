/** The flags of the studies of coscheduling. */
import { integer, number, oneOf, optional, seedFlags, value } from '../../../lib/cli/index.ts'
import { sweepFlags } from '../../sweep-flags.ts'

/** Runs of each row. */
export interface Seeds {
  readonly quick: number
  readonly full: number
}

const printed = ({ quick, full }: Seeds): string => (quick === full ? `${quick}` : `${quick}, with --full ${full}`)

export const studyFlags = (seeds: Seeds) => ({
  ...seedFlags,
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 2, max: 1000 }),
    help: `runs of each row; their spread gives the intervals (default ${printed(seeds)})`,
  }),
  warmUp: optional({
    metavar: 'MS',
    parse: number({ min: 0, max: 1e7 }),
    help: 'what is not measured of a run, in milliseconds of the model',
  }),
  measure: optional({
    metavar: 'MS',
    parse: number({ min: 100, max: 1e7 }),
    help: 'what is measured of it',
  }),
  runtime: value({
    metavar: 'inline|threads',
    fallback: 'inline',
    parse: oneOf('inline', 'threads'),
    help: 'all actors of a run in one thread, or a worker thread per actor: the same numbers, several times slower',
  }),
  ...sweepFlags,
})

/** How many runs of each row it is to be. */
export const seedsOf = (given: { readonly seeds: number | undefined; readonly full: boolean }, seeds: Seeds): number =>
  given.seeds ?? (given.full ? seeds.full : seeds.quick)
