/**
 * McCann 1994, figures 5.6 and 5.7: the response time of a job over its time alone, by load and multiprogramming limit.
 */
import { EQUI_RULES } from '../../actors/mesh/equi.ts'
import { meshText, processorsOf } from '../../actors/mesh/mesh.ts'
import { BASELINE } from '../../actors/mesh/model.ts'
import { units } from '../../lib/actor.ts'
import {
  choice,
  integer,
  type OptionsOf,
  type Parser,
  positiveNumbers,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { quoted } from '../../lib/core/format.ts'
import type { ResultTable } from '../../lib/core/table.ts'
import { calculated, type Drawing, known, type Numbers, type Quantity } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { blowUp, idealBlowUp } from './formulas/birth-death.ts'
import { OVERHEADS, overheadOf } from './formulas/overhead.ts'
import { efficiencyOf, policiesOf } from './formulas/policies.ts'
import { modelFlags, outFlags } from './model-flags.ts'
import { BLOW_UPS, LIMITED } from './paper/converged.ts'
import { FACTS, openUnless, verdictsOf } from './paper/facts.ts'

const LOADS = '0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.85,0.9,0.95'
const LIMITS = '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,20,24,32,64'

const loadsOf: Parser<readonly number[]> = (given, flag) => {
  const loads = positiveNumbers(given, flag)
  if (loads.some((load) => load >= 1)) throw UsageError.invalid(flag, 'loads below 1', quoted(given))
  return loads
}

const flags = {
  ...modelFlags,
  loads: value({
    metavar: 'U,...',
    fallback: LOADS,
    parse: loadsOf,
    help: 'mean number of arrivals in the time that a job takes alone, below 1',
  }),
  limits: value({
    metavar: 'L,...',
    fallback: LIMITS,
    parse: (given, flag) => given.split(',').map((one) => integer({ min: 1, max: 1024 })(one, flag)),
    help: 'most jobs that run at once, up to the number of processors; others wait',
  }),
  overhead: choice({
    of: OVERHEADS,
    fallback: 'derived',
    help: 'cost of rotations: derived from the partitions, or by equation 5.4 as printed',
  }),
  ...outFlags,
}
type Options = OptionsOf<typeof flags>

/** A line of the chart: efficiency preservation by number of jobs. */
interface Line {
  readonly name: string
  readonly efficiency: (jobs: number) => number
}

function linesOf({ mesh, rules, overhead }: Options): readonly Line[] {
  const machine = { ...BASELINE, mesh }
  const still = Object.entries(policiesOf(EQUI_RULES[rules])).map(([name, policy]) => ({
    name,
    efficiency: remembered(efficiencyOf(machine, policy)),
  }))
  const fold = still.at(-1)?.efficiency ?? (() => Number.NaN)
  const rotating = (name: string, seconds: (jobs: number) => number): Line => ({
    name,
    efficiency: (jobs) => fold(jobs) * (1 - overheadOf(machine, jobs, units(seconds(jobs)), overhead)),
  })
  return [
    ...still,
    rotating('FOLD 20 s', () => 20),
    rotating('FOLD 200 s', () => 200),
    rotating('FOLD 20 J s', (jobs) => 20 * jobs),
  ]
}

function remembered(of: (jobs: number) => number): (jobs: number) => number {
  const known = new Map<number, number>()
  return (jobs) => {
    const value = known.get(jobs) ?? of(jobs)
    known.set(jobs, value)
    return value
  }
}

/** A value in a table; an infinite one is the text `Infinity`. */
const shown = (ratio: number): number | string => (Number.isFinite(ratio) ? ratio : 'unbounded')

const byLoad = ({ mesh, loads }: Options, lines: readonly Line[]): ResultTable => ({
  title: `Mean response time over the time alone on ${meshText(mesh)}, by load; as many jobs run as there are processors`,
  columns: [
    { name: 'load', align: 'right' },
    ...['no loss', ...lines.map(({ name }) => name)].map((name) => ({ name, digits: 3 })),
  ],
  rows: loads.map((load) => [
    ...[load, idealBlowUp(load)],
    ...lines.map(({ efficiency }) => shown(blowUp(load, efficiency, processorsOf(mesh)))),
  ]),
  notes: [
    'Poisson arrivals, exponential times, a birth-death process. FOLD with an interval rotates; 20 J s: times the number of jobs.',
  ],
})

/** The two lines with reference values. */
const limitedLines = (lines: readonly Line[]) => lines.filter(({ name }) => name === 'EQUI+' || name === 'FOLD')

const limitsOn = ({ mesh, limits }: Options): readonly number[] => limits.filter((limit) => limit <= processorsOf(mesh))

function byLimit(options: Options, lines: readonly Line[]): ResultTable {
  const { mesh, loads } = options
  const some = limitedLines(lines)
  const heavy = loads.filter((load) => load >= HEAVY)
  return {
    title: `The same on ${meshText(mesh)}, by limit on running jobs`,
    columns: [
      { name: 'limit', align: 'right' },
      ...heavy.flatMap((load) => some.map(({ name }) => ({ name: `${name} ${load}`, digits: 3 }))),
    ],
    rows: limitsOn(options).map((limit) => [
      limit,
      ...heavy.flatMap((load) => some.map(({ efficiency }) => shown(blowUp(load, efficiency, limit)))),
    ]),
    notes: ['One column for each load; unbounded: with this limit more jobs arrive than end.'],
  }
}

/** The load below which a limit changes little. */
const HEAVY = 0.5

function chartsOf(options: Options, lines: readonly Line[]): readonly Drawing[] {
  const { mesh, loads } = options
  // larger values would leave no room for the others
  const y = { label: 'response time over time alone', min: 0, cut: { above: 50 } }
  const point = (x: number, ratio: number) => ({ x, y: Number.isFinite(ratio) ? ratio : null })
  const of = (efficiency: Line['efficiency'], load: number, limit: number) => blowUp(load, efficiency, limit)
  return [
    {
      name: 'blow-up',
      chart: {
        title: 'Blow-up by load, without a limit',
        x: { label: 'load', min: 0, max: 1 },
        y,
        series: [
          { name: 'no loss', points: loads.map((load) => point(load, idealBlowUp(load))) },
          ...lines.map(({ name, efficiency }) => ({
            name,
            points: loads.map((load) => point(load, of(efficiency, load, processorsOf(mesh)))),
          })),
        ],
      },
    },
    {
      name: 'blow-up-limited',
      chart: {
        title: 'Blow-up by multiprogramming limit',
        x: { label: 'limit', min: 0 },
        y,
        series: [0.5, 0.7, 0.8, 0.9].flatMap((load) =>
          limitedLines(lines).map(({ name, efficiency }) => ({
            name: `${name}, load ${load}`,
            points: limitsOn(options).map((limit) => point(limit, of(efficiency, load, limit))),
          })),
        ),
      },
    },
  ]
}

const TOLERANCE = 1e-4

function columnOf(name: string, { rules, overhead }: Options): string {
  const equi = { standard: '', H: 'Ties', R: ' unknown' }[rules]
  const fold = overhead === 'derived' ? 'fold' : 'printed'
  const columns = new Map([
    ['EQUI', `equi${equi}`],
    ['EQUI+', `equiPlus${equi}`],
    ['FOLD', 'fold'],
    ['FOLD 20 s', `${fold}20`],
    ['FOLD 200 s', `${fold}200`],
    ['FOLD 20 J s', `${fold}20PerJob`],
  ])
  return columns.get(name) ?? ''
}

function knownOf(options: Options, lines: readonly Line[]): Quantity[] {
  const { mesh, loads, limits, rules } = options
  if (meshText(mesh) !== '16x16') return []
  const unlimited = BLOW_UPS.filter(({ load = 0 }) => loads.includes(load)).flatMap(({ load = 0, ...row }) =>
    lines.flatMap(({ name, efficiency }) => {
      const expected = row[columnOf(name, options)]
      if (expected === undefined) return []
      return [known(`${name}, load ${load}`, blowUp(load, efficiency, 256), expected, TOLERANCE)]
    }),
  )
  const limited = LIMITED.filter(({ load = 0, limit = 0 }) => loads.includes(load) && limits.includes(limit)).flatMap(
    ({ load = 0, limit = 0, ...row }) =>
      limitedLines(lines).flatMap(({ name, efficiency }) => {
        const expected = rules === 'standard' ? row[name === 'FOLD' ? 'fold' : 'equiPlus'] : undefined
        if (expected === undefined) return []
        const ours = blowUp(load, efficiency, limit)
        return [known(`${name}, load ${load}, limit ${limit}`, ours, expected, TOLERANCE)]
      }),
  )
  return [...unlimited, ...limited]
}

function factsOf({ mesh, rules, overhead }: Options, lines: readonly Line[]): Numbers {
  const all = processorsOf(mesh)
  const of = (wanted: string): Line['efficiency'] =>
    lines.find(({ name }) => name === wanted)?.efficiency ?? (() => Number.NaN)
  const equi = of('EQUI')
  const [right, printed] = [blowUp(0.5, equi, all), blowUp(0.5, (jobs) => 1 / equi(jobs), all)]
  const [often, seldom, byJobs] = ['FOLD 20 s', 'FOLD 200 s', 'FOLD 20 J s'].map((name) => blowUp(0.95, of(name), all))
  const three = (...values: readonly (number | undefined)[]) => values.map((one) => one?.toFixed(3)).join(', ')
  return openUnless(meshText(mesh) === '16x16' && rules === 'standard' && overhead === 'derived', {
    B1: {
      ours: `EQUI at load 0.5: ${three(right)}; with 1 / (E EP) ${three(printed)}, better than without any loss (2)`,
      holds: printed < idealBlowUp(0.5) && right > idealBlowUp(0.5),
    },
    B2: {
      ours: `at load 0.95 every 20 s ${three(often)}, every 200 s ${three(seldom)}, every 20 J s ${three(byJobs)}`,
      holds: (often ?? 0) > 5 * (seldom ?? 0) && Math.abs((byJobs ?? 0) / (seldom ?? 0) - 1) < 0.1,
    },
  })
}

await figureMain({
  name: 'mesh/birth-death',
  summary:
    'Response times under EQUI, EQUI+ and folding as a birth-death process, by load and limit (McCann 1994, figures 5.6 and 5.7).',
  flags,
  claims: FACTS,
  plan: (options) => {
    const lines = linesOf(options)
    return {
      cases: [calculated(knownOf(options, lines))],
      show: () => ({
        tables: [byLoad(options, lines), byLimit(options, lines)],
        values: {
          columns: ['load', 'limit', 'policy', 'blow-up'].map((name) => ({ name })),
          rows: options.loads.flatMap((load) =>
            [...new Set([...limitsOn(options), processorsOf(options.mesh)])].flatMap((limit) =>
              lines.map(({ name, efficiency }) => [load, limit, name, shown(blowUp(load, efficiency, limit))]),
            ),
          ),
        },
        charts: chartsOf(options, lines),
        verdicts: verdictsOf(factsOf(options, lines)),
      }),
    }
  },
})
