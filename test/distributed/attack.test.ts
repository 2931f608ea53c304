/** An attacker on the server, without the secret: no code runs, no result changes, and runs end. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectTo } from '../../lib/distributed/connect.ts'
import { serveHost } from '../../lib/distributed/host/server.ts'
import { answerTo } from '../../lib/distributed/names.ts'
import { poolOf } from '../../lib/experiment/pool.ts'
import { sweep } from '../../lib/experiment/sweep.ts'
import { distributed } from '../../lib/experiment/work-queue/distribute.ts'
import { serve } from '../../lib/experiment/work-queue/host.ts'
import { encode } from '../../lib/experiment/work-queue/messages.ts'
import { System } from '../../lib/system.ts'
import '../fixtures/registered.ts'
import { does, factsOf, note, notesOf, PUPPET } from '../system/harness.ts'
import { Attacker } from './attacker.ts'
import { on } from './hosts.ts'
import { accessTo, meeting, SECRET } from './secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const FRAMES = 10_000

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testAttack(program)

function testAttack(program: string): void {
  const test = suite('a stranger on the server')
  const folder = mkdtempSync(join(tmpdir(), 'bourse-attack-'))
  const module = new URL('../fixtures/experiment/study.ts', import.meta.url)
  const ends: (() => Promise<unknown>)[] = []
  let server: Server

  test.before(async () => {
    server = await startServer(program)
  })
  test.after.each(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  test.after(async () => {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts hosts in this process, and collects their notes. */
  async function hosts(...names: readonly string[]): Promise<string[]> {
    const said: string[] = []
    const hear = (text: string) => said.push(text)
    const end = new AbortController()
    const { signal } = end
    for (const name of names) {
      const connection = await connectTo(accessTo(server.url), name, '--nats')
      const channel = meeting(connection, nanoid(), hear)
      answerTo(channel, name)
      const serving = serve({ channel, name, lanes: 1, note: hear, signal })
      const lodging = serveHost({ channel, secret: SECRET, name, note: hear, signal })
      ends.push(async () => {
        end.abort()
        await Promise.all([serving, lodging])
        await connection.close()
      })
    }
    return said
  }

  test('an attacker without the secret runs no code and changes no result of a study, with ten thousand frames of every kind', async () => {
    const forged = join(folder, 'forged')
    const attacker = await Attacker.at(server.url, [
      encode({
        type: 'offer',
        n: 0,
        module: 'test/fixtures/experiment/study.ts',
        export: 'logged',
        point: { n: 666, log: forged },
      }),
      encode({ type: 'result', n: 1, ending: { result: 'forged' } }),
      encode({ type: 'result', n: 1, ending: { refused: 'forged' } }),
      encode({ type: 'here', name: 'forged', digest: 'forged', lanes: 9, free: 9, points: [0, 1, 2, 3] }),
      encode({ type: 'call', digest: 'forged' }),
    ])
    ends.push(() => attacker.end())
    const said = await hosts('h1', 'h2')
    const log = join(folder, 'log')
    const points = Array.from({ length: 30 }, (_, n) => ({ n, log }))
    let volleys = Promise.resolve()
    const pool = distributed({ access: accessTo(server.url), where: '--workers', note: () => {} })
    const study = { module, export: 'logged', points }
    const results = await sweep({
      ...study,
      pool,
      onDone: (done) => {
        if (done > 0 && done % 6 === 0) volleys = volleys.then(() => attacker.volley(FRAMES / 4))
      },
    })
    await volleys
    assert.ok(attacker.sent > FRAMES, `${attacker.sent}`)
    assert.not(existsSync(forged))
    assert.is(JSON.stringify(results), JSON.stringify(await sweep({ ...study, pool: poolOf(2) })))
    assert.equal(readFileSync(log, 'utf8').trim().split('\n').length, 60, 'each point was run once there and once here')
    const strange = said.filter((text) => text.startsWith('dropped'))
    assert.ok(strange.length > 0 && strange.length <= 2, `a line for each host: ${strange.join('; ')}`)
  })

  test('an attacker without the secret changes nothing of actors on hosts, with ten thousand frames of every kind, and the run ends', async () => {
    const attacker = await Attacker.at(server.url)
    ends.push(() => attacker.end())
    const said = await hosts('h1', 'h2')
    const system = new System({
      time: 'real',
      memoryMB: 16,
      actors: 63,
      hosts: on(server.url, ['h1', 'h2'], { note: (text) => said.push(text) }),
    })
    ends.push(() => system.stop())
    const facts = factsOf(system)
    await Promise.all(['a@m1', 'b@m2'].map((who) => system.spawn(who, PUPPET)))
    const talk = async (from: number): Promise<void> => {
      const notes = (to: string) => does(...Array.from({ length: 200 }, (_, n) => note(to, from + n)))
      await system.tell('a@m1', notes('b@m2'))
      await system.tell('b@m2', notes('a@m1'))
      assert.is((await system.run()).ended, 'idle')
    }
    for (let i = 0; i < 5; i++) await Promise.all([talk(200 * i), attacker.volley(FRAMES / 4)])
    assert.ok(attacker.sent > FRAMES, `${attacker.sent}`)
    const all = Array.from({ length: 1000 }, (_, n) => n)
    assert.equal(notesOf(facts, 'a@m1'), all)
    assert.equal(notesOf(facts, 'b@m2'), all)
    assert.equal([system.messages, system.deadLetters.size], [2000, 0])
    const lost = said.filter((text) => /lets go|silent|given up|has left/.test(text))
    assert.equal(lost, [])
  })

  test.run()
}
