/** McCann 1994, chapter 6: jobs with a minimum number of processors, under BUDDY and EQUI-EPOCH. */
import { compare, equal, fractionText, ONE, sum } from '../../actors/mesh/fraction.ts'
import { isPowerOfTwo } from '../../actors/mesh/mesh.ts'
import { buddy, epochs, swapped } from '../../actors/mesh/timetable.ts'
import { integer, type OptionsOf, optional, type Parser, UsageError } from '../../lib/cli/index.ts'
import type { ResultTable } from '../../lib/core/table.ts'
import { calculated, known, type Numbers, type Quantity } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { svgOfPlan, textOfPlan } from './memory/drawing.ts'
import { type Plan, plansOf } from './memory/plan.ts'
import { outFlags } from './model-flags.ts'
import { EXAMPLES, type Example } from './paper/examples.ts'
import { FACTS, verdictsOf } from './paper/facts.ts'

const PROCESSORS_MAX = 1024
const JOBS_MAX = 256

const minimaOf: Parser<readonly number[]> = (given, flag) => {
  const minima = given.split(',').map((one) => integer({ min: 1, max: PROCESSORS_MAX })(one, flag))
  if (minima.length > JOBS_MAX) throw UsageError.tooMany(flag, `${JOBS_MAX} jobs`, `${minima.length}`)
  return minima
}

const flags = {
  processors: optional({
    metavar: 'N',
    parse: integer({ min: 1, max: PROCESSORS_MAX }),
    help: 'processors that jobs share; BUDDY needs a power of two',
  }),
  minima: optional({
    metavar: 'N,...',
    parse: minimaOf,
    help: 'least number of processors for each job',
  }),
  ...outFlags,
}
type Options = OptionsOf<typeof flags>

type Case = Pick<Example, 'processors' | 'minima'> & Partial<Example>

/** @throws UsageError for one of the two flags alone, and for a job that is larger than the machine */
function casesOf({ processors, minima }: Options): readonly Case[] {
  if (processors === undefined && minima === undefined) return EXAMPLES
  if (processors === undefined) throw UsageError.requires('--minima', '--processors')
  if (minima === undefined) throw UsageError.requires('--processors', '--minima')
  const large = minima.find((minimum) => minimum > processors)
  if (large !== undefined) throw UsageError.invalid('--minima', `at most --processors (${processors})`, `${large}`)
  return [{ processors, minima }]
}

/** The most minima that are listed; longer lists are cut. */
const SHOWN = 12

function nameOf({ processors, minima, where }: Case): string {
  const shown = minima.slice(0, SHOWN).join(' ')
  const more = minima.length > SHOWN ? ` ... (${minima.length} jobs)` : ''
  return `minima ${shown}${more} on ${processors} processors${where === undefined ? '' : ` (${where})`}`
}

function tableOf(one: Case, plan: Plan): ResultTable {
  const { policy, pieces, cost, epochs: count } = plan
  const drawn = textOfPlan(plan, one.processors)
  const isPlaced = pieces.some(({ where }) => where !== null)
  const names = ['job', 'minimum', 'processors', 'from', 'to', 'part of the period', ...(isPlaced ? ['on a mesh'] : [])]
  return {
    title: `${policy}, ${nameOf(one)}: ${cost} exchanged in a period${count === null ? '' : `, ${count} ${count === 1 ? 'epoch' : 'epochs'}`}`,
    columns: names.map((name) => ({ name, align: 'right' as const })),
    rows: pieces.map(({ job, minimum, x, width, start, lasts, where }) => [
      ...[job, minimum, `${x} to ${x + width - 1}`],
      ...[fractionText(start), fractionText(sum(start, lasts)), fractionText(lasts)],
      ...(where === null ? [] : [where]),
    ]),
    notes: drawn === null ? [] : [['Processors from left to right, time downwards:', ...drawn].join('\n')],
  }
}

const costs = (all: readonly (readonly [Case, readonly Plan[]])[]): ResultTable => ({
  title: 'Processors whose threads are exchanged in a period',
  columns: [{ name: 'jobs' }, { name: 'BUDDY' }, { name: 'EQUI-EPOCH' }, { name: 'epochs' }],
  rows: all.map(([one, plans]) => {
    const of = (policy: Plan['policy']) => plans.find((plan) => plan.policy === policy)
    return [nameOf(one), of('BUDDY')?.cost ?? null, of('EQUI-EPOCH')?.cost ?? null, of('EQUI-EPOCH')?.epochs ?? null]
  }),
  notes: all.some(([{ processors }]) => !isPowerOfTwo(processors))
    ? ['-: BUDDY needs a power of two of processors.']
    : [],
})

