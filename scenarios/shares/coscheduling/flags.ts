/** The flags of the studies of coscheduling. */
import { commonFlags, integer, number, oneOf, optional, value } from '../../../lib/cli.ts'
import { sweepFlags } from '../../sweep-flags.ts'

export const studyFlags = {
  ...commonFlags,
  seeds: value({
    metavar: 'N',
    fallback: '5',
    parse: integer({ min: 2, max: 1000 }),
    help: 'runs of each row; their spread gives the intervals (95 %)',
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
}
