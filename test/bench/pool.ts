/** The pool of threads beside one thread: a round in which all actors act, and many idle actors. */
import { System } from '../../lib/system.ts'
import { type Cost, costOf, digits, inTurns, type Measure, median, medianRatio, type Row } from './measure.ts'
import { type Kind, spawned } from './spawn.ts'

export const RING = new URL('actors/ring.ts', import.meta.url)
export const addressOf = (actor: number) => `ring@r${actor}`

/** A ring of actors, each of which handles a token in every round and passes it on. */
export interface WideRing {
  /** Runs some rounds. */
  run(rounds: number): Promise<Cost>
  stop(): Promise<void>
}

export async function wideRing(runtime: 'inline' | 'pool', actors: number): Promise<WideRing> {
  const system = new System({ runtime, actors: Math.max(1023, actors) })
  for (let i = 0; i < actors; i++) await system.spawn(addressOf(i), RING, { next: addressOf((i + 1) % actors) })
  await system.run()
  return {
    run: (rounds) =>
      costOf(async () => {
        for (let i = 0; i < actors; i++) await system.tell(addressOf(i), { type: 'token', left: rounds })
        await system.run()
      }),
    stop: () => system.stop(),
  }
}

const wide: Measure = {
  name: 'round in a pool',
  async run({ repeats, quick }) {
    const actors = quick ? 200 : 4000
    const rounds = 50
    const rings = [await wideRing('pool', actors), await wideRing('inline', actors)] as const
    try {
      const [pool = [], inline = []] = await inTurns(repeats, ...rings.map((ring) => () => ring.run(rounds)))
      const row = (name: string, of: keyof Cost, most?: number): Row => ({
        name,
        ours: `${digits(median(pool.map((cost) => cost[of])) / rounds)} ms`,
        other: `${digits(median(inline.map((cost) => cost[of])) / rounds)} ms`,
        ratio: medianRatio(
          pool.map((cost) => cost[of]),
          inline.map((cost) => cost[of]),
        ),
        ...(most !== undefined && { target: { most } }),
      })
      return [
        row(`round in a pool in which ${actors} actors act, by the clock (other: inline)`, 'ms', 1 / 1.6),
        row('  CPU', 'cpuMs'),
      ]
    } finally {
      for (const ring of rings) await ring.stop()
    }
  },
}

/** The aims for idle actors: CPU seconds for the start of 10,000, and KB of memory for each in a pool. */
const START_MOST = 2
const MEMORY_MOST = 20

const crowd: Measure = {
  name: 'crowd of idle actors',
  async run({ quick }) {
    const count = quick ? 200 : 10_000
    const rowsOf = async (kind: Extract<Kind, 'inline' | 'pool'>): Promise<Row[]> => {
      const [samples = []] = await inTurns(quick ? 1 : 3, () => spawned(kind, count))
      const seconds = median(samples.map(({ cpuMs }) => cpuMs / 1000))
      const kilobytes = median(samples.map(({ memoryMB }) => (1024 * memoryMB) / count))
      return [
        {
          name: `start of ${count} actors, ${kind} (other: the aim)`,
          ours: `${digits(seconds)} s CPU`,
          other: `${START_MOST} s`,
          ratio: seconds / START_MOST,
          target: { most: 1 },
        },
        {
          name: '  memory of each',
          ours: `${digits(kilobytes)} KB`,
          other: `${MEMORY_MOST} KB`,
          ratio: kilobytes / MEMORY_MOST,
          ...(kind === 'pool' && { target: { most: 1 } }),
        },
      ]
    }
    return [...(await rowsOf('inline')), ...(await rowsOf('pool'))]
  },
}

export const pool: readonly Measure[] = [wide, crowd]
