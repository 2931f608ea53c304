/** Addresses without a NATS server: another kind of server listens there, or one that fell silent. */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo } from '../../lib/distributed/connect.ts'
import { runScenario } from '../bidding/command.ts'
import { portOf } from './port.ts'

/** Calls `use` with the address of a server, while the server listens. */
async function at(server: Server, use: (url: string) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  try {
    await use(`nats://127.0.0.1:${port}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

const connected = (url: string) => connectTo({ url: new URL(url), insecure: true }, 'me', '--nats')

test('a silent server is not taken for a NATS server: commands say so and end', () =>
  at(createServer(), (silent) =>
    at(createHttpServer(), async (http) => {
      const ends = await Promise.all([
        runScenario('host', ['--nats', silent, '--insecure']),
        runScenario('host', ['--nats', http, '--insecure']),
        runScenario('lab/explore', ['--schedules', '10', '--workers', silent, '--insecure']),
      ])
      const said = ends.map(({ code, stderr }) => [code, stderr.match(/^bourse: .*$/gm)])
      const line = (flag: string, url: string) => [
        `bourse: cannot use the NATS server of ${flag} at ${url.slice('nats://'.length)}: no answer in 5 s`,
      ]
      assert.equal(said, [
        [2, line('--nats', silent)],
        [2, line('--nats', http)],
        [2, line('--workers', silent)],
      ])
    }),
  ))

test('the error quotes a server that answers something else, or says that it hangs up', async () => {
  const speaking = createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'))
  await at(speaking, async (url) => {
    const why = await connected(url).then(String, String)
    assert.match(
      why,
      /^UsageError: cannot use the NATS server of --nats at 127\.0\.0\.1:\d+: it says "SSH-2\.0-OpenSSH_9\.2/,
    )
  })
  const leaving = createServer((socket) => socket.end())
  await at(leaving, async (url) => {
    const why = await connected(url).then(String, String)
    assert.match(why, /^UsageError: cannot use the NATS server of --nats at 127\.0\.0\.1:\d+: it hangs up$/)
  })
})

test('a connection whose server has fallen silent is closed, with its attempts to reconnect', async () => {
  let hasFallenSilent = false
  const server = createServer((socket) => {
    if (hasFallenSilent) return
    hasFallenSilent = true
    socket.write('INFO {"server_id":"test","version":"2.9.10","proto":1,"max_payload":1048576,"headers":true}\r\n')
    socket.on('data', (data) => {
      if (String(data).includes('PING')) socket.write('PONG\r\n')
    })
  })
  await at(server, async (url) => {
    const [[first], connection] = await Promise.all([once(server, 'connection'), connected(url)])
    first.destroy()
    const [second] = await once(server, 'connection')
    second.resume()
    await Promise.all([once(second, 'close'), connection.close()])
  })
})

test.run()
