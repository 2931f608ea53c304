/**
 * Section 4 of Arpaci-Dusseau & Culler 1997: where to run a job. Figures 6, 7, 10 and 11, and asking machines at
 * random.
 */
import {
  type Invocation,
  integer,
  type OptionsOf,
  type Outcome,
  oneOf,
  optional,
  resultFile,
  runMain,
  seedFlags,
  text,
  toggle,
  value,
} from '../../lib/cli/index.ts'
import { csvText } from '../../lib/core/csv.ts'
import type { System } from '../../lib/system.ts'
import { figure6, figure7, figure10, figure11, type Part, ROWS_HEAD } from './placement/figures.ts'
import type { RunContext } from './placement/measure.ts'
import { askingAtRandom } from './placement/random.ts'

const FIGURES = ['6', '7', '10', '11', 'random'] as const
type Name = (typeof FIGURES)[number]

const flags = {
  ...seedFlags,
  figure: value({
    metavar: `${FIGURES.join('|')}|all`,
    fallback: 'all',
    parse: oneOf(...FIGURES, 'all'),
    help: 'figure to run; random: how even placement is if some machines are asked at random',
  }),
  full: toggle('run more seeds, and also ask all machines in the random placement'),
  seeds: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: 100 }),
    help: 'runs of each random figure, from --seed on (default 1; for random and with --full 3)',
  }),
  runtime: value({
    metavar: 'threads|inline',
    fallback: 'inline',
    parse: oneOf('threads', 'inline'),
    help: 'run each actor in a worker thread, or all in one thread; same results',
  }),
  jobsOut: optional({
    metavar: 'FILE',
    file: 'result',
    parse: text,
    help: 'write the processor time of each job on each machine (CSV)',
  }),
}

type Options = OptionsOf<typeof flags>

const play = (name: Name, seeds: number, full: boolean, context: RunContext): Promise<Part> => {
  switch (name) {
    case '6':
      return figure6(context)
    case '7':
      return figure7(context)
    case '10':
      return figure10(seeds, context)
    case '11':
      return figure11(seeds, context)
    case 'random':
      return askingAtRandom(seeds, full, context)
  }
}

/** The number of seeds: runs that ask at random need several, because they differ by more than the tolerance. */
const seedsOf = (name: Name, { seeds, full }: Options): number => seeds ?? (full || name === 'random' ? 3 : 1)

async function main({ options, note, onInterrupt }: Invocation<Options>): Promise<Outcome> {
  const { seed, full, runtime, figure, jobsOut } = options
  const writeJobs = resultFile(jobsOut, '--jobs-out')
  let playing: System | undefined
  onInterrupt(() => playing?.stop())
  const onSystem = (system: System) => {
    playing = system
  }
  const names = figure === 'all' ? FIGURES : [figure]
  const parts: [Name, Part][] = []
  for (const name of names) {
    note(`shares/placement, ${name}, seed ${seed}`)
    parts.push([name, await play(name, seedsOf(name, options), full, { seed, runtime, onSystem })])
  }
  const all = parts.map(([, part]) => part)
  writeJobs(csvText([ROWS_HEAD, ...all.flatMap(({ rows }) => rows)]))
  return {
    results: Object.fromEntries(
      parts.map(([name, { results }]) => [name === 'random' ? name : `figure${name}`, results]),
    ),
    checks: all.flatMap(({ checks }) => checks),
    messages: all.reduce((sum, { messages }) => sum + messages, 0),
    text: all.map((part) => part.text).join('\n'),
  }
}

await runMain({
  name: 'shares/placement',
  summary: 'Where to run a job: figures 6, 7, 10 and 11 of Arpaci-Dusseau & Culler 1997.',
  usage: 'Without flags: all figures. Always in virtual time, in milliseconds of the model.',
  flags,
  main,
})
