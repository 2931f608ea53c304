/** What grows with what. Every curve is measured by itself, a size after the other. */

import type { Time } from '../../../lib/core/time.ts'
import { System } from '../../../lib/system.ts'
import { generateJobs } from '../../../lib/workload/generate.ts'
import { withClients } from '../../../lib/workload/job.ts'
import { termsOf } from '../../../scenarios/bidding/model.ts'
import { open } from '../../../scenarios/bidding/one-run.ts'
import { type Cost, costOf, inTurns, median } from '../measure.ts'
import { passing, passingByMessages } from '../passes.ts'
import { Ring } from '../rounds.ts'
import { spawned } from '../spawn.ts'
import type { Spot } from './fit.ts'

export const SCALES = ['quick', 'usual', 'full'] as const
export type Scale = (typeof SCALES)[number]

/** Curves that are measured together. */
export interface Curves {
  readonly names: readonly string[]
  readonly sizes: Readonly<Record<Scale, readonly number[]>>
  /** The value of each at a size: the median of `repeats` samples. */
  readonly at: (size: number, repeats: number) => Promise<readonly number[]>
}

export interface Subject {
  readonly title: string
  /** What a size counts, such as actors. */
  readonly of: string
  readonly value: string
  readonly unit: string
  readonly curves: readonly Curves[]
  /** Why it grows as it does, and why it bends. */
  readonly why: string
}

/** From the first on, each twice the one before. */
const doubling = (from: number, to: number): number[] => (from > to ? [] : [from, ...doubling(2 * from, to)])

async function costOfOne(repeats: number, count: number, side: () => Promise<Cost>): Promise<Cost> {
  const [samples = []] = await inTurns(repeats, side)
  const one = (of: keyof Cost) => median(samples.map((cost) => cost[of])) / count
  return { ms: one('ms'), cpuMs: one('cpuMs') }
}

const perSecond = ({ cpuMs, ms }: Cost) => [1000 / cpuMs, 1000 / ms]
const microseconds = ({ cpuMs, ms }: Cost) => [1000 * cpuMs, 1000 * ms]

/** Tasks per second of CPU and of real time, in a market with a number of contractors. */
const tasksPerSecond = (runtime: 'inline' | 'threads') => async (contractors: number, repeats: number) => {
  const [warm, block] = [Math.ceil(4000 / contractors), Math.ceil(1000 / contractors)]
  const speeds = Array.from({ length: contractors }, () => 1)
  const tasks = warm + block * (repeats + 2)
  const jobs = withClients(generateJobs({ seed: 1, tasks, load: 0.5, speeds, errors: 'perfect' }), ['c1'], 1)
  const arrivalOf = (task: number): Time => jobs[Math.min(task, tasks - 1)]?.arrival ?? 0
  const system = new System({ runtime })
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

const RING = new URL('../actors/ring.ts', import.meta.url)
const addressOf = (actor: number) => `ring@r${actor}`

/** Microseconds of CPU and of real time for a round with one active actor. */
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

/** The same on threads: lib's rounds, or hops between the same threads. */
const threadedRound = (by: (ring: Ring, count: number) => Promise<Cost>) => async (actors: number, repeats: number) => {
  // as many turns for each, so that the code of all has been compiled as far
  const rounds = Math.min(500 * actors, 100_000)
  const ring = await Ring.open(actors)
  try {
    return microseconds(await costOfOne(repeats, rounds, () => by(ring, rounds)))
  } finally {
    await ring.close()
  }
}

/** The memory of a number of idle actors, in MB. */
const memoryOf = (what: 'actors' | 'inline' | 'empty') => async (count: number, repeats: number) => {
  const [samples = []] = await inTurns(count > 100 ? 1 : repeats, () => spawned(what, count))
  return [median(samples.map(({ memoryMB }) => memoryMB))]
}

/** Microseconds of CPU. */
const passOf = (sideOf: (waiting: number) => () => Promise<Cost>) => async (waiting: number, repeats: number) =>
  microseconds(await costOfOne(repeats, 1, sideOf(waiting))).slice(0, 1)

const LISTS = { quick: [10, 30, 100], usual: [30, 100, 300, 1000, 3000, 10_000] }

export const subjects: readonly Subject[] = [
  {
    title: 'Tasks per second against contractors',
    of: 'contractors',
    value: 'DSP tasks',
    unit: 'per second',
    curves: [
      {
        names: ['inline, of CPU'],
        sizes: { quick: doubling(8, 32), usual: [...doubling(8, 256), 511], full: [...doubling(8, 256), 511] },
        at: async (size, repeats) => (await tasksPerSecond('inline')(size, repeats)).slice(0, 1),
      },
      {
        names: ['threads, of CPU', 'threads, by the clock'],
        sizes: { quick: [8, 16], usual: doubling(8, 128), full: [...doubling(8, 256), 511] },
        at: tasksPerSecond('threads'),
      },
    ],
    why:
      'A task is announced to every contractor, each answers, and each hears of its end: three messages to each, so the power is -1 ' +
      'where they are all that counts, and nearer 0 while what a task costs anyway still does. A steeper fall is memory: with more ' +
      'actors each finds less of what it needs in the caches, and on threads each has its own copy of the code, which the fewer ' +
      'messages that each of many gets leave cold. 511 contractors with their processors and a client are the 1,023 actors that a ' +
      'system has room for unless it is told otherwise (option actors).',
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
      'A tree of depth log n gives the next actor, and only active actors are woken: the others cost nothing, so the power should ' +
      'be near 0. What grows is what the machine does between two threads: the bare hop, which has no rounds, grows with it, since ' +
      'the threads that take turns no longer fit the caches of the cores. Beyond the hop, each thread pays ' +
      'for code of its own: up to 200 actors all take the same number of turns while it is compiled, beyond that fewer.',
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
        sizes: { quick: [100, 1000], usual: [250, 500, 1000, 2000], full: [250, 500, 1000, 2000] },
        at: memoryOf('inline'),
      },
    ],
    why:
      'A thread is an isolate of V8 with a heap, code and a stack of its own, so memory is that of an empty Worker times their number: ' +
      'the power is 1, and what lib adds is the distance between the two curves. Inline there is one heap for all, and what grows ' +
      'faster is mail: every actor is told of all when it starts, which is a power of 2. A system has room for 1,023 ' +
      'actors; 2,000 take the option actors (16,383 at most).',
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
      'A pass looks at each waiting job once, to find the best and those that could run before it: the power is 1 where that is ' +
      'all. With few waiting it is nearer 0, since a pass of any size makes the profile of when processors come free. By messages ' +
      'the bank is asked in each pass what all of them can spend, so there are two messages that are as long as the list, ' +
      'beside some that are not.',
  },
]

/** A list for each of the curves. */
export async function spotsOf({ names, sizes, at }: Curves, scale: Scale, repeats: number): Promise<Spot[][]> {
  const spots = names.map((): Spot[] => [])
  for (const size of sizes[scale]) {
    const values = await at(size, repeats)
    for (const [i, value] of values.entries()) spots[i]?.push({ size, value })
  }
  return spots
}
