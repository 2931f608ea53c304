/** The time from the death of an actor to the notice of its watchers. */
import { type Death, System } from '../../lib/system.ts'
import { digits, type Measure, median, type Row, type Target } from './measure.ts'

const IDLE = new URL('actors/idle.ts', import.meta.url)
const LEAVER = new URL('actors/leaver.ts', import.meta.url)
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN

/** Measures the times from `end` to the notice, one actor after another, during a run. */
async function notices(
  module: URL,
  count: number,
  time: 'real' | 'virtual',
  expected: string,
  end: (system: System, address: string) => Promise<void>,
): Promise<number[]> {
  const system = new System({ time, runtime: 'threads' })
  try {
    const addresses = Array.from({ length: count }, (_, i) => `victim@m${i + 1}`)
    await Promise.all(
      ['bystander@m0', ...addresses].map((address, i) => system.spawn(address, i === 0 ? IDLE : module)),
    )
    // In real time a run continues meanwhile; in virtual time the system is called between two runs.
    const running = time === 'real' ? system.run({ until: 1e12 }) : system.run()
    if (time === 'virtual') await running
    const times: number[] = []
    for (const address of addresses) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      const noticed = new Promise<Death>((resolve) => {
        system.watch(address, resolve)
      })
      const start = performance.now()
      const ended = end(system, address)
      const { cause } = await noticed
      times.push(performance.now() - start)
      await ended
      if (cause.name !== expected) throw new Error(`${address} died of '${cause.name}: ${cause.message}'`)
    }
    await system.stop()
    await running
    return times
  } finally {
    await system.stop()
  }
}

const row = (name: string, times: readonly number[], target?: Target): Row => ({
  name,
  ours: `${digits(median(times))} ms`,
  other: `(p95 ${digits(quantile(times, 0.95))} ms)`,
  ratio: median(times),
  ...(target && { target }),
})

export const kill: readonly Measure[] = [
  {
    name: 'kill',
    async run({ quick }) {
      const count = quick ? 5 : 24
      const killed = (system: System, address: string) => system.kill(address)
      return [
        row('kill to notice, real time, ms', await notices(IDLE, count, 'real', 'Killed', killed), { most: 3 }),
        row('kill to notice, virtual time, ms', await notices(IDLE, count, 'virtual', 'Killed', killed), { most: 3 }),
        row(
          'process.exit in a step to notice, ms',
          await notices(LEAVER, count, 'real', 'Exit', (system, address) => system.tell(address, { type: 'leave' })),
        ),
      ]
    },
  },
]
