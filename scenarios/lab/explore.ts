/** Looks for schedules and faults under which a scenario breaks what it promises, and makes those it finds small. */
import { availableParallelism } from 'node:os'
import {
  commonFlags,
  type Invocation,
  integer,
  none,
  number,
  type OptionsOf,
  type Outcome,
  optional,
  repeated,
  runMain,
  signalOf,
  value,
} from '../../lib/cli.ts'
import { parseAllowed } from '../../lib/explore/budget.ts'
import { strategyOf } from '../../lib/explore/strategies/strategies.ts'
import { sweepFlags } from '../sweep-flags.ts'
import { type Case, caseOf } from './explore/case.ts'
import { type Searched, search } from './explore/search.ts'
import { explorableOf } from './stages.ts'
import { namedIn, subjectFlags, subjectOf } from './subject.ts'

const ownFlags = {
  ...commonFlags,
  ...subjectFlags,
  schedules: value({
    metavar: 'N',
    fallback: '1000',
    parse: integer({ min: 1, max: 10_000_000 }),
    help: 'how many runs',
  }),
  strategy: value({
    metavar: 'fifo|random|pct:D|delay:K',
    fallback: 'random',
    parse: (given: string, flag: string) => {
      strategyOf(given, flag)
      return given
    },
    help: 'how schedules are chosen',
  }),
  faults: repeated({
    metavar: 'SPEC',
    parse: (given: string, flag: string) => {
      parseAllowed(given, flag)
      return given
    },
    help: 'what may happen, drawn anew for each run: "kill any ROLE [N]", "restart any ROLE [N]", "lose [N]", "double [N]"',
  }),
  seconds: optional({ metavar: 'S', parse: number({ above: 0 }), help: 'stop after so long' }),
  parallel: sweepFlags.parallel,
}

type Options = OptionsOf<typeof ownFlags>

const args = process.argv.slice(2)
const { flags: scenarioFlags } = explorableOf(namedIn(args))

async function main(invocation: Invocation<Options>): Promise<Outcome> {
  const { options, progress, note } = invocation
  const { schedules, strategy, seed, faults: allowed, seconds, parallel = availableParallelism() } = options
  const { name, explorable, given } = subjectOf(args, ownFlags)
  explorable.stage(given) // what is wrong with the flags is said here, not by a process of the search
  note(`${name}, seed ${seed}: ${schedules} schedules, ${strategy}${allowed.map((text) => `, may ${text}`).join('')}`)
  const quest = { scenario: name, given: [...given], strategy, seed, allowed }
  const found = await search(quest, {
    ...{ schedules, seconds, parallel, signal: signalOf(invocation) },
    onDone: (done) => progress(done, schedules, `${done} schedules`),
  })
  const cases: Case[] = []
  for (const failure of found.failures) cases.push(await caseOf(quest, failure))
  const rate = found.schedules / found.seconds
  return {
    results: {
      ...{ schedules: found.schedules, asked: schedules, outOfTime: found.outOfTime },
      ...{ outcomes: found.outcomes.size, decisions: found.decisions, steps: found.steps },
      ...{ failed: found.failed, schedulesPerSecond: rate, cases: cases.map((one) => ({ ...one })) },
    },
    checks: [
      none(
        `broken promises in ${found.schedules} schedules`,
        found.failures.map(({ violations }) => violations[0]?.property ?? ''),
      ),
    ],
    messages: 0,
    text: [statistics(found, schedules, rate), ...cases.map(caseText)].join('\n\n'),
  }
}

const statistics = (found: Searched, asked: number, rate: number): string =>
  [
    `schedules ${found.schedules}${found.outOfTime ? ` of ${asked}, for the time was up (--seconds)` : ''}, ` +
      `distinct outcomes ${found.outcomes.size}, failed ${found.failed}`,
    `decisions ${found.decisions}, steps ${found.steps}, schedules per second ${rate.toFixed(0)}`,
  ].join('\n')

const caseText = ({ property, text, sentences, runs, command, tasks }: Case): string =>
  [
    `${property}: ${text}`,
    `  with ${tasks} tasks, found small by ${runs} runs:`,
    ...sentences.map((sentence) => `  - ${sentence}`),
    '  again, inline or with a thread per actor:',
    `  ${command} --runtime inline`,
  ].join('\n')

await runMain({
  name: 'lab/explore',
  summary: 'Explores the schedules of a scenario, and shrinks the runs in which it breaks a promise.',
  usage: 'The scenario is run inline, again and again; its own flags say what is run. --help lists them too.',
  flags: { ...scenarioFlags, ...ownFlags },
  main,
})
