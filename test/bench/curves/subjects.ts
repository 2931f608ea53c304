/** The subjects of the curves: which costs grow with which sizes. Every curve is measured alone, one size after another. */

import type { Time } from '../../../lib/core/time.ts'
import { System, type SystemOptions } from '../../../lib/system.ts'
import { generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { open, termsOf } from '../../../scenarios/bidding/model.ts'
import { FAMILY_MEASURES } from '../families.ts'
import { type Cost, costOf, inTurns, median } from '../measure.ts'
import { passing, passingByMessages } from '../passes.ts'
import { addressOf, RING, wideRing } from '../pool.ts'
import { Ring } from '../rounds.ts'
import { type Kind, spawned } from '../spawn.ts'
import { cpuOfRun } from '../whole-runs.ts'
import type { Spot } from './fit.ts'

export const SCALES = ['quick', 'usual', 'full'] as const
export type Scale = (typeof SCALES)[number]

/** Curves that are measured together. */
export interface Curves {
  readonly names: readonly string[]
  readonly sizes: Readonly<Record<Scale, readonly number[]>>
  /** Measures the value of each curve at a size: the median of `repeats` samples. */
  readonly at: (size: number, repeats: number) => Promise<readonly number[]>
}

export interface Subject {
  readonly title: string
  /** The unit of the sizes, such as actors. */
  readonly of: string
  readonly value: string
  readonly unit: string
  readonly curves: readonly Curves[]
  /** The reason for the growth, and for a bend. */
  readonly why: string
}

/** The sizes from the first to the last, each twice the previous one. */
const doubling = (from: number, to: number): number[] => (from > to ? [] : [from, ...doubling(2 * from, to)])

async function costOfOne(repeats: number, count: number, side: () => Promise<Cost>): Promise<Cost> {
  const [samples = []] = await inTurns(repeats, side)
  const one = (of: keyof Cost) => median(samples.map((cost) => cost[of])) / count
  return { ms: one('ms'), cpuMs: one('cpuMs') }
}

async function samplesOf<T>(count: number, sample: () => Promise<T>): Promise<T[]> {
  const samples: T[] = []
  while (samples.length < count) samples.push(await sample())
  return samples
}

const perSecond = ({ cpuMs, ms }: Cost) => [1000 / cpuMs, 1000 / ms]
const microseconds = ({ cpuMs, ms }: Cost) => [1000 * cpuMs, 1000 * ms]

/** Messages to contractors before the measurement, and in each sample: each task has three for each contractor. */
const WARM_MESSAGES = 75_000
const SAMPLE_MESSAGES = 12_000

/** Measures tasks per second of CPU and of real time, in a market with a number of contractors. */
const tasksPerSecond = (runtime: SystemOptions['runtime']) => async (contractors: number, repeats: number) => {
  const tasksOf = (messages: number) => Math.ceil(messages / (3 * contractors))
  const [warm, block] = [tasksOf(WARM_MESSAGES), tasksOf(SAMPLE_MESSAGES)]
  const speeds = Array.from({ length: contractors }, () => 1)
  const tasks = warm + block * (repeats + 2)
  const jobs = withClients(generateJobs({ seed: 1, tasks, load: 0.5, speeds, errors: 'perfect' }), ['c1'], 1)
  const arrivalOf = (task: number): Time => jobs[Math.min(task, tasks - 1)]?.arrival ?? 0
  const system = new System({ runtime, actors: Math.max(1023, 2 * contractors + 1) })
  try {
    await open(system, { protocol: 'dsp', speeds, clients: ['c1'], jobs, terms: termsOf('dsp', 0) })
    let task = warm
    await system.run({ until: arrivalOf(task) })
    const cost = await costOfOne(repeats, block, () => {
      task += block
      return costOf(async () => void (await system.run({ until: arrivalOf(task) })))
    })
    return perSecond(cost)
  } finally {
    await system.stop()
  }
}

/** Measures the CPU time, in microseconds, of a round with one active actor. */
async function inlineRound(actors: number, repeats: number): Promise<readonly number[]> {
  const rounds = 20_000
  const system = new System({ runtime: 'inline' })
  try {
    for (let i = 0; i < actors; i++) await system.spawn(addressOf(i), RING, { next: addressOf((i + 1) % actors) })
    await system.run()
    const cost = await costOfOne(repeats, rounds, () =>
      costOf(async () => {
        await system.tell(addressOf(0), { type: 'token', left: rounds })
        await system.run()
      }),
    )
    return microseconds(cost).slice(0, 1)
  } finally {
    await system.stop()
  }
}

/** Measures a round in which each actor of a ring handles a token and passes it on, in CPU and real time. */
const wideRound = (runtime: 'inline' | 'pool') => async (actors: number, repeats: number) => {
  const rounds = Math.ceil(200_000 / actors)
  const ring = await wideRing(runtime, actors)
  try {
    return microseconds(await costOfOne(repeats, rounds, () => ring.run(rounds)))
  } finally {
    await ring.stop()
  }
}

/** Measures a round on threads, in CPU and real time: lib's rounds, or hops between the same threads. */
const threadedRound = (by: (ring: Ring, count: number) => Promise<Cost>) => async (actors: number, repeats: number) => {
  // each thread takes as many turns, so that the code of all is equally optimized
  const rounds = Math.min(500 * actors, 100_000)
  const ring = await Ring.open(actors)
  try {
    return microseconds(await costOfOne(repeats, rounds, () => by(ring, rounds)))
  } finally {
    await ring.close()
  }
}

/** Measures the memory of a number of idle actors, in MB. */
const memoryOf = (what: Kind) => async (count: number, repeats: number) => {
  const [samples = []] = await inTurns(count > 100 ? 1 : repeats, () => spawned(what, count))
  return [median(samples.map(({ memoryMB }) => memoryMB))]
}

/** Measures the start of a number of idle actors, in seconds of the CPU time of all threads. */
const startOf = (what: Kind) => async (count: number, repeats: number) => {
  const [samples = []] = await inTurns(count > 100 ? 1 : repeats, () => spawned(what, count))
  return [median(samples.map(({ cpuMs }) => cpuMs / 1000))]
}

/** Measures a pass in microseconds of CPU time. */
const passOf = (sideOf: (waiting: number) => () => Promise<Cost>) => async (waiting: number, repeats: number) =>
  microseconds(await costOfOne(repeats, 1, sideOf(waiting))).slice(0, 1)

const LENGTHS = { quick: [1000, 2000], usual: [1000, 4000, 16_000, 64_000], full: [1000, 10_000, 100_000] }

const LISTS = { quick: [10, 30, 100], usual: [30, 100, 300, 1000, 3000, 10_000] }

export const subjects: readonly Subject[] = [
  {
    title: 'Tasks per second against contractors',
    of: 'contractors',
    value: 'DSP tasks',
    unit: 'per second',
    curves: [
      {
        names: ['inline, of CPU', 'inline, by the clock'],
        sizes: {
          quick: doubling(8, 32),
          usual: [...doubling(8, 512), 2000],
          full: [...doubling(8, 512), 2000, 10_000],
        },
        at: tasksPerSecond('inline'),
      },
      {
        names: ['pool, of CPU', 'pool, by the clock'],
        sizes: {
          quick: doubling(8, 32),
          usual: [...doubling(8, 512), 2000],
          full: [...doubling(8, 512), 2000, 10_000],
        },
        at: tasksPerSecond('pool'),
      },
      {
        names: ['threads, of CPU', 'threads, by the clock'],
        sizes: { quick: [8, 16], usual: doubling(8, 128), full: [...doubling(8, 256), 511] },
        at: tasksPerSecond('threads'),
      },
    ],
    why:
      'A task is announced to every contractor, each answers, and each is told of its end. These are three messages each, so the power ' +
      'is -1 where messages dominate, and nearer 0 where the fixed cost of a task does. A steeper fall comes from memory: with more ' +
      'actors each finds less of its data in the caches. On threads each actor also has its own copy of the code, which stays cold ' +
      'because each of many actors gets fewer messages. 511 contractors with their processors and a client are the 1,023 actors of a ' +
      'system with the default limit (option actors).',
  },
  {
    title: 'Rounds against actors',
    of: 'actors',
    value: 'a round with one active actor',
    unit: 'us',
    curves: [
      {
        names: ['inline, CPU'],
        sizes: { quick: [8, 64], usual: [...doubling(8, 512), 1000], full: [...doubling(8, 512), 1000] },
        at: inlineRound,
      },
      {
        names: ['threads, CPU', 'threads, clock'],
        sizes: { quick: [8, 16], usual: doubling(8, 128), full: [...doubling(8, 512), 1000] },
        at: threadedRound((ring, count) => ring.inRounds(count)),
      },
      {
        names: ['bare hops, CPU', 'bare hops, clock'],
        sizes: { quick: [8, 16], usual: doubling(8, 128), full: [...doubling(8, 512), 1000] },
        at: threadedRound((ring, count) => ring.byHops(count)),
      },
    ],
    why:
      'A tree of depth log n gives the next actor, and only active actors are woken. The others cost nothing, so the power should ' +
      'be near 0. The cost of a hop between two threads grows: bare hops, which have no rounds, grow as well, because ' +
      'the threads that take turns no longer fit into the caches of the cores. In addition each thread pays ' +
      'for its own code: up to 200 actors each take the same number of turns while it is optimized, and beyond that fewer.',
  },
  {
    title: 'Rounds in which all actors act',
    of: 'actors',
    value: 'a round',
    unit: 'us',
    curves: [
      {
        names: ['inline, CPU', 'inline, clock'],
        sizes: {
          quick: [64, 128],
          usual: [...doubling(64, 1024), 4000],
          full: [...doubling(64, 1024), 4000, 20_000, 100_000],
        },
        at: wideRound('inline'),
      },
      {
        names: ['pool, CPU', 'pool, clock'],
        sizes: {
          quick: [64, 128],
          usual: [...doubling(64, 1024), 4000],
          full: [...doubling(64, 1024), 4000, 20_000, 100_000],
        },
        at: wideRound('pool'),
      },
    ],
    why:
      'All actors have a message in each round, so the power is 1. In a pool the threads handle them at the same time, and one of ' +
      'them links what all have sent, so the clock gains where a round is long against a wake-up. A market gains less: its ' +
      'client handles the bids of all contractors alone.',
  },
  {
    title: 'Memory against actors',
    of: 'actors',
    value: 'resident memory of',
    unit: 'MB',
    curves: [
      {
        names: ['threads'],
        sizes: { quick: [8, 16], usual: doubling(8, 256), full: [...doubling(8, 512), 1000, 2000] },
        at: memoryOf('actors'),
      },
      {
        names: ['empty workers'],
        sizes: { quick: [8, 16], usual: doubling(8, 256), full: [...doubling(8, 512), 1000, 2000] },
        at: memoryOf('empty'),
      },
      {
        names: ['inline'],
        sizes: { quick: [100, 1000], usual: [250, 500, 1000, 2000], full: [1000, 10_000, 100_000] },
        at: memoryOf('inline'),
      },
      {
        names: ['pool'],
        sizes: { quick: [100, 1000], usual: [250, 500, 1000, 2000, 10_000], full: [1000, 10_000, 100_000] },
        at: memoryOf('pool'),
      },
    ],
    why:
      'A thread is an isolate of V8 with a heap, code and a stack of its own, so memory is that of an empty Worker times the number: ' +
      'the power is 1, and the distance between the two curves is the share of lib. Inline all actors share one heap, and ' +
      'what they know of each other at the start, so the power is 1 there too. A pool has one such heap for each of its threads. A system has room for 1,023 ' +
      'actors by default; 2,000 need the option actors (131,071 at most).',
  },
  {
    title: 'Start against actors',
    of: 'actors',
    value: 'the start of',
    unit: 's CPU',
    curves: (['inline', 'pool'] as const).map((runtime) => ({
      names: [runtime],
      sizes: { quick: [100, 1000], usual: [1000, 10_000], full: [1000, 10_000, 100_000] },
      at: startOf(runtime),
    })),
    why:
      'Each actor costs the same, since all share one list of the addresses: the power is 1. Small systems are slower by the actor, ' +
      'while V8 optimizes the code.',
  },
  {
    title: 'A pass of the scheduler against its ready list',
    of: 'jobs waiting',
    value: 'a pass',
    unit: 'us CPU',
    curves: [
      { names: ['paper'], sizes: { ...LISTS, full: LISTS.usual }, at: passOf(passing('paper')) },
      { names: ['literal'], sizes: { ...LISTS, full: LISTS.usual }, at: passOf(passing('literal')) },
      { names: ['by messages'], sizes: { ...LISTS, full: LISTS.usual }, at: passOf(passingByMessages) },
    ],
    why:
      'A pass looks at each waiting job once, to find the best one and those that could run before it. The power is 1 where this ' +
      'dominates. With few jobs it is nearer 0, since every pass builds the table of the times when processors become free. By messages ' +
      'each pass asks the bank what all jobs can spend, so two messages are as long as the list, ' +
      'and some are short.',
  },
  {
    title: 'Whole runs against their workload',
    of: 'tasks, jobs or quanta',
    value: 'a command',
    unit: 's CPU',
    curves: Object.values(FAMILY_MEASURES).map(({ whole: run }) => ({
      names: [`${run.scenario}, ${run.of}`],
      sizes: LENGTHS,
      at: async (size, repeats) => [median(await samplesOf(repeats, () => cpuOfRun(run, size)))],
    })),
    why:
      'A command with its default flags, inline, from its start to its results, without the start of its process. Each task costs the same, ' +
      'however many came before it, so the power is 1. Small runs are slower by the task while V8 optimizes the code, so it may be less.',
  },
]

/** Measures all sizes, and returns a list of points for each curve. */
export async function spotsOf({ names, sizes, at }: Curves, scale: Scale, repeats: number): Promise<Spot[][]> {
  const spots = names.map((): Spot[] => [])
  for (const size of sizes[scale]) {
    const values = await at(size, repeats)
    for (const [i, value] of values.entries()) spots[i]?.push({ size, value })
  }
  return spots
}
