/** How the time of a site's decision grows with its waiting tasks, and that of a whole market with its tasks. */
import { firstOf } from '../../actors/contracts/queue.ts'
import { fieldOf, quote, type Site } from '../../actors/contracts/quote.ts'
import { type Heuristic, type HeuristicName, ranks } from '../../actors/contracts/ranks.ts'
import site from '../../actors/contracts/site.ts'
import { type Agreement, type Book, booksOf, type Entry } from '../../actors/contracts/site-state.ts'
import { useCharts } from '../../lib/actor/child-chart.ts'
import { ref, units } from '../../lib/actor.ts'
import { keyed } from '../../lib/core/random.ts'
import { runnerOf } from '../../lib/engine/charts.ts'
import { compiledEngine } from '../../lib/engine/compiled.ts'
import { contractsRun } from '../../scenarios/contracts/run.ts'
import { firstReward, marketOf } from '../../scenarios/contracts/study/point.ts'
import { FIGURES_6_AND_7 } from '../../scenarios/contracts/workload/mixes.ts'
import { inStep } from '../engine/in-step.ts'
import { each, growth } from './growth.ts'
import type { Measure, Row, Target } from './measure.ts'

/*
 * Expected powers of costs from a hundred to ten thousand tasks: 0.15 for log n (it doubles), 1 for n, 1.15 for n log n. Another
 * tenth allows for memory beyond the caches. A quadratic cost would have the power 2.
 */
const LOGARITHMIC = { most: 0.25 }
const LINEAR = { most: 1.1 }
const SORTING = { most: 1.25 }
const CONSTANT = { most: 0.1 }

interface Rule {
  readonly heuristic: Heuristic
  readonly bound: number | null
  /** The target for the CPU time of one dispatch. */
  readonly target: Target
}

const plain = (name: HeuristicName, target: Target): Rule => ({
  heuristic: { ...firstReward(0), name },
  bound: null,
  target,
})

const RULES: readonly Rule[] = [
  ...(['FCFS', 'SRPT', 'SWPT'] as const).map((name) => plain(name, LOGARITHMIC)),
  ...(['FirstPrice', 'PV'] as const).map((name) => plain(name, LINEAR)),
  { heuristic: firstReward(0), bound: null, target: LOGARITHMIC },
  { heuristic: firstReward(0.3), bound: null, target: LINEAR },
  { heuristic: firstReward(0), bound: 0, target: SORTING },
  { heuristic: firstReward(0.3), bound: 0, target: SORTING },
]

const nameOf = ({ heuristic: { name, alpha }, bound }: Rule): string =>
  name === 'FirstReward' ? `alpha ${alpha}, ${bound === null ? 'no bound' : `bound ${bound}`}` : name

/** Makes a task that has waited for a while; some tasks have waited in vain. */
function contract(task: number, bound: number | null): Agreement {
  const draw = (what: string) => keyed(1, what, task)
  const runtime = units(1 + 200 * draw('runtime'))
  return {
    task,
    arrival: units(1000 * draw('arrival')),
    runtime,
    worth: { shape: 'linear', value: 200 * draw('value'), decay: 0.01 + draw('decay'), bound },
    completion: 0,
    price: 0,
    client: ref('client@c1'),
  }
}

const NOW = units(1000)

/** Runs the charts of a site's contracts, which a book needs. */
const CHARTS = runnerOf(site, compiledEngine)

/** Runs a function as if a step of a site did. */
const inSite = <T>(run: () => T): T =>
  inStep(() => {
    useCharts(CHARTS)
    return run()
  })

const siteOf = ({ heuristic, bound }: Rule, waiting: number): Book =>
  inSite(() =>
    booksOf(heuristic).recover(
      Array.from({ length: waiting }, (_, task): Entry => ({ type: 'accepted', of: contract(task, bound) })),
    ),
  )

const viewOf = ({ waiting }: Book): Site => ({ now: NOW, idle: 1, running: [], held: [], waiting, challengers: null })

/** Starts the best task, and adds another in its place. */
function dispatch(book: Book, { heuristic, bound }: Rule, task: number): Book {
  const field = fieldOf(viewOf(book))
  const best = firstOf(book.waiting, field, ranks(heuristic, field, NOW))
  if (!best) throw new Error('no task waits')
  const entries: readonly Entry[] = [
    { type: 'started', task: best.task, on: 0, at: NOW },
    { type: 'settled', task: best.task, finish: NOW, paid: 0 },
    { type: 'paid', task: best.task },
    { type: 'accepted', of: contract(task, bound) },
  ]
  const { enter } = booksOf(heuristic)
  return entries.reduce((before, entry) => enter(before, entry, true)[0], book)
}

/** The number of rules at the end of the list that use FirstReward. */
const QUOTED = 4

/** The number of dispatches in a sample, so that it is long enough to measure. */
const timesOf = (waiting: number, target: Target): number =>
  target === LOGARITHMIC ? 2000 : Math.ceil(200_000 / waiting)

const dispatches = (rule: Rule, sizes: readonly number[], repeats: number) =>
  growth({
    name: `dispatch, ${nameOf(rule)}`,
    of: 'waiting',
    sizes,
    repeats,
    power: rule.target,
    sideOf: (waiting) => {
      let [book, task] = [siteOf(rule, waiting), waiting]
      const times = timesOf(waiting, rule.target)
      return () =>
        each(times, () =>
          inSite(() => {
            for (let i = 0; i < times; i++) book = dispatch(book, rule, task++)
          }),
        )
    },
  })

const quotes = (rule: Rule, sizes: readonly number[], repeats: number) =>
  growth({
    name: `quote, ${nameOf(rule)}`,
    of: 'waiting',
    sizes,
    repeats,
    power: SORTING,
    sideOf: (waiting) => {
      const site = viewOf(siteOf(rule, waiting))
      const times = timesOf(waiting, SORTING)
      return () =>
        each(times, () => {
          for (let i = 0; i < times; i++) quote(site, contract(waiting + i, rule.bound))
        })
    },
  })

/** A whole market with few waiting tasks at any time, so that only the history of the run grows. */
const market = (sizes: readonly number[], repeats: number) =>
  growth({
    name: 'task by messages, inline',
    of: 'tasks',
    sizes,
    repeats,
    power: CONSTANT,
    sideOf: (tasks) => {
      const market = marketOf({
        seed: 1,
        tasks,
        processors: 4,
        load: 0.5,
        mix: FIGURES_6_AND_7,
        preempt: 0,
        threshold: null,
        heuristic: firstReward(0.3),
      })
      return () =>
        each(tasks, async () => {
          const {
            oracle: { ledger },
          } = await contractsRun.run(market, { runtime: 'inline' })
          if (ledger.tasks.size !== tasks) throw new Error('not all have come')
        })
    },
  })

export const contracts: readonly Measure[] = [
  {
    name: 'contracts',
    run: async ({ repeats, quick }) => {
      const sizes = quick ? [10, 100] : [100, 1_000, 10_000]
      const rows: Row[] = []
      for (const rule of RULES) rows.push(...(await dispatches(rule, sizes, repeats)))
      for (const rule of RULES.slice(-QUOTED)) rows.push(...(await quotes(rule, sizes, repeats)))
      return [...rows, ...(await market(sizes, Math.min(repeats, 3)))]
    },
  },
]
