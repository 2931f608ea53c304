/** The wait of a job that all others outbid: the bound of section 3 as printed, the corrected bound, and real waits. */
import { PRESETS, type PresetName } from '../../actors/economy/terms.ts'
import { toUnits } from '../../lib/actor.ts'
import {
  duration,
  integer,
  none,
  number,
  type OptionsOf,
  optional,
  seedFlags,
  toggle,
  UsageError,
  value,
} from '../../lib/cli/index.ts'
import { plainOf, type ResultTable } from '../../lib/core/table.ts'
import type { Chart } from '../../lib/experiment/chart.ts'
import { outOf } from '../../lib/scenario/page.ts'
import type { Case, Figure } from '../study/figure.ts'
import { figureMain } from '../study/main.ts'
import { reportFlags, sweepFlags } from '../sweep-flags.ts'
import { casesOf } from './starvation/cases.ts'
import { type Ran, type Row, runner } from './starvation/study.ts'

/** The minutes of arrivals, by scale. */
const SPANS = { quick: 2000, standard: 10_000, full: 30_000 } as const

const flags = {
  ...seedFlags,
  quick: toggle('generate jobs for a short time (--span)'),
  full: toggle('generate jobs for a long time (--span)'),
  processors: value({
    metavar: 'N',
    fallback: '16',
    parse: integer({ min: 2, max: 128 }),
    help: 'processors of the machine in the cases with generated jobs',
  }),
  span: optional({
    metavar: 'T',
    parse: duration,
    help: `minutes of arrivals in these cases (default ${SPANS.standard}, with --quick ${SPANS.quick}, with --full ${SPANS.full})`,
  }),
  margin: value({
    metavar: 'D',
    fallback: '1',
    parse: number({ above: 0, max: 1e9 }),
    help: 'dollars per processor-minute by which the job outbids the others (delta of equation 6)',
  }),
  ...sweepFlags,
  ...reportFlags,
}

type Options = OptionsOf<typeof flags>

type Run = Case<Row, Ran> & { readonly name: string; readonly preset: PresetName }

/** A run with the names of its case. */
type Found = Ran & Pick<Run, 'name' | 'preset'>

const holds = (wait: number | null, bound: number): boolean => wait !== null && wait <= bound

const verdict = (wait: number | null, bound: number): string => (holds(wait, bound) ? 'holds' : 'fails')

const tableOf = (all: readonly Found[]): ResultTable => ({
  title: 'The wait of a job that all others outbid, in minutes',
  columns: [
    { name: 'case' },
    { name: 'preset', align: 'left' },
    { name: 'waited', digits: 1 },
    { name: 'bound as printed', digits: 1 },
    { name: 'printed', align: 'left' },
    { name: 'bound corrected', digits: 1 },
    { name: 'corrected', align: 'left' },
  ],
  rows: all.map(({ name, preset, wait, printed, corrected }) => [
    ...[name, preset, wait],
    ...[printed, verdict(wait, printed), corrected, verdict(wait, corrected)],
  ]),
  notes: notesOf(all),
})

/** Notes on the failures of the printed bound. Section 3 assumes that all that others can spend is in their savings. */
function notesOf(all: readonly Found[]): string[] {
  const failed = [...new Set(all.flatMap(({ name, wait, printed }) => (holds(wait, printed) ? [] : [name])))]
  if (failed.length === 0) return []
  return [
    `The printed bound fails: ${failed.join('; ')}.`,
    'M of equation 7 counts savings alone. But when the job can pay the price of equation 6, jobs of others may already hold',
    'money on their expense accounts. With these balances in M the bound holds. If users move no lump sums, the balances',
    'are at most the sum of all incomes since the beginning.',
  ]
}

/** Waits and bounds differ by powers of ten, and a logarithmic axis has no place for a wait of 0. */
const drawn = (minutes: number | null): number | null => (minutes !== null && minutes > 0 ? minutes : null)

function chartOf(all: readonly Found[]): Chart {
  const names = [...new Set(all.map(({ name }) => name))]
  const of = (preset: PresetName, value: (one: Found) => number | null) =>
    all.filter((one) => one.preset === preset).map((one) => ({ x: names.indexOf(one.name) + 1, y: drawn(value(one)) }))
  return {
    title: 'The wait of a job that all others outbid, and its bounds',
    x: { label: '', names },
    y: { label: 'wait', unit: 'minutes', log: true },
    series: PRESETS.flatMap((preset) => [
      { name: `waited, ${preset}`, points: of(preset, ({ wait }) => wait) },
      { name: `bound as printed, ${preset}`, points: of(preset, ({ printed }) => printed) },
      { name: `bound corrected, ${preset}`, points: of(preset, ({ corrected }) => corrected) },
    ]),
  }
}

const figure: Figure<Options, Row, Ran, Run> = {
  name: 'economy/starvation',
  summary:
    'The bound on the wait of a job (Stoica et al. 1995, section 3): as printed and as corrected, compared with real waits.',
  usage: 'Exit 1 if a job waits longer than the corrected bound, or a run violates an invariant.',
  flags,
  runner,
  plan: ({ seed, processors, span, margin, quick, full }) => {
    if (span === 0) throw UsageError.invalid('--span', 'a time > 0', '"0"')
    const standard = SPANS[full ? 'full' : quick ? 'quick' : 'standard']
    const crowd = { processors, span: span === undefined ? standard : toUnits(span) }
    return {
      cases: casesOf({ seed, ...crowd }).flatMap(({ name }, place) =>
        PRESETS.map((preset) => ({
          name,
          preset,
          labels: [name, preset],
          rows: [{ ...crowd, place, preset, margin }],
          quantities: () => [],
        })),
      ),
      show: (measured) => {
        const all = measured.flatMap(({ case: { name, preset }, ran: [ran = []] }) =>
          ran.map((one): Found => ({ name, preset, ...one })),
        )
        const table = tableOf(all)
        const beyond = all.flatMap(({ name, preset, wait, corrected }) =>
          holds(wait, corrected) ? [] : [`${name}, ${preset}: ${wait}, at most ${corrected}`],
        )
        return {
          tables: [table],
          values: table,
          answer: [
            `The bound as printed holds in ${outOf(all.filter(({ wait, printed }) => holds(wait, printed)).length, all.length)} runs, and the corrected bound in ${outOf(all.length - beyond.length, all.length)}.`,
          ],
          charts: [{ name: 'starvation', chart: chartOf(all) }],
          results: { table: plainOf(table) },
          checks: [none('waits beyond the corrected bound', beyond)],
        }
      },
    }
  },
}

await figureMain(figure)
