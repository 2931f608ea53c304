/** The notes of a run on hosts that leave; the test plays one of the hosts. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo, type NatsConnection } from '../../lib/distributed/connect.ts'
import { Hosts } from '../../lib/distributed/coordinator/hosts.ts'
import { Membership } from '../../lib/distributed/coordinator/membership.ts'
import { answerTo } from '../../lib/distributed/names.ts'
import { NodeChannel } from '../../lib/distributed/wire/node-channel.ts'
import { COORDINATOR, packing, SUBJECTS } from '../../lib/distributed/wire/protocol.ts'
import { ReliableStream } from '../../lib/distributed/wire/stream.ts'
import { until } from '../system/harness.ts'
import { accessTo, meeting, SECRET } from './secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testMembership(program)

function testMembership(program: string): void {
  const test = suite('membership')
  const NODE = 7
  let server: Server
  let connection: NatsConnection

  test.before(async () => {
    server = await startServer(program)
    connection = await connectTo(accessTo(server.url), 'h1', '--nats')
  })
  test.after(async () => {
    await connection.close()
    await server.remove()
  })

  /** Plays h1 in `run`: sends its frames with `speak`, and returns the notes on h1 and the frames that it gets. */
  async function plays(
    run: string,
    speak: (line: NodeChannel, over: AbortController) => void,
  ): Promise<readonly string[]> {
    const said: string[] = []
    const pack = await packing('--nats')
    const channel = meeting(connection, `id-of-h1-in-${run}`)
    const naming = answerTo(channel, 'h1')
    const enlisting = channel.listen(
      SUBJECTS.enlist(channel.self),
      ({ answer }) => answer(pack.pack({ node: NODE, refused: undefined })),
      (error) => said.push(String(error)),
    )
    const line = new NodeChannel({ connection, secret: SECRET, packing: pack, run, self: NODE })
    const listening = line.listen(
      ({ what }) => said.push(`told: ${what}`),
      (error) => said.push(String(error)),
    )
    await connection.flush()
    const over = new AbortController()
    const network = { latency: 0, jitter: 0, loss: 0, duplicate: 0 }
    const membership = await Membership.open(accessTo(server.url), {
      run,
      hosts: new Hosts(),
      names: ['h1'],
      note: (text) => said.push(text),
      signal: over.signal,
      invitation: {
        digest: 'code',
        watchdogMs: 1000,
        size: { slots: 8, definitionWords: 64, pages: 1, mailbox: 8 },
        cells: {
          seed: 1,
          time: 'real',
          order: 'fifo',
          schedule: 'fifo',
          reliable: null,
          trace: false,
          network,
          count: [],
          asks: 10,
          deferred: 10,
        },
      },
      onJoined: () => {},
      onNote: (_, { type }) => said.push(type),
      onLost: (_, message) => said.push(`lost: ${message}`),
      onFailure: (error) => said.push(String(error)),
    })
    speak(line, over)
    const isOverFor = (text: string): boolean => text === 'killed' || text.startsWith('lost')
    await until(() => said.some(isOverFor) && (run !== 'going-on' || said.includes('told: over')))
    listening.unsubscribe()
    over.abort()
    await membership.end()
    enlisting.unsubscribe()
    naming.unsubscribe()
    return said
  }

  /** Lets h1 leave a run, which may be over by then, and send one more note. */
  const leaves = (run: string, isOver: boolean) =>
    plays(run, (line, over) => {
      const flow = new ReliableStream(line, COORDINATOR)
      if (isOver) over.abort()
      flow.push({ type: 'left' })
      flow.push({ type: 'killed', slot: 1 })
    })

  test('a host that leaves during a run is lost, and is told so when it sends more', async () => {
    assert.equal(await leaves('going-on', false), ['host h1 has left', 'lost: host h1 has left', 'told: over'])
  })

  test('a host that leaves after the end of a run is not lost', async () => {
    assert.equal(await leaves('over', true), ['killed'])
  })

  test('a host whose stream breaks the protocol is given up', async () => {
    const why = 'host h1 is given up: 9 bytes were heard, but only 0 were sent'
    const said = await plays('too-much', (line) => line.tally(COORDINATOR, 0, 9))
    for (const one of ['told: over', why, `lost: ${why}`]) assert.ok(said.includes(one), said.join('; '))
  })

  test.run()
}
