/**
 * Messages between actors on two hosts, each a process of its own, compared with the bare client of NATS between two processes
 * that send the same messages as JSON over the same server. The floor is the bare client whose work is in a
 * thread of its own, like the work of every actor.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { System } from '../../lib/system.ts'
import { HostProcesses, on } from '../distributed/hosts.ts'
import { NO_SERVER, serverPath, startServer } from '../distributed/server.ts'
import { AHEAD, BURST, type Throw } from './actors/thrower.ts'
import { digits, inTurns, type Measure, median, medianRatio, type Row, rate } from './measure.ts'

const actor = (name: string) => new URL(`actors/${name}.ts`, import.meta.url)
const peer = (name: string): string => fileURLToPath(new URL(`peers/${name}.cjs`, import.meta.url))

/** The milliseconds of each sample. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Two processes of one program that exchange messages. */
class Pair {
  readonly #children: readonly ChildProcess[]
  #over = (): void => {}

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
    for (const child of children) child.on('message', () => this.#over())
  }

  static async open(program: string, port: string): Promise<Pair> {
    const names = [`${program}-a`, `${program}-b`]
    const children = names.map((me, i) => fork(peer(program), [port, me, names[1 - i] ?? ''], { execArgv: [] }))
    await Promise.all(children.map((child) => once(child, 'message')))
    return new Pair(children)
  }

  /** Runs it, and returns its duration in milliseconds. */
  play(order: { readonly [key: string]: string | number }): Promise<number> {
    return timed(
      () =>
        new Promise<void>((resolve) => {
          this.#over = resolve
          this.#children[0]?.send(order)
        }),
    )
  }

  close(): void {
    for (const child of this.#children) child.kill()
  }
}

async function compared({ repeats, quick }: { readonly repeats: number; readonly quick: boolean }): Promise<Row[]> {
  const program = serverPath()
  if (program === undefined) return [{ name: 'actors on hosts', ours: NO_SERVER, other: '' }]
  const bursts = quick ? 50 : 800
  const rounds = quick ? 500 : 4000
  const server = await startServer(program)
  const hosts = new HostProcesses()
  const pairs: Pair[] = []
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
    const bare = await Pair.open('nats', server.url.port)
    pairs.push(bare)
    const threaded = await Pair.open('nats-thread', server.url.port)
    pairs.push(threaded)
    const message: Throw = { type: 'throw', to: ['catcher@m2'], bursts }
    const ran = (begin: () => Promise<unknown>) => () =>
      timed(async () => {
        await begin()
        await system.run()
      })
    const bursting = { bursts, burst: BURST, ahead: AHEAD }
    const [ours = [], theirs = [], floor = []] = await inTurns(
      repeats,
      ran(() => system.tell('thrower@m1', message)),
      () => bare.play(bursting),
      () => threaded.play(bursting),
    )
    const serving = { type: 'serve', left: 2 * rounds - 1 } as const
    const [own = [], others = [], threads = []] = await inTurns(
      repeats,
      ran(() => system.tell('player@m1', { ...serving, to: 'player@m2' })),
      () => bare.play(serving),
      () => threaded.play(serving),
    )
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
        name: '  the bare client with its work in a thread of its own',
        ours: rate(bursts * BURST, median(floor)),
        other: rate(bursts * BURST, median(theirs)),
        ratio: medianRatio(theirs, floor),
      },
      {
        name: 'hosts: round trip (other: bare NATS client)',
        ours: micros(own),
        other: micros(others),
        ratio: medianRatio(own, others),
        target: { most: 1.3 },
      },
      {
        name: '  the bare client with its work in a thread of its own',
        ours: micros(threads),
        other: micros(others),
        ratio: medianRatio(threads, others),
      },
    ]
  } finally {
    await system.stop()
    for (const pair of pairs) pair.close()
    await hosts.end()
    await server.remove()
  }
}

export const hosts: readonly Measure[] = [{ name: 'actors on hosts', run: compared }]
