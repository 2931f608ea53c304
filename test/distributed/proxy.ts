/** A proxy to a server that can be cut, so that a host loses its network. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { portOf } from './port.ts'

export interface Proxy {
  readonly url: URL
  /** Stops all traffic: connections hang, or are closed and not accepted. */
  cut(how: 'hang' | 'close'): void
  heal(): void
  close(): Promise<void>
}

export async function proxyTo(server: URL): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let state: 'whole' | 'hang' | 'close' = 'whole'
  const listener = createServer((near) => {
    if (state === 'close') {
      near.destroy()
      return
    }
    const far = connect(Number(server.port), server.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (state === 'hang') from.pause()
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const port = portOf(listener)
  return {
    url: new URL(`nats://127.0.0.1:${port}`),
    cut: (how) => {
      state = how
      for (const socket of sockets) {
        if (how === 'hang') socket.pause()
        else socket.destroy()
      }
    },
    heal: () => {
      state = 'whole'
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
