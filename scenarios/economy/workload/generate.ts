/** The generated workload of Stoica et al. 1995, section 5: Poisson arrivals of three classes of jobs, in minutes. */
import type { Class } from '../../../actors/economy/messages.ts'
import { MAX_UNITS } from '../../../lib/core/format.ts'
import { exponential, hyperexponential, keyed } from '../../../lib/core/random.ts'
import { sum } from '../../../lib/core/tally.ts'
import { units } from '../../../lib/core/time.ts'
import { MAX_ROWS } from '../../../lib/workload/reading.ts'
import type { EconomyJob } from './job.ts'

/** One class of jobs. */
export interface Mix {
  readonly class: Class
  /** The share of the class: jobs out of ten. */
  readonly ofTen: number
  /** The fewest and the most processors. All numbers between are equally likely. */
  readonly processors: readonly [fewest: number, most: number]
  /** The mean service in minutes. The service is two-phase hyperexponential with balanced means. */
  readonly mean: number
  /** Coefficient of variation of the service. */
  readonly cv: number
}

/** The machine of the paper. */
export const PROCESSORS = 128

const PAPER: readonly [Mix, Mix, Mix] = [
  { class: 1, ofTen: 7, processors: [1, 16], mean: 50, cv: 4 },
  { class: 2, ofTen: 2, processors: [16, 32], mean: 100, cv: 2.5 },
  { class: 3, ofTen: 1, processors: [32, 64], mean: 200, cv: 1.8 },
]

/**
 * The classes for a machine of `processors`; from 128 on they are those of the paper. Jobs of a smaller machine are smaller
 * in proportion: both ends of each range are multiplied by processors / 128 and rounded, but are at least 1. Eight processors
 * give 1, 1 to 2 and 2 to 4. With `widest` jobs of all classes need 1 to that number of processors.
 */
export function classesOf(processors: number, widest?: number): readonly [Mix, Mix, Mix] {
  const scale = Math.min(1, processors / PROCESSORS)
  const scaled = (width: number): number => Math.max(1, Math.round(width * scale))
  const resized = (mix: Mix): Mix => ({
    ...mix,
    processors: widest === undefined ? [scaled(mix.processors[0]), scaled(mix.processors[1])] : [1, widest],
  })
  return [resized(PAPER[0]), resized(PAPER[1]), resized(PAPER[2])]
}

/** The mean work of a job in processor-minutes, without a shortest service: 1737.5 in the paper. */
export const meanWork = (classes: readonly Mix[]): number =>
  sum(classes, ({ ofTen, processors: [fewest, most], mean }) => (ofTen * (fewest + most) * mean) / 2) / 10

export interface Generated {
  readonly seed: number
  /** The processors of the machine, >= 1. */
  readonly processors: number
  /** The number of users, `u1` to `u<users>`, all equally likely; >= 1. */
  readonly users: number
  /** The load rho, > 0: the mean work that arrives in a minute, over the processors. */
  readonly load: number
  /** Minutes of arrivals. */
  readonly span: number
  /** The shortest service in minutes; default 1. At 0 the mean of response over service is infinite. */
  readonly tmin?: number
  /** Jobs of all classes need 1 to this number of processors; default: by class, as in the paper. */
  readonly widest?: number | undefined
}

function choose([small, medium, large]: readonly [Mix, Mix, Mix], u: number): Mix {
  if (u * 10 < small.ofTen) return small
  return u * 10 < small.ofTen + medium.ofTen ? medium : large
}

/**
 * Generates the jobs. The numbers of job k are drawn for k alone (common random numbers): they do not depend on the policy,
 * the incomes or the span. The load only stretches the arrivals, and the number of users only decides on the user of each
 * job. No service is 0.
 *
 * @throws RangeError for arguments that give no jobs in order or more than a million
 */
export function generateEconomyJobs({
  seed,
  processors,
  users,
  load,
  span,
  tmin = 1,
  widest,
}: Generated): EconomyJob[] {
  const refuse = (expected: string, got: number): never => {
    throw new RangeError(`generateEconomyJobs needs ${expected}, not ${got}`)
  }
  if (!(Number.isSafeInteger(processors) && processors >= 1)) refuse('a whole number of processors >= 1', processors)
  if (!(Number.isSafeInteger(users) && users >= 1)) refuse('a whole number of users >= 1', users)
  if (!(load > 0)) refuse('a load > 0', load)
  if (!(span >= 0 && span <= MAX_UNITS)) refuse(`a span of 0 to ${MAX_UNITS} minutes`, span)
  if (!(tmin >= 0 && tmin <= MAX_UNITS)) refuse(`a shortest service of 0 to ${MAX_UNITS} minutes`, tmin)
  const classes = classesOf(processors, widest)
  const meanGap = meanWork(classes) / (load * processors)
  if (!(span / meanGap <= MAX_ROWS)) refuse(`a load and span that give about ${MAX_ROWS} jobs or fewer`, span / meanGap)

  const jobs: EconomyJob[] = []
  for (let gaps = 0; ; ) {
    const id = jobs.length
    gaps += exponential(keyed(seed, 'arrivals', id), 1)
    if (gaps * meanGap >= span) return jobs
    const mix = choose(classes, keyed(seed, 'class', id))
    const [fewest, most] = mix.processors
    jobs.push({
      id,
      user: `u${1 + Math.floor(keyed(seed, 'user', id) * users)}`,
      class: mix.class,
      arrival: units(gaps * meanGap),
      processors: fewest + Math.floor(keyed(seed, 'processors', id) * (most - fewest + 1)),
      service: Math.max(
        1,
        units(Math.max(tmin, hyperexponential(keyed(seed, 'service', id), mix.mean, mix.cv * mix.cv))),
      ),
      deposit: 0,
    })
  }
}
