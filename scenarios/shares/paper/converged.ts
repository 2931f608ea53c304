/**
 * The converged values of implicit coscheduling (runs of 60 s after 10 s of warm-up, means of 5 seeds). They are in
 * converged.json. A spin limit there is a name in `SPINS`, or `5W+0.5vg`: five context switches and half of the
 * greatest lateness of a process.
 */
import { isObject, type Plain } from '../../../lib/core/data.ts'
import { choiceIn, numberIn, plainIn, textIn, textsIn } from '../../../lib/core/decode.ts'
import data from './converged.json' with { type: 'json' }
import { DEFAULTS, type Parameters, SPINS, type Spin } from './parameters.ts'

/** A value and the largest difference from it that still counts as agreement. */
export type Tolerated = readonly [value: number, tolerance: number]

/** Says whether a run measures as long as those of the converged values: 60,000 milliseconds of the model. */
export const isLong = (measure: number): boolean => measure >= 60_000

/** One parallel job alone, spinning without end. */
interface Dedicated {
  readonly parameters: Parameters
  /** Barriers per second, to within a hundredth. */
  readonly rate: number
}

/**
 * Three equal parallel jobs, coscheduled implicitly. The paper prints no such table; it says that basic stride
 * scheduling loses throughput and that credit for sleepers wins it back (section 5.2).
 */
export interface Slowdown {
  readonly parameters: Parameters
  /** The slowdown compared with gang scheduling with slots of 100 ms; below 1 they are faster. */
  readonly slowdown: Tolerated
}

/** Three parallel jobs with tickets 1:2:3. */
export interface Progress {
  /** The parameters that differ from the defaults. */
  readonly varied: Partial<Parameters>
  readonly parameters: Parameters
  /** Barriers that the second and the third job pass for each barrier of the first. */
  readonly progress: readonly [Tolerated, Tolerated]
  /** Processor time of the second and the third job, per that of the first. */
  readonly cpu: readonly [number, number]
  /** The slowdown of all three compared with gang scheduling. */
  readonly slowdown: Tolerated
}

/** Barriers of the second and the third job per barrier of the first, as the paper measured them (section 5.2). */
export const PAPER = [1.8, 2.7] as const

/** A row of a table in the file, by the names of its columns. */
type Row = { readonly [column: string]: Plain }

/** The rows of a table. @throws TypeError unless every row has a cell for each column */
function rowsOf(name: string): readonly Row[] {
  const table = plainIn(data, name) ?? null
  const columns = textsIn(table, 'columns')
  const rows = plainIn(table, 'rows')
  if (!Array.isArray(rows)) throw new TypeError(`converged.json: "${name}" has no rows`)
  return rows.map((cells: Plain, i) => {
    if (Array.isArray(cells) && cells.length === columns.length) {
      return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null]))
    }
    throw new TypeError(`converged.json: row ${i + 1} of "${name}" does not have ${columns.length} cells`)
  })
}

function spinIn(from: Plain, key: string): Spin {
  const name = textIn(from, key)
  const known = Object.entries(SPINS).find(([one]) => one === name)
  if (known) return known[1]
  const [, switches, spread] = /^(\d+)W\+(\d+(?:\.\d+)?)vg$/.exec(name) ?? []
  if (switches === undefined || spread === undefined)
    throw new TypeError(`converged.json: unknown spin limit "${name}"`)
  return { switches: Number(switches), spread: Number(spread) }
}

function booleanIn(from: Plain, key: string): boolean {
  const value = plainIn(from, key)
  if (typeof value !== 'boolean') throw new TypeError(`converged.json: "${key}" is not true or false`)
  return value
}

/** How each parameter is read. */
const READERS: { readonly [K in keyof Parameters]: (from: Plain, key: string) => Parameters[K] } = {
  nodes: numberIn,
  granularity: numberIn,
  imbalance: numberIn,
  latency: numberIn,
  switching: numberIn,
  quantum: numberIn,
  spin: spinIn,
  credit: (from, key) => choiceIn(from, key, ['none', 'system']),
  catchUp: numberIn,
  cap: numberIn,
  competing: (from, key) => choiceIn(from, key, ['resident', 'active']),
  preempt: booleanIn,
  clamp: booleanIn,
}

const isParameter = (name: string): name is keyof Parameters => Object.hasOwn(READERS, name)

function variedIn(row: Row): Partial<Parameters> {
  const given = row['varied']
  if (!isObject(given)) throw new TypeError('converged.json: "varied" is not an object')
  let varied: Partial<Parameters> = {}
  for (const name of Object.keys(given)) {
    if (!isParameter(name)) throw new TypeError(`converged.json: unknown parameter "${name}"`)
    varied = { ...varied, [name]: READERS[name](given, name) }
  }
  return varied
}

/** The value of a column with its tolerance. */
const toleratedIn = (row: Row, column: string): Tolerated => [
  numberIn(row, column),
  numberIn(row, `${column}Tolerance`),
]

export const DEDICATED: readonly Dedicated[] = rowsOf('dedicated').map((row) => ({
  parameters: {
    ...DEFAULTS,
    nodes: numberIn(row, 'nodes'),
    granularity: numberIn(row, 'granularity'),
    imbalance: numberIn(row, 'imbalance'),
    latency: numberIn(row, 'latency'),
    spin: 'endless',
    credit: 'none',
  },
  rate: numberIn(row, 'rate'),
}))

/** A process that spins without end never sleeps, so those rows have no value with credit. */
export const SLOWDOWNS: readonly Slowdown[] = rowsOf('slowdowns').flatMap((row) => {
  const parameters: Parameters = {
    ...DEFAULTS,
    switching: numberIn(row, 'switching'),
    granularity: numberIn(row, 'granularity'),
    imbalance: numberIn(row, 'imbalance'),
    spin: spinIn(row, 'spin'),
  }
  const uncredited: Slowdown = { parameters: { ...parameters, credit: 'none' }, slowdown: toleratedIn(row, 'none') }
  return row['system'] === null ? [uncredited] : [uncredited, { parameters, slowdown: toleratedIn(row, 'system') }]
})

export const PROGRESS: readonly Progress[] = rowsOf('progress').map((row) => {
  const varied = variedIn(row)
  return {
    varied,
    parameters: { ...DEFAULTS, ...varied },
    progress: [toleratedIn(row, 'second'), toleratedIn(row, 'third')],
    cpu: [numberIn(row, 'cpuOfSecond'), numberIn(row, 'cpuOfThird')],
    slowdown: toleratedIn(row, 'slowdown'),
  }
})

/**
 * Barriers per second of one job alone, by formula: a round lasts as long as the longest of `nodes` uniform
 * computations, and the way to the barrier and back.
 */
export const dedicatedRate = ({ nodes, granularity, imbalance, latency }: Parameters): number =>
  1000 / (granularity * (1 - imbalance / 2 + (imbalance * nodes) / (nodes + 1)) + 2 * latency)
