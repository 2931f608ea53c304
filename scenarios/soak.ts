/** The command that runs random fault plans of all families from one seed: a fresh one, unless it is given or kept. */
import { randomInt } from 'node:crypto'
import {
  type Invocation,
  integer,
  named,
  type OptionsOf,
  type Outcome,
  optional,
  outputFlags,
  runMain,
  UsageError,
} from '../lib/cli/index.ts'
import { isObject } from '../lib/core/data.ts'
import { sum } from '../lib/core/tally.ts'
import { Checkpoint } from '../lib/experiment/checkpoint.ts'
import { FAMILIES } from './families.ts'
import { exampleOf } from './family.ts'
import { FULL, planFlags } from './lab/faults/flags.ts'
import { faultStudy } from './lab/faults/study.ts'

const NAMES = FAMILIES.map(({ name }) => name)

const flags = {
  seed: optional({
    metavar: 'N',
    parse: integer({ min: 0 }),
    help: 'seed of the plans (default: the seed of the results in --keep, else a fresh one)',
  }),
  ...planFlags,
  plans: { ...planFlags.plans, fallback: `${FULL.plans}` },
  threads: { ...planFlags.threads, fallback: `${FULL.threads}` },
  ...outputFlags,
}

/** The seed of the last result in a file of kept results; undefined for a new file. */
function keptSeed(path: string): number | undefined {
  const point = new Checkpoint(path).lastPoint
  return isObject(point) && typeof point['seed'] === 'number' ? point['seed'] : undefined
}

async function main({ options, words, ...invocation }: Invocation<OptionsOf<typeof flags>>): Promise<Outcome> {
  const unknown = words.find((word) => !NAMES.includes(word))
  if (unknown !== undefined) throw UsageError.unknown('family', unknown, NAMES)
  const kept = options.keep === undefined ? undefined : keptSeed(options.keep)
  const seed = options.seed ?? kept ?? randomInt(2 ** 32)
  invocation.note(`seed ${seed}: add --seed ${seed} to run the same plans again`)
  const outcomes: Outcome[] = []
  for (const family of FAMILIES.filter((one) => words.length === 0 || words.includes(one.name))) {
    const [name, scenario] = exampleOf(family)
    const subject = { name, scenario, given: new Map<string, readonly string[]>() }
    const outcome = await faultStudy(subject, { ...invocation, words: [], options: { ...options, seed } })
    const checks = outcome.checks.map(named(name))
    const failed = checks.filter(({ ok }) => !ok)
    if (failed.length === 0) invocation.note(`${name}: all plans kept all promises`)
    for (const check of failed) invocation.note(`${check.name}: ${check.measured}`)
    outcomes.push({ ...outcome, checks })
  }
  return {
    results: { tables: outcomes.map(({ results }) => results['table'] ?? null) },
    checks: outcomes.flatMap(({ checks }) => checks),
    messages: sum(outcomes, ({ messages }) => messages),
    tables: outcomes.flatMap(({ tables = [] }) => tables),
    text: outcomes.map(({ text = '' }) => text).join(''),
  }
}

await runMain({
  name: 'soak',
  summary: 'Random fault plans of every family in turn, all drawn from one printed seed.',
  usage: 'With --keep the same command resumes an interrupted soak. Exit 1 if a plan broke a promise.',
  args: { usage: '[FAMILY...]', least: 0, forms: [[NAMES.join(', '), 'only these families (default: all)']] },
  flags,
  main,
})
