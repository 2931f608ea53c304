/**
 * Messages between actors on two hosts, each a process of its own, beside the bare client of NATS between two processes
 * that do the same with JSON: the same messages over the same server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { System } from '../../lib/system.ts'
import { HostProcesses, on } from '../nats/hosts.ts'
import { NO_SERVER, serverPath, startServer } from '../nats/server.ts'
import { AHEAD, BURST, type Throw } from './actors/thrower.ts'
import { digits, inTurns, type Measure, median, medianRatio, type Row, rate } from './measure.ts'

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)
const peer = fileURLToPath(new URL('peers/nats.cjs', import.meta.url))

/** Milliseconds of each. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function bare(port: string, me: string, other: string): Promise<ChildProcess> {
  const child = fork(peer, [port, me, other], { execArgv: [] })
  await once(child, 'message')
  return child
}

async function compared({ repeats, quick }: { readonly repeats: number; readonly quick: boolean }): Promise<Row[]> {
  const program = serverPath()
  if (program === undefined) return [{ name: 'actors on hosts', ours: NO_SERVER, other: '' }]
  const bursts = quick ? 50 : 800
  const rounds = quick ? 500 : 4000
  const server = await startServer(program)
  const hosts = new HostProcesses()
  const peers: ChildProcess[] = []
  hosts.start(server.url, 'h1', 'h2')
  await hosts.ready()
  const system = new System({ time: 'real', actors: 31, hosts: on(server.url, ['h1', 'h2']) })
  try {
    for (const [address, module] of [
      ['thrower@m1', 'thrower'],
      ['catcher@m2', 'catcher'],
      ['player@m1', 'player'],
      ['player@m2', 'player'],
    ] as const) {
      await system.spawn(address, actor(module))
    }
    await system.run()
    const [a, b] = [await bare(server.url.port, 'a', 'b'), await bare(server.url.port, 'b', 'a')]
    peers.push(a, b)
    const message: Throw = { type: 'throw', to: ['catcher@m2'], bursts }
    const ran = (begin: () => Promise<unknown>) => () =>
      timed(async () => {
        await begin()
        await system.run()
      })
    const over = (...by: readonly ChildProcess[]) => Promise.race(by.map((one) => once(one, 'message')))
    const thrown = await inTurns(
      repeats,
      ran(() => system.tell('thrower@m1', message)),
      () =>
        timed(async () => {
          a.send({ bursts, burst: BURST, ahead: AHEAD })
          await over(a)
        }),
    )
    const played = await inTurns(
      repeats,
      ran(() => system.tell('player@m1', { type: 'serve', to: 'player@m2', left: 2 * rounds - 1 })),
      () =>
        timed(async () => {
          a.send({ type: 'serve', left: 2 * rounds - 1 })
          await over(a, b)
        }),
    )
    const [ours = [], theirs = []] = thrown
    const [own = [], others = []] = played
    const micros = (times: readonly number[]) => `${digits((median(times) / rounds) * 1000)} us`
    return [
      {
        name: 'hosts: messages one way (other: bare NATS client)',
        ours: rate(bursts * BURST, median(ours)),
        other: rate(bursts * BURST, median(theirs)),
        ratio: medianRatio(theirs, ours),
        target: { least: 0.8 },
      },
      {
        name: 'hosts: round trip (other: bare NATS client)',
        ours: micros(own),
        other: micros(others),
        ratio: medianRatio(own, others),
        target: { most: 1.3 },
      },
    ]
  } finally {
    await system.stop()
    for (const child of peers) child.kill()
    await hosts.end()
    await server.remove()
  }
}

export const hosts: readonly Measure[] = [{ name: 'actors on hosts', run: compared }]
