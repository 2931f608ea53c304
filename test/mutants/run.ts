/**
 * `npm run mutants`: how good the tests are. Mistakes are made in the compiler of statecharts or in the protocols, and each has
 * to be found.
 */
import {
  type Invocation,
  integer,
  number,
  type OptionsOf,
  type Outcome,
  optional,
  outputFlags,
  runMain,
  text,
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { placeFlags, sweepFlags } from '../../scenarios/sweep-flags.ts'
import { compilerMutants } from '../engine/table.ts'
import { FAMILIES, protocols } from './protocols.ts'

const { report: _report, ...output } = outputFlags

const flags = {
  only: optional({ metavar: 'TEXT', parse: text, help: 'try only mutants whose name contains TEXT' }),
  sample: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 100_000 }),
    help: 'try N mutants of each family, drawn by --seed (default: all)',
  }),
  seed: value({ metavar: 'N', fallback: '1', parse: integer({ min: 0 }), help: 'seed of the sample' }),
  seconds: value({
    metavar: 'N',
    fallback: '60',
    parse: number({ min: 1, max: 3600 }),
    help: 'CPU seconds of the search for each mutant',
  }),
  fast: toggle('run only the fast tests of a family'),
  ...placeFlags,
  keep: sweepFlags.keep,
  ...output,
}

async function main({ options, words, ...invocation }: Invocation<OptionsOf<typeof flags>>): Promise<Outcome> {
  const [what = 'compiler', ...families] = words
  if (what === 'compiler') return compilerMutants(invocation)
  if (what !== 'protocols') throw UsageError.unknown('kind of mutants', what, ['compiler', 'protocols'])
  const { fast, ...others } = options
  return protocols(families, { ...invocation, words, options: { ...others, slow: !fast } })
}

await runMain({
  name: 'mutants',
  path: 'test/mutants/run.ts',
  summary:
    'Makes small mistakes in the compiler of statecharts or in the protocols, and says which of them the tests find.',
  usage:
    'With --keep FILE an interrupted run continues, and mutants that were found are not tried again. Exit 1 if too few are found.',
  args: {
    usage: '[compiler | protocols [FAMILY...]]',
    least: 0,
    forms: [
      ['compiler', 'mutants of the compiled engine, tried on random machines (default)'],
      ['protocols', `mutants of the actors of all families, or of some: ${FAMILIES.join(', ')}`],
    ],
  },
  flags,
  main,
})
