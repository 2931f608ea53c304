/** A process that starts many threads or actors, prints their cost, and ends. Arguments: the kind and the number. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { System } from '../../lib/system.ts'
import { costOf } from './measure.ts'

/** The cost of `count` threads while they are alive. */
export interface Spawned {
  readonly ms: number
  readonly cpuMs: number
  readonly memoryMB: number
  /** The memory of the whole process. */
  readonly allMB: number
}

const STARTING_MAX = 4
const EMPTY = fileURLToPath(new URL('peers/empty.cjs', import.meta.url))
const IDLE = new URL('actors/idle.ts', import.meta.url)

async function startEmpty(count: number): Promise<void> {
  let left = count
  const starter = async () => {
    while (left-- > 0) await once(new Worker(EMPTY, { execArgv: [] }), 'message')
  }
  await Promise.all(Array.from({ length: STARTING_MAX }, starter))
}

const [what, count = '1'] = process.argv.slice(2)
const runtime = what === 'inline' || what === 'pool' ? what : 'threads'
const system = new System({ runtime, actors: Math.max(1023, Number(count)) })

/** Starts actors, and waits until their machines have started. */
async function startActors(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => system.spawn(`idle@m${i}`, IDLE)))
  await system.run()
}

const residentMB = (): number => process.memoryUsage.rss() / 2 ** 20

// Work that happens only once, such as bundling and the first worker, does not count.
const first = new System({ runtime: runtime === 'pool' ? 'pool' : 'threads' })
await first.spawn('idle@m0', IDLE)
await first.stop()
const before = residentMB()
const cost = await costOf(() => (what === 'empty' ? startEmpty : startActors)(Number(count)))
const spawned: Spawned = { ...cost, memoryMB: residentMB() - before, allMB: residentMB() }
console.log(JSON.stringify(spawned))
await system.stop()
process.exit()