function knownOf([one, plans]: readonly [Case, readonly Plan[]]): Quantity[] {
  return plans.flatMap(({ policy, cost, epochs: count }) => {
    const values = [
      { of: 'exchanged', ours: cost, expected: one.costs?.[policy] },
      { of: 'epochs', ours: count, expected: one.epochs },
    ]
    return values.flatMap(({ of, ours, expected }) =>
      ours === null || expected === undefined ? [] : [known(`${policy}, ${nameOf(one)}, ${of}`, ours, expected, 0)],
    )
  })
}

/** The results of the examples of the thesis. */
function factsOf(): Numbers {
  const widths = buddy(16, [2, 2, 4, 8, 8, 8, 8, 16]).map(({ width }) => width)
  const three = [2, 2, 4, 4, 4, 8, 8, 8]
  const stack = buddy(8, [1, 1, 1, 4, 4, 8, 8, 8])
  const resting = stack.map((below) =>
    stack.filter(({ x, y }) => x >= below.x && x < below.x + below.width && equal(y, sum(below.y, below.height))),
  )
  const most = resting.reduce((one, other) => (other.length > one.length ? other : one))
  const last = epochs(12, [2, 3, 3, 4, 4, 4, 5, 6])
  const [all, half] = [epochs(140, new Array<number>(10).fill(20)), epochs(140, new Array<number>(5).fill(20))]
  const [smallest, largest] = [epochs(16, [4, 4, 4, 4, 8]), [...epochs(16, [4, 8]), ...epochs(16, [4, 4, 4])]]
  const isAlike = EXAMPLES.filter(({ processors }) => isPowerOfTwo(processors)).every(({ processors, minima }) =>
    buddy(processors, minima).every(
      ({ width, height }) => width > processors / minima.length === compare(height, ONE) < 0,
    ),
  )
  return {
    U2: { ours: `widths ${widths.join(' ')}`, holds: widths.filter((width) => width === 16).length === 2 },
    U3: {
      ours: `${swapped(buddy(16, three))} against ${16 * epochs(16, three).length}, ${epochs(16, three).length} epochs`,
      holds: swapped(buddy(16, three)) < 16 * epochs(16, three).length && epochs(16, three).length === 3,
    },
    U4: { ours: `blocks of ${most.map(({ width }) => width).join(', ')} on one`, holds: most.length === 3 },
    C1: {
      ours: `${last.map(({ jobs }) => jobs.length).join(', ')} jobs with ${last.map(({ width }) => width).join(', ')} processors each`,
      holds: last.map(({ jobs }) => jobs.length).join() === '3,3,2' && last.at(-1)?.width === 6,
    },
    C2: {
      ours: `${all.length} epochs; five jobs and five need ${2 * half.length}`,
      holds: all.length === 3 && 2 * half.length === 2,
    },
    C3: {
      ours: `${smallest.length}; with the largest first ${largest.length}`,
      holds: smallest.length === 2 && largest.length === 3,
    },
    O1: { ours: 'in all examples a job is wider than P / J where its height is below 1', holds: isAlike },
  }
}

await figureMain({
  name: 'mesh/memory',
  summary:
    'Jobs with a least number of processors, under BUDDY and EQUI-EPOCH: their processors over time, and the cost (McCann 1994, chapter 6).',
  usage:
    "Without --processors and --minima: the thesis's examples. Exit 1 if a value or a fact differs from the known one.",
  flags,
  claims: FACTS,
  plan: (options) => {
    const all = casesOf(options).map((one) => [one, plansOf(one.processors, one.minima)] as const)
    const plans = all.flatMap(([one, those], i) => those.map((plan) => ({ one, plan, number: i + 1 })))
    return {
      cases: [calculated(all.flatMap(knownOf))],
      show: () => ({
        tables: [...plans.map(({ one, plan }) => tableOf(one, plan)), costs(all)],
        values: {
          columns: ['processors', 'minima', 'policy', 'job', 'minimum', 'x', 'width', 'start', 'lasts'].map((name) => ({
            name,
          })),
          rows: plans.flatMap(({ one, plan }) =>
            plan.pieces.map(({ job, minimum, x, width, start, lasts }) => [
              ...[one.processors, one.minima.join(' '), plan.policy, job, minimum, x, width],
              ...[fractionText(start), fractionText(lasts)],
            ]),
          ),
        },
        charts: plans.map(({ one, plan, number }) => {
          const name = `${plan.policy.toLowerCase()}-${number}`
          return {
            name,
            chart: { title: name, says: 'Its numbers are in the tables.', svg: svgOfPlan(plan, one.processors) },
          }
        }),
        verdicts: options.minima === undefined ? verdictsOf(factsOf()) : [],
      }),
    }
  },
})
