/** What a run says of hosts that take their leave, one of them played here. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo, type NatsConnection } from '../../lib/nats/connect.ts'
import { Hosts } from '../../lib/nats/run/hosts.ts'
import { Membership } from '../../lib/nats/run/membership.ts'
import { Flow } from '../../lib/nats/wire/flow.ts'
import { Line } from '../../lib/nats/wire/line.ts'
import { COORDINATOR, packing, SUBJECTS } from '../../lib/nats/wire/wire.ts'
import { until } from '../system/harness.ts'
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
    connection = await connectTo({ url: server.url, insecure: false }, 'h1', '--nats')
  })
  test.after(async () => {
    await connection.close()
    await server.remove()
  })

  /** What is said of h1 and to it when it leaves `run`, which `isOver` by then or not, and says one thing more. */
  async function leaves(run: string, isOver: boolean): Promise<readonly string[]> {
    const said: string[] = []
    const pack = await packing('--nats')
    const enlisting = connection.subscribe(SUBJECTS.enlist('h1'), {
      callback: (_, message) => {
        message.respond(pack.pack({ node: NODE, refused: undefined }))
      },
    })
    const line = new Line(connection, pack, run, NODE)
    const listening = line.listen(
      (what) => said.push(`told: ${what}`),
      (error) => said.push(String(error)),
    )
    await connection.flush()
    const over = new AbortController()
    const network = { latency: 0, jitter: 0, loss: 0, duplicate: 0 }
    const membership = await Membership.open(
      { url: server.url, insecure: false },
      {
        ...{ hosts: new Hosts(), names: ['h1'], note: (text) => said.push(text), signal: over.signal },
        invitation: {
          ...{ run, digest: 'code', watchdogMs: 1000 },
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
          },
        },
        onJoined: () => {},
        onNote: (_, { type }) => said.push(type),
        onLost: (_, message) => said.push(`lost: ${message}`),
        onFailure: (error) => said.push(String(error)),
      },
    )
    const flow = new Flow(line, COORDINATOR)
    if (isOver) over.abort()
    flow.push({ type: 'left' })
    flow.push({ type: 'killed', slot: 1 })
    await until(() => said.includes('killed') || said.includes('told: over'))
    listening.unsubscribe()
    over.abort()
    await membership.end()
    enlisting.unsubscribe()
    return said
  }

  test('a host that leaves while the run goes on is lost, and told so when it says more', async () => {
    assert.equal(await leaves('going-on', false), ['host h1 has left', 'lost: host h1 has left', 'told: over'])
  })

  test('a run that is over loses no host that takes its leave', async () => {
    assert.equal(await leaves('over', true), ['killed'])
  })

  test.run()
}
