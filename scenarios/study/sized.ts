/** The figures of a paper whose runs have a size, such as a number of tasks: full ones are compared, quick ones are not. */
import type { Subject } from '../../lib/cli/help.ts'
import { type Flags, UsageError } from '../../lib/cli/index.ts'
import { type Column, type ResultTable, withoutEmpty } from '../../lib/core/table.ts'
import type { Claim } from '../../lib/experiment/claim.ts'
import { replicationSeeds } from '../../lib/experiment/replications.ts'
import type * as study from './figure.ts'
import { finder } from './figure.ts'
import type { Runner } from './points.ts'
import { isTooShort } from './series.ts'
import { csvTable, longTable } from './tables.ts'

/** The options of a sized figure; one with a single load has no `loads`. */
interface SizedOptions extends study.FigureOptions {
  readonly seed: number
  readonly full: boolean
  readonly seeds?: number | undefined
  readonly loads?: readonly number[] | undefined
}

/** The settings that the figures of one paper share. `Sized` is a row with the length of its run. */
interface Study<O extends SizedOptions, Row, Sized extends Row, Ran> {
  readonly runner: Runner<Sized, Ran>
  readonly claims: readonly Claim[]
  readonly flags: Flags<O>
  readonly seeds: { readonly quick: number; readonly full: number }
  /** The sizes of runs: `full` is the size behind the converged values, `quick` the default. */
  readonly sizes: { readonly quick: number; readonly full: number }
  readonly sizeOf: (options: O) => number | undefined
  readonly sized: (row: Row, size: number) => Sized
  /** Names the intervals and the tolerance, if they do not come from the spread of seeds: `± 90 % by batches`. */
  readonly precision?: { readonly ours: string; readonly tolerance: string }
  /** Describes a size, such as `500 minutes of arrivals`. */
  readonly print: (size: number) => string
}

export interface Case<Row, Ran> extends study.Case<Row, Ran> {
  /** Its load, if the figure has several. */
  readonly load?: number
}

/** A figure of the paper, apart from what it shares with the others. */
export interface Figure<Row, Ran> extends Subject {
  readonly title: string
  readonly labels: readonly Column[]
  readonly cases: readonly Case<Row, Ran>[]
  /** Whether a run without flags includes the case. */
  readonly isQuick: (one: Case<Row, Ran>) => boolean
  /** The tables to print; by default one with a line for each quantity. */
  readonly shown?: (found: readonly study.Found[]) => readonly ResultTable[]
  readonly charts: (found: readonly study.Found[]) => readonly study.Drawing[]
  readonly verdicts: (find: study.Find) => readonly study.Verdict[]
  /** The answer in one or two sentences, as far as it was run. `judged` finds only values of runs that are long enough. */
  readonly answer?: (find: study.Find, judged: study.Find) => readonly string[]
}

function chosen<Row, Ran>({ cases, isQuick }: Figure<Row, Ran>, { full, loads }: SizedOptions) {
  const all = [...new Set(cases.flatMap(({ load }) => load ?? []))].toSorted((one, other) => one - other)
  const unknown = loads?.find((load) => !all.includes(load))
  if (unknown !== undefined)
    throw UsageError.invalid('--loads', `among the loads of the figure (${all.join(', ')})`, String(unknown))
  return cases.filter((one) => (loads ? one.load !== undefined && loads.includes(one.load) : full || isQuick(one)))
}

/** Makes the figures of a study from what differs between them. */
export const figureOf =
  <O extends SizedOptions, Row, Sized extends Row, Ran>({
    runner,
    claims,
    flags,
    ...study
  }: Study<O, Row, Sized, Ran>) =>
  (figure: Figure<Row, Ran>): study.Figure<O, Sized, Ran> => ({
    ...figure,
    runner,
    claims,
    flags,
    plan: (options) => {
      const which = options.full ? 'full' : 'quick'
      const { seeds = study.seeds[which] } = options
      const size = study.sizeOf(options) ?? study.sizes[which]
      const isFull = size === study.sizes.full
      const { ours, tolerance } = study.precision ?? { ours: '± 95 %', tolerance: 'three standard errors' }
      return {
        about: `${seeds} seeds, ${study.print(size)}`,
        cases: chosen(figure, options).map(({ labels, rows, quantities }) => ({
          labels,
          rows: rows.map((row) => study.sized(row, size)),
          // all rows have the same seeds, and so the same random workloads
          seeds: replicationSeeds(options.seed, seeds),
          isComparable: isFull,
          quantities,
        })),
        show: (measured) => {
          const found = measured.flatMap((one) => one.found)
          const all: ResultTable = { title: figure.title, ...longTable(figure.labels, found) }
          const verdicts = figure.verdicts(finder(found)).map((one) => (isFull ? one : { ...one, holds: null }))
          return {
            tables: (figure.shown?.(found) ?? [all]).map(withoutEmpty),
            values: all,
            csv: [csvTable(figure.labels, found, verdicts)],
            charts: figure.charts(found),
            verdicts,
            answer: figure.answer?.(finder(found), finder(found.filter((one) => !isTooShort(one)))) ?? [],
            results: { size, seeds },
            notes: [
              `Ours: mean of ${seeds} seed${seeds === 1 ? '' : 's'} ${ours}; ${study.print(size)}.`,
              isFull
                ? `Converged: the result of another implementation of the same rules; the tolerance is ${tolerance}.`
                : `Not compared: the converged values are of ${study.print(study.sizes.full)}, and these runs are shorter.`,
            ],
          }
        },
      }
    },
  })
