/**
 * Compares strategies: the schedules and the CPU seconds until each bug is found, over several seeds.
 *
 * ```
 * npx tsx test/bugs/compare.ts [SEEDS [MOST [STRATEGY,... [SECONDS [bugs|mutants]]]]]     default 20 seeds, 200 schedules of each search
 * ```
 *
 * With SECONDS, no further seed of a bug is begun once its searches took that much CPU time. The mutants are those of held-out.ts.
 *
 * The first table has a row for each bug and strategy, with intervals of 95 %. The second one has a row for each strategy, and the
 * number of bugs for which it is near the best one: at most 1.2 times the mean cost of any other.
 *
 * Means alone cannot tell that. The schedules until a bug is found are nearly geometric, so the standard error of the ratio of two
 * equal strategies is 0.3 with 20 seeds, and the best of five means is too low by chance. Therefore each ratio has an interval:
 * a strategy is `near` if no interval is above 1.2, `far` if one lies above it, and otherwise `open`. The last line says how many bugs
 * a strategy would be near the best for by means if all were as good as the first one.
 */
import { textOf } from '../../lib/core/table.ts'
import { sum } from '../../lib/core/tally.ts'
import { baselineOf } from '../../lib/explore/explore.ts'
import { parseAllowed } from '../../lib/explore/fault-generator.ts'
import { STAGES } from '../mutants/stages.ts'
import { brokenActors, forget, mutatedActors } from './broken.ts'
import type { Bug } from './bug.ts'
import { BUGS } from './bugs.ts'
import { HELD_OUT, type HeldOut } from './held-out.ts'
import { hunt, stageOf } from './hunt.ts'
import {
  type CostOf,
  costRange,
  meanCost,
  NEAR,
  nearByChance,
  nearnessOf,
  type Range,
  ratioRange,
  type Trial,
} from './trials.ts'

const [
  seeds = '20',
  most = '200',
  named = 'portfolio,random,pos,pct:3,delay:2,guided',
  seconds = 'Infinity',
  which = 'bugs',
] = process.argv.slice(2)
const strategies = named.split(',')

/** The steps without progress that are a livelock: fewer than in other searches, where one livelock takes seconds. */
const LIVELOCK = 10_000

const schedulesOf: CostOf = ({ schedules }) => schedules
const cpuOf: CostOf = ({ cpu }) => cpu

/** A mistake to search for, on its stage. */
type Subject = Pick<Bug, 'name' | 'scenario' | 'args' | 'allowed' | 'property'> & {
  /** Makes the folder of the actors with the mistake. */
  actors(): URL
}

const SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  bugs: BUGS.map((bug) => ({ ...bug, actors: () => brokenActors(bug) })),
  mutants: HELD_OUT.map(subjectOf),
}

function subjectOf({ mutant, stage: place, property }: HeldOut): Subject {
  const [family = ''] = mutant.split('/')
  const stage = STAGES[family]?.[place]
  if (!stage || 'plans' in stage) throw new Error(`${family} has no stage ${place} for schedules`)
  const allowed = (stage.faults ?? []).map((fault) => parseAllowed(fault, 'faults'))
  return { ...stage, name: mutant, allowed, property, actors: () => mutatedActors(mutant) }
}

/** The trials of each strategy. Strategies take turns, so all of them run code that is equally warm. */
async function trialsOf(bug: Subject): Promise<Trial[][]> {
  const actors = bug.actors()
  const staged = stageOf(bug, actors)
  const specification = { ...staged, limits: { ...staged.limits, livelock: LIVELOCK } }
  const baseline = await baselineOf(specification)
  const trials = strategies.map((): Trial[] => [])
  for (let seed = 1; seed <= Number(seeds) && sum(trials.flat(), cpuOf) < Number(seconds); seed++) {
    for (let i = 0; i < strategies.length; i++) {
      const turn = (seed + i) % strategies.length
      const before = process.cpuUsage()
      const { schedules, failure } = await hunt(
        specification,
        bug,
        strategies[turn] ?? '',
        Number(most),
        seed,
        baseline,
      )
      const { user, system } = process.cpuUsage(before)
      trials[turn]?.push({ schedules, cpu: (user + system) / 1e6, isFound: failure !== undefined })
    }
  }
  forget(actors)
  return trials
}

const shown = (mean: number, [low, high]: Range, digits: number): string =>
  `${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`

const costText = (trials: readonly Trial[], costOf: CostOf, digits: number): string =>
  shown(meanCost(trials, costOf), costRange(trials, costOf), digits)

const subjects = SUBJECTS[which]
if (!subjects) throw new Error(`the last argument is ${which}: write ${Object.keys(SUBJECTS).join(' or ')}`)

const results: { readonly bug: string; readonly trials: readonly (readonly Trial[])[] }[] = []
for (const bug of subjects) {
  const trials = await trialsOf(bug)
  results.push({ bug: bug.name, trials })
  process.stderr.write(`${bug.name}: ${trials.map((one) => meanCost(one, schedulesOf).toFixed(1)).join(' ')}\n`)
}

const foundIn = (trials: readonly Trial[]): number => trials.filter(({ isFound }) => isFound).length

const rows = results.flatMap(({ bug, trials }) =>
  trials.map((own, i) => [
    bug,
    strategies[i] ?? '',
    `${foundIn(own)} of ${own.length}`,
    costText(own, schedulesOf, 1),
    costText(own, cpuOf, 2),
  ]),
)

/** For how many bugs a strategy is near the best: by its means, and by the intervals. */
function nearnessText(i: number, costOf: CostOf): string {
  let byMeans = 0
  const counts = { near: 0, open: 0, far: 0 }
  for (const { trials } of results) {
    const own = trials[i] ?? []
    const others = trials.filter((_, other) => other !== i)
    if (others.every((other) => meanCost(own, costOf) <= NEAR * meanCost(other, costOf))) byMeans++
    counts[nearnessOf(others.map((other) => ratioRange(own, other, costOf)))]++
  }
  return `${byMeans}: ${counts.near} / ${counts.open} / ${counts.far}`
}

const summary = strategies.map((strategy, i) => {
  const all = results.flatMap(({ trials }) => trials[i] ?? [])
  const total = (costOf: CostOf): number => sum(results, ({ trials }) => meanCost(trials[i] ?? [], costOf))
  return [
    strategy,
    total(schedulesOf).toFixed(0),
    total(cpuOf).toFixed(1),
    ((1000 * sum(all, cpuOf)) / sum(all, schedulesOf)).toFixed(1),
    `${all.length - foundIn(all)} of ${all.length}`,
    nearnessText(i, schedulesOf),
    nearnessText(i, cpuOf),
  ]
})

const near = 'near by means: near / open / far'
const tables = [
  { columns: ['bug', 'strategy', 'found', 'schedules', 'CPU s'], rows },
  {
    columns: [
      'strategy',
      'schedules',
      'CPU s',
      'CPU ms of a schedule',
      'in vain',
      `${near} (schedules)`,
      `${near} (CPU)`,
    ],
    rows: summary,
  },
]
for (const { columns, rows } of tables)
  process.stdout.write(`${textOf({ columns: columns.map((name) => ({ name })), rows })}\n`)

/** For how many bugs the first strategy would be near the best by its means, if the others were as good. */
const byChance = (costOf: CostOf): string =>
  sum(results, ({ trials: [first = []] }) => nearByChance(first, strategies.length - 1, costOf)).toFixed(1)

process.stdout.write(
  `if all strategies were as good as ${strategies[0]}, it would be near by means for ${byChance(schedulesOf)} of ${results.length} by schedules, and for ${byChance(cpuOf)} by CPU\n`,
)
