/**
 * The converged values of implicit coscheduling (runs of 60 s after 10 s of warm-up, means of 5 seeds). They are in
 * converged.json. A spin limit there is a name in `SPINS`, or `5W+0.5vg`: five context switches and half of the
 * greatest lateness of a process.
 */
import * as v from 'valibot'
import { decoderOf } from '../../../lib/core/decode.ts'
import { tableOf } from '../../study/paper.ts'
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

/** A name in `SPINS`, or a text such as `5W+0.5vg`. */
const SPIN = v.union([
  ...Object.entries(SPINS).map(([name, spin]) =>
    v.pipe(
      v.literal(name),
      v.transform((): Spin => spin),
    ),
  ),
  v.pipe(
    v.string(),
    v.regex(/^\d+W\+[\d.]+vg$/),
    v.transform((text): Spin => {
      const [switches = Number.NaN, spread = Number.NaN] = text.split('W+').map(Number.parseFloat)
      return { switches, spread }
    }),
  ),
])

const NUMBER = v.exactOptional(v.number())

/** The parameters that differ from the defaults. */
const VARIED = v.strictObject({
  nodes: NUMBER,
  granularity: NUMBER,
  imbalance: NUMBER,
  latency: NUMBER,
  switching: NUMBER,
  quantum: NUMBER,
  spin: v.exactOptional(SPIN),
  preempt: v.exactOptional(v.boolean()),
  credit: v.exactOptional(v.picklist(['none', 'system'])),
  catchUp: NUMBER,
  cap: NUMBER,
  competing: v.exactOptional(v.picklist(['resident', 'active'])),
  clamp: v.exactOptional(v.boolean()),
})

const DEDICATED_ROW = v.object({
  nodes: v.number(),
  granularity: v.number(),
  imbalance: v.number(),
  latency: v.number(),
  rate: v.number(),
})

export const DEDICATED: readonly Dedicated[] = decoderOf(tableOf(DEDICATED_ROW))(data.dedicated).map(
  ({ rate, ...given }) => ({ parameters: { ...DEFAULTS, ...given, spin: 'endless', credit: 'none' }, rate }),
)

const SLOWDOWN_ROW = v.object({
  switching: v.number(),
  granularity: v.number(),
  imbalance: v.number(),
  spin: SPIN,
  /** The slowdown by the credit for sleepers. */
  none: v.number(),
  noneTolerance: v.number(),
  system: v.nullable(v.number()),
  systemTolerance: v.nullable(v.number()),
})

/** A process that spins without end never sleeps, so those rows have no value with credit. */
export const SLOWDOWNS: readonly Slowdown[] = decoderOf(tableOf(SLOWDOWN_ROW))(data.slowdowns).flatMap(
  ({ none, noneTolerance, system, systemTolerance, ...given }): readonly Slowdown[] => {
    const parameters = { ...DEFAULTS, ...given }
    const uncredited: Slowdown = { parameters: { ...parameters, credit: 'none' }, slowdown: [none, noneTolerance] }
    if (system === null || systemTolerance === null) return [uncredited]
    return [uncredited, { parameters, slowdown: [system, systemTolerance] }]
  },
)

const PROGRESS_ROW = v.object({
  varied: VARIED,
  second: v.number(),
  secondTolerance: v.number(),
  third: v.number(),
  thirdTolerance: v.number(),
  cpuOfSecond: v.number(),
  cpuOfThird: v.number(),
  slowdown: v.number(),
  slowdownTolerance: v.number(),
})

export const PROGRESS: readonly Progress[] = decoderOf(tableOf(PROGRESS_ROW))(data.progress).map((row) => ({
  varied: row.varied,
  parameters: { ...DEFAULTS, ...row.varied },
  progress: [
    [row.second, row.secondTolerance],
    [row.third, row.thirdTolerance],
  ],
  cpu: [row.cpuOfSecond, row.cpuOfThird],
  slowdown: [row.slowdown, row.slowdownTolerance],
}))

/**
 * Barriers per second of one job alone, by formula: a round lasts as long as the longest of `nodes` uniform
 * computations, and the way to the barrier and back.
 */
export const dedicatedRate = ({ nodes, granularity, imbalance, latency }: Parameters): number =>
  1000 / (granularity * (1 - imbalance / 2 + (imbalance * nodes) / (nodes + 1)) + 2 * latency)
