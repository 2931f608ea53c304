/** The command that records runs in real time on threads, with faults, and replays each: all actors, then one alone. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Invocation,
  integer,
  none,
  type OptionsOf,
  type Outcome,
  oneOf,
  optional,
  runMain,
  seedFlags,
  value,
} from '../../lib/cli/index.ts'
import { counted } from '../../lib/core/format.ts'
import { sum } from '../../lib/core/tally.ts'
import { Divergence } from '../../lib/replay/divergence.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { readTrace, type Trace } from '../../lib/trace/read.ts'
import { PLANS, recordRun } from './replay/runs.ts'

const NAMES = [...PLANS.keys()]

const flags = {
  seed: { ...seedFlags.seed, help: 'number of the first run of each family' },
  runs: value({
    metavar: 'N',
    fallback: '5',
    parse: integer({ min: 1, max: 100_000 }),
    help: 'runs of each family; the whole check has 100 and takes some minutes',
  }),
  only: optional({ metavar: NAMES.join('|'), parse: oneOf(...NAMES), help: 'run only one family' }),
  report: seedFlags.report,
  json: seedFlags.json,
  quiet: seedFlags.quiet,
  help: seedFlags.help,
}
type Options = OptionsOf<typeof flags>

interface Tally {
  readonly family: string
  readonly drifts: string[]
  runs: number
  steps: number
  deaths: number
  messages: number
}

async function main({ options, progress, onSystem }: Invocation<Options>): Promise<Outcome> {
  const { seed, runs, only } = options
  const families = NAMES.filter((name) => only === undefined || name === only)
  const folder = mkdtempSync(join(tmpdir(), 'bourse-replay-'))
  const tallies: Tally[] = []
  for (const [i, family] of families.entries()) {
    const tally: Tally = { family, drifts: [], runs: 0, steps: 0, deaths: 0, messages: 0 }
    tallies.push(tally)
    for (let n = seed; n < seed + runs; n++) {
      const path = join(folder, `${family.replace('/', '-')}-${n}.jsonl`)
      const { messages } = await recordRun(family, n, path, onSystem)
      const trace = readTrace(path)
      tally.messages += messages
      tally.deaths += trace.lines.filter(({ t }) => t === 'died').length
      const drift = trace.cutOff
        ? `the trace is cut off after line ${trace.cutOff.line}`
        : await driftOf(trace, tally, n)
      if (drift === undefined) rmSync(path)
      else tally.drifts.push(`${path}: ${drift}`)
      tally.runs++
      progress(i * runs + tally.runs, families.length * runs, `${family}, run ${n}`)
    }
  }
  if (tallies.every(({ drifts }) => drifts.length === 0)) rmSync(folder, { recursive: true })
  return {
    results: { families: tallies.map((tally) => ({ ...tally })) },
    checks: tallies.map(({ family, runs, drifts }) => none(`${family}: drifts in ${counted(runs, 'run')}`, drifts)),
    messages: sum(tallies, ({ messages }) => messages),
    tables: [
      {
        columns: ['family', 'runs', 'steps', 'deaths', 'identical'].map((name) => ({ name })),
        rows: tallies.map(({ family, runs, steps, deaths, drifts }) => [
          ...[family, runs, steps, deaths, runs - drifts.length],
        ]),
      },
    ],
  }
}

/** The first divergence, of the whole run or of one actor, as text. */
async function driftOf(trace: Trace, tally: Tally, n: number): Promise<string | undefined> {
  try {
    const whole = await Replay.open(trace)
    for (const _ of whole) tally.steps++
    const { incarnations } = whole.run
    for (const _ of await Replay.open(trace, incarnations[n % incarnations.length]?.who)) {
    }
    return undefined
  } catch (error) {
    if (error instanceof Divergence) return error.message
    throw error
  }
}

await runMain({
  name: 'lab/replay-soak',
  summary: 'Records runs in real time on threads, with deaths, restarts and losses, and replays each step by step.',
  usage: 'Exit 1 if a replay diverges; the output names its trace, which is kept.',
  flags,
  main,
})
