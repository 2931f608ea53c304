/** Round trips: lib between two threads, compared with a port between them, and with other libraries from the main thread. */
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Endpoint, wrap } from 'comlink'
import { Piscina } from 'piscina'
import workerpool from 'workerpool'
import { costOf, digits, inTurns, type Measure, median, medianRatio, type Row, type Target } from './measure.ts'
import { type Offer, offer } from './offer.ts'
import { HUB, type Play, withPitch } from './pitch.ts'
import type { Via } from './threads/transport.ts'

export const rally = (play: Play, type: 'echo' | 'play', leaf: number, rounds: number) => (via: Via) =>
  play(
    new Map([
      [leaf, { type, via, peer: HUB, rounds, first: true }],
      [HUB, { type, via, peer: leaf, rounds, first: false }],
    ]),
  )

async function compare(
  name: string,
  repeats: number,
  count: number,
  [ours, other]: readonly [() => Promise<{ readonly ms: number }>, () => Promise<{ readonly ms: number }>],
  target?: Target,
): Promise<Row> {
  const [own = [], others = []] = (await inTurns(repeats, ours, other)).map((costs) => costs.map(({ ms }) => ms))
  const shown = (times: readonly number[]) => `${digits((median(times) / count) * 1000)} us`
  return { name, ours: shown(own), other: shown(others), ratio: medianRatio(own, others), ...(target && { target }) }
}

const between: Measure = {
  name: 'round trip',
  run: ({ repeats, quick }) =>
    withPitch(1, async (play, [leaf = HUB]) => {
      const rounds = quick ? 2_000 : 10_000
      const bare = rally(play, 'echo', leaf, rounds)
      const machines = rally(play, 'play', leaf, rounds)
      return [
        await compare('round trip', repeats, rounds, [() => bare('board'), () => bare('port')], { most: 1.3 }),
        await compare('  between XState machines', repeats, rounds, [() => machines('board'), () => machines('port')]),
      ]
    }),
}

const require = createRequire(import.meta.url)
const peer = (name: string): string => fileURLToPath(new URL(`peers/${name}.cjs`, import.meta.url))

/** A library that makes round trips until it is closed. */
interface Peer {
  readonly name: string
  readonly echo: (value: Offer) => PromiseLike<unknown>
  readonly close: () => unknown
}

function raw(): Peer {
  const worker = new Worker(peer('raw'), { execArgv: [] })
  const echo = async (value: Offer) => {
    const answer = once(worker, 'message')
    worker.postMessage(value)
    return answer
  }
  return { name: 'raw', echo, close: () => worker.terminate() }
}

function comlink(): Peer {
  const worker = new Worker(peer('comlink'), { execArgv: [] })
  const nodeEndpoint: (worker: Worker) => Endpoint = require('comlink/dist/umd/node-adapter.js')
  const remote = wrap<{ echo: (value: Offer) => Offer }>(nodeEndpoint(worker))
  return { name: 'comlink', echo: (value) => remote.echo(value), close: () => worker.terminate() }
}

function piscina(): Peer {
  const pool = new Piscina({ filename: peer('piscina'), minThreads: 1, maxThreads: 1, execArgv: [] })
  return { name: 'piscina', echo: (value) => pool.run(value), close: () => pool.destroy() }
}

function pooled(): Peer {
  const pool = workerpool.pool(peer('workerpool'), {
    maxWorkers: 1,
    workerType: 'thread',
    workerThreadOpts: { execArgv: [] },
  })
  return { name: 'workerpool', echo: (value) => pool.exec('echo', [value]), close: () => pool.terminate(true) }
}

/** The used parts of threads.js, whose package has no types that a module can import. */
interface ThreadsJs {
  readonly Worker: new (script: string) => object
  spawn(worker: object): Promise<{ echo(value: Offer): Promise<Offer> }>
  readonly Thread: { terminate(thread: object): Promise<void> }
}

async function threads(): Promise<Peer> {
  const { Thread, Worker, spawn }: ThreadsJs = require('threads')
  // It looks for scripts in the folder of its caller.
  const remote = await spawn(new Worker('./peers/threads.cjs'))
  return { name: 'threads.js', echo: (value) => remote.echo(value), close: () => Thread.terminate(remote) }
}

const others: Measure = {
  name: 'round trip of peers',
  async run({ repeats, quick }) {
    const count = quick ? 500 : 3_000
    const trips = (one: Peer) => () =>
      costOf(async () => {
        for (let i = 0; i < count; i++) await one.echo(offer('tiny', i))
      })
    const floor = raw()
    const rows: Row[] = []
    try {
      for (const open of [comlink, piscina, pooled, threads]) {
        const one = await open()
        const name = `  ${one.name} from main (other: raw echo)`
        rows.push(await compare(name, repeats, count, [trips(one), trips(floor)]).finally(one.close))
      }
      return rows
    } finally {
      await floor.close()
    }
  },
}

export const roundTrip: readonly Measure[] = [between, others]
