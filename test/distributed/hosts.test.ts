/** Actors on hosts: they keep the promises of threads, also when a host is lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nanoid } from 'nanoid'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Address, type Plain, units } from '../../lib/actor.ts'
import { isObject } from '../../lib/core/data.ts'
import { codeDigest } from '../../lib/core/source-digest.ts'
import type { Channel } from '../../lib/distributed/channel.ts'
import { connectTo } from '../../lib/distributed/connect.ts'
import type { Place } from '../../lib/distributed/coordinator/placement.ts'
import { serveHost } from '../../lib/distributed/host/server.ts'
import { answerTo, hostCalled } from '../../lib/distributed/names.ts'
import { NodeChannel } from '../../lib/distributed/wire/node-channel.ts'
import { type Frames, packing, SUBJECTS } from '../../lib/distributed/wire/protocol.ts'
import { System, type SystemInit } from '../../lib/system.ts'
import '../fixtures/registered.ts'
import { does, errorOf, factsOf, fixture, later, note, notesOf, openHandles, PUPPET, until } from '../system/harness.ts'
import { HOST_FLAGS, HostProcesses, on } from './hosts.ts'
import { proxyTo } from './proxy.ts'
import { accessTo, meeting, SECRET } from './secret.ts'
import { NO_SERVER, type Server, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testHosts(program)

function testHosts(program: string): void {
  const test = suite('actors on hosts')
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
  })

  /** Hosts in this process. */
  async function open(at: Server, names: readonly string[], digest?: string): Promise<string[]> {
    const said: string[] = []
    const end = new AbortController()
    const lodges = names.map(async (name) => {
      const connection = await connectTo(accessTo(at.url), name, '--nats')
      const channel = meeting(connection, nanoid())
      answerTo(channel, name)
      const given = digest === undefined ? {} : { digest }
      const over = serveHost({
        ...given,
        channel,
        secret: SECRET,
        name,
        note: (text) => said.push(text),
        signal: end.signal,
      })
      return { connection, over }
    })
    const opened = await Promise.all(lodges)
    ends.push(async () => {
      end.abort()
      for (const { connection, over } of opened) {
        await over
        await connection.close()
      }
    })
    return said
  }

  interface More extends SystemInit {
    readonly at?: Server
    readonly names?: readonly string[]
    readonly places?: readonly Place[]
    readonly note?: (text: string) => void
  }

  function systemOn({
    at = server,
    names = ['h1', 'h2'],
    places = [],
    note = () => {},
    ...options
  }: More = {}): System {
    const system = new System({
      time: 'real',
      memoryMB: 16,
      actors: 63,
      hosts: on(at.url, names, { places, note }),
      ...options,
    })
    ends.push(() => system.stop())
    return system
  }

  const spawn = (system: System, ...who: readonly Address[]) => Promise.all(who.map((one) => system.spawn(one, PUPPET)))
  const many = (count: number, to: Address) =>
    does(...Array.from({ length: count }, (_, n) => ({ act: 'tell' as const, to, message: { type: 'note', n } })))

  test('mail from one host to another arrives once and in order, and a run ends when nothing is on its way', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', many(3000, 'b@m2'))
    await system.tell('b@m2', many(3000, 'a@m1'))
    const { ended } = await system.run()
    assert.is(ended, 'idle')
    const all = Array.from({ length: 3000 }, (_, n) => n)
    assert.equal(notesOf(facts, 'b@m2'), all)
    assert.equal(notesOf(facts, 'a@m1'), all)
    assert.equal([system.messages, system.deadLetters.size], [6000, 0])
  })

  test('an actor asks an actor on another host, and gets its reply, its refusal or a timeout', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    for (const who of ['a@m1', 'b@m2']) await system.spawn(who, fixture('desk.ts'))
    const kinds = ['question', 'bad question', 'silent question'].entries()
    for (const [n, type] of kinds) {
      const message = { type, n }
      const deadline = units(type === 'silent question' ? 100 : 20_000)
      await system.tell('a@m1', { type: 'ask', id: `${n}`, to: 'b@m2', message, deadline })
    }
    await system.run()
    const outcomes = facts.flatMap(({ type, id, outcome }) => (type === 'outcome' ? [[id, outcome]] : []))
    assert.equal(outcomes.sort(), [
      ['0', { reply: { type: 'answer', n: 0 } }],
      ['1', { refusal: 'a bad question' }],
      ['2', { timeout: true }],
    ])
  })

  test('a log is kept by the process of the run, and the next run on it goes on in time and with its records', async () => {
    const log = mkdtempSync(join(tmpdir(), 'bourse-hosts-log-'))
    ends.push(async () => rmSync(log, { recursive: true }))
    await open(server, ['h1', 'h2'])
    let before = 0
    for (const most of [5, 9]) {
      const system = systemOn({ log })
      const began: unknown[] = []
      let last = 0
      system.onFact((fact, { who, at }) => {
        assert.ok(at >= before, `${at} >= ${before}`)
        last = at
        if (fact.type === 'began') began.push(`${who} ${fact['last']}`)
      })
      await system.spawn('a@m1', fixture('counter.ts'), { peer: 'b@m2', isFirst: true, most })
      await system.spawn('b@m2', fixture('counter.ts'), { peer: 'a@m1', isFirst: false, most })
      await system.run()
      await system.stop()
      assert.equal(began.sort(), most === 5 ? ['a@m1 0', 'b@m2 0'] : ['a@m1 5', 'b@m2 4'])
      before = last
    }
  })

  test('a disk is slow, and loses what it has not kept, on a host as in one process', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    await system.slowDisk('a@m1', units(50))
    const persist = { act: 'persist', record: 1 } as const
    await system.tell('a@m1', does(later(units(5), does(persist, note('b@m2', 1)))))
    await system.run()
    const noted = facts.find(({ type }) => type === 'noted')
    assert.ok(noted && noted.at >= units(55), `${noted?.at}`)
    await system.restart('a@m1', { writes: 1 })
    await system.run()
    const began = facts.filter(({ type, who }) => type === 'began' && who === 'a@m1')
    assert.equal(
      began.map((fact) => fact['records']),
      [[], []],
    )
  })

  test('a clock that jumps shows the difference to the actors of its machine on a host', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    await system.jumpClock('m1', units(1000))
    for (const who of ['a@m1', 'b@m2']) await system.tell(who, does(later(units(5), does({ act: 'look', key: 'x' }))))
    await system.run()
    const ahead = facts.flatMap(({ type, who, first, at }) =>
      type === 'looked' && isObject(first) ? [[who, Math.round(Number(first['now']) - at)]] : [],
    )
    assert.equal(ahead.sort(), [
      ['a@m1', units(1000)],
      ['b@m2', 0],
    ])
  })

  test('an actor on a host defers mail from another host until its state changes, and its receive timeout comes once', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    for (const who of ['a@m1', 's@m2']) await system.spawn(who, fixture('shop.ts'))
    await system.spawn('l@m2', fixture('listener.ts'), { delay: units(20) })
    await system.tell('a@m1', { type: 'go', to: 's@m2', from: 1, count: 3 })
    await system.run()
    const told = (type: string) => facts.filter((fact) => fact.type === type)
    assert.equal([told('served').length, told('silent').length], [0, 1])
    await system.tell('s@m2', { type: 'open' })
    await system.run()
    assert.equal(
      told('served').map(({ n, who }) => [n, who]),
      [1, 2, 3, 4].map((n) => [n, 's@m2']),
    )
  })

  test('bytes travel between hosts, and arrive as a Uint8Array', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    for (const address of ['a@m1', 'b@m2']) await system.spawn(address, fixture('courier.ts'))
    const data = new Uint8Array(5000).map((_, i) => i % 251)
    await system.tell('a@m1', { type: 'carry', to: 'b@m2', data })
    await system.run()
    assert.equal(
      facts.flatMap((fact) => (fact.type === 'seen' ? [[fact['data'], fact['isUint8Array']]] : [])),
      [
        [data, true],
        [data, true],
      ],
    )
  })

  test('an ask is answered, a paused actor waits, and mail across a partition is lost', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    assert.equal(await system.ask('b@m2', { type: 'question', n: 21 }, { deadline: units(20_000) }), {
      type: 'answer',
      n: 42,
    })
    const heal = await system.partition([['m1'], ['m2']])
    await system.tell('a@m1', does(note('b@m2', 1)))
    await system.run()
    await heal()
    await system.pause('b@m2', units(300))
    const pausedUntil = system.now + units(300)
    await system.tell('a@m1', does(note('b@m2', 2)))
    await system.run()
    assert.equal(notesOf(facts, 'b@m2'), [2])
    assert.ok(facts.some(({ type, at }) => type === 'noted' && at >= pausedUntil))
    assert.equal([...system.deadLetters], [['a partition separates the machines', 1]])
  })

  test('an actor on a host spawns a child there, is told of its end, and watches an actor on another host', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    system.onDeath(() => {})
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', does({ act: 'spawn', name: '1' }, { act: 'watch', address: 'b@m2' }))
    await system.run()
    await system.tell('a.1@m1', does({ act: 'throw', text: 'broken' }))
    await system.tell('b@m2', does(note('a@m1', 1), note('a@m1', 2)))
    await system.run()
    await system.tell('b@m2', { type: 'stop' })
    await system.run()
    const told = facts.filter(({ who, type }) => who === 'a@m1' && type !== 'began')
    assert.equal(
      told
        .map(({ type, n, address, reason }) => n ?? [type, address, ...(reason === undefined ? [] : [reason])])
        .sort(),
      [1, 2, ['saw end', 'a.1@m1', 'died'], ['saw end', 'b@m2', 'stopped'], ['saw start', 'a.1@m1']],
    )
    assert.equal(
      system.actors.map(({ status }) => status.type),
      ['alive', 'stopped', 'dead'],
    )
  })

  test('an actor that is killed, crashes or stops is down on all hosts: its mail is a dead letter, and a new incarnation gets its own', async () => {
    await open(server, ['h1', 'h2'])
    const system = systemOn()
    const facts = factsOf(system)
    const deaths: string[] = []
    system.onDeath(({ address, cause }) => deaths.push(`${address} ${cause.message}`))
    await spawn(system, 'a@m1', 'b@m2', 'c@m2')
    await system.run()
    await system.kill('b@m2')
    await system.tell('a@m1', does(note('b@m2', 1)))
    await system.run()
    await system.restart('b@m2')
    await system.tell('a@m1', does(note('b@m2', 2)))
    await system.run()
    await system.tell('b@m2', does({ act: 'throw', text: 'no more' }))
    await system.tell('c@m2', { type: 'stop' })
    await system.run()
    await system.tell('a@m1', does(note('b@m2', 3), note('c@m2', 4)))
    await system.run()
    assert.equal(deaths, ['b@m2 killed', 'b@m2 no more'])
    assert.equal(notesOf(facts), [2])
    assert.equal(
      [...system.deadLetters],
      [
        ['the recipient is dead', 2],
        ['the actor has stopped', 1],
      ],
    )
  })

  test('a message beyond the limit of the server is a dead letter with that reason, and a report beyond it is not lost', async () => {
    const small = await startServer(program, 'max_payload: 2048')
    ends.push(() => small.remove())
    await open(small, ['h1', 'h2'])
    const system = systemOn({ at: small })
    const facts = factsOf(system)
    await spawn(system, 'a@m1', 'b@m2')
    const long = { type: 'note', n: 'x'.repeat(5000) }
    await system.tell('a@m1', does({ act: 'tell', to: 'b@m2', message: long }, note('b@m2', 2)))
    await system.tell('b@m2', long)
    await system.run()
    assert.equal([...system.deadLetters], [['longer than the NATS server takes (max_payload)', 1]])
    assert.equal(new Set(notesOf(facts, 'b@m2')), new Set<Plain>([long.n, 2]))
  })

  test('after stop no handle is left here, and the hosts leave the run', async () => {
    const said = await open(server, ['h1', 'h2'])
    await until(() => !openHandles().includes('MessagePort')) // ports of threads of the test before
    const before = openHandles()
    const system = systemOn()
    await spawn(system, 'a@m1', 'b@m2')
    await system.run()
    await system.stop()
    await until(() => said.filter((text) => text.endsWith('it is over')).length === 2, said)
    await until(() => openHandles() === before)
  })

  test('a thread that takes longer to load than a step may take is not taken for hung', async () => {
    await open(server, ['h1'])
    const system = systemOn({ names: ['h1'], watchdogMs: 100 })
    await system.spawn('a@m1', new URL('../fixtures/actors/slow-to-load.ts', import.meta.url))
    assert.is((await system.run()).ended, 'idle')
  })

  test('a host that runs other code is refused by name', async () => {
    await open(server, ['h1'])
    await open(server, ['old'], 'of another time')
    const system = systemOn({ names: ['h1', 'old'] })
    const error = await errorOf(system.spawn('a@m1', PUPPET))
    assert.is(error.name, 'UsageError')
    assert.match(error.message, /^--hosts names a host that refuses to take part: old: it runs other code/)
  })

  test('a server without JetStream or permission to subscribe, and an unknown workstation, are refused in one line', async () => {
    const plain = await startServer(program, '', false)
    ends.push(() => plain.remove())
    const error = await errorOf(systemOn({ at: plain }).spawn('a@m1', PUPPET))
    assert.match(error.message, /^--nats needs a NATS server with JetStream \(nats-server --jetstream\): /)
    const mute = await startServer(
      program,
      'no_auth_user: u\nauthorization { users = [{ user: u, password: p, permissions: { subscribe: { deny: "bourse.live.>" } } }] }',
    )
    ends.push(() => mute.remove())
    await open(mute, ['h1'])
    const refused = await errorOf(systemOn({ at: mute, names: ['h1'] }).spawn('a@m1', PUPPET))
    assert.match(refused.message, /^cannot subscribe at the server of --nats: Permissions Violation/)
    await open(server, ['h1'])
    const system = systemOn({ names: ['h1'], places: [{ machine: 'm9', host: 'h1' }] })
    await spawn(system, 'a@m1')
    assert.match((await errorOf(system.run())).message, /^unknown workstation "m9" in --place/)
  })

  test('when a host is killed its actors die, and supervised ones are restarted on other hosts', async () => {
    await open(server, ['h1'])
    const processes = new HostProcesses()
    ends.push(() => processes.end())
    processes.start(server.url, 'h2')
    await processes.ready()
    const said: string[] = []
    const system = systemOn({ note: (text) => said.push(text) })
    const facts = factsOf(system)
    const deaths: string[] = []
    system.onDeath(({ address, cause }) => deaths.push(`${address} ${cause.name}: ${cause.message}`))
    await spawn(system, 'a@m1')
    await system.spawn('bank@m2', PUPPET, null, { restart: 'permanent' })
    await system.spawn('c@m2', PUPPET)
    await system.tell('bank@m2', does({ act: 'persist', record: 'a thousand' }))
    await system.run()
    processes.signal('h2', 'SIGKILL')
    await until(() => said.includes('h2 has not been heard of for long'), said)
    await system.tell('a@m1', does(note('c@m2', 1)))
    await system.run()
    assert.equal(deaths, ['bank@m2 Silent: host h2 is silent', 'c@m2 Silent: host h2 is silent'])
    assert.equal([...system.deadLetters], [], 'it is unknown which mail the dead host had handled')
    assert.equal(
      facts.filter(({ type, who }) => type === 'began' && who === 'bank@m2').map(({ records }) => records),
      [[], ['a thousand']],
    )
    assert.equal(said, ['h1 has m1; h2 has m2', 'h2 has not been heard of for long', 'host h2 is silent'])
    await system.tell('a@m1', does(note('bank@m2', 2)))
    await system.run()
    assert.equal(notesOf(facts), [2])
  })

  /** Asks h1 from outside to take part in a run. */
  async function asking(): Promise<(run: string) => Promise<Frames['enlisted'] | undefined>> {
    const connection = await connectTo(accessTo(server.url), 'run', '--nats')
    ends.push(() => connection.close())
    const pack = await packing('--nats')
    const invitation = {
      digest: codeDigest(),
      watchdogMs: 1000,
      size: { slots: 8, definitionWords: 1024, pages: 4, mailbox: 10 },
      cells: { seed: 1, time: 'real', order: 'fifo', trace: false, network: {}, count: [], asks: 10, deferred: 10 },
    }
    const channels = new Map<string, Channel>()
    return async (run) => {
      const channel = channels.get(run) ?? meeting(connection, run)
      if (!channels.has(run)) {
        const line = new NodeChannel({ connection, secret: SECRET, packing: pack, run, self: 0 })
        line.listen(
          ({ answer }) => answer(pack.pack({ at: 0 })),
          () => {},
        )
      }
      channels.set(run, channel)
      const host = await hostCalled(channel, 'h1', 5000)
      const answer = await channel.ask(SUBJECTS.enlist(host ?? ''), pack.pack(invitation), 5000)
      return answer && pack.read('enlisted', answer.body)
    }
  }

  test('an actor on a host may call registered computations and no others', async () => {
    await open(server, ['h1'])
    const system = systemOn({ names: ['h1'] })
    const facts = factsOf(system)
    await spawn(system, 'a@m1')
    const module = new URL('../fixtures/modules/calls.ts', import.meta.url).href
    const compute = (id: string, call: { readonly module: string; readonly args: readonly Plain[] }) =>
      does({ act: 'compute', id, call: { ...call, export: id } })
    await system.tell('a@m1', compute('add', { module, args: [2, 3] }))
    await system.tell('a@m1', compute('later', { module, args: [1] }))
    await system.tell('a@m1', compute('data', { module: 'data:text/javascript,export const data = () => 1', args: [] }))
    await system.run()
    const outcomes = new Map(facts.filter(({ type }) => type === 'computed').map(({ id, outcome }) => [id, outcome]))
    assert.equal(outcomes.get('add'), { result: 5 })
    for (const id of ['later', 'data']) {
      assert.match(JSON.stringify(outcomes.get(id)), /actors on hosts may call registered computations only/)
    }
  })

  test('an actor that a host has not registered does not start there, and the error names the module', async () => {
    const processes = new HostProcesses([], HOST_FLAGS.slice(0, 2))
    ends.push(() => processes.end())
    processes.start(server.url, 'bare')
    await processes.ready()
    const system = systemOn({ names: ['bare'] })
    const error = await spawn(system, 'a@m1').then(String, String)
    assert.match(error, /test\/fixtures\/actors\/puppet\.ts is not a registered module .*, on this host/)
  })

  test('a host that is asked twice at once takes part once, and answers both', async () => {
    const said = await open(server, ['h1'])
    const ask = await asking()
    const [one, other] = await Promise.all([ask('run'), ask('run')])
    assert.type(one?.node, 'number')
    assert.equal(other, one)
    assert.equal(said, ['h1 has actors of the run run'])
  })

  test('a host takes part in eight runs at a time, and refuses a ninth', async () => {
    await open(server, ['h1'])
    const ask = await asking()
    const refused = 'h1: it takes part in 8 runs already'
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => ask(`of-many-${n}`)))
    assert.is(answers.filter((answer) => answer?.node !== undefined).length, 8)
    assert.equal(answers.find((answer) => answer?.node === undefined)?.refused, refused)
    assert.is((await ask('one-more'))?.refused, refused)
  })

  test('a host that is interrupted says so, and the run does not wait for its silence', async () => {
    await open(server, ['h1'])
    const processes = new HostProcesses()
    ends.push(() => processes.end())
    processes.start(server.url, 'h2')
    await processes.ready()
    const said: string[] = []
    const system = systemOn({ note: (text) => said.push(text) })
    await spawn(system, 'a@m1', 'b@m2')
    await system.run()
    processes.signal('h2', 'SIGINT')
    await until(() => said.length > 1, said)
    assert.equal(said, ['h1 has m1; h2 has m2', 'host h2 has left'])
  })

  test('a host that is cut off ends its actors before others may run them, and returns as a new host', async () => {
    await open(server, ['h1'])
    const proxy = await proxyTo(server.url)
    const processes = new HostProcesses()
    ends.push(
      () => proxy.close(),
      () => processes.end(),
    )
    const said: string[] = []
    const hear = (text: string) => said.push(...text.trimEnd().split('\n'))
    processes.startWith(proxy.url, 'h2', hear)
    await processes.ready()
    const system = systemOn({ note: hear })
    system.onDeath(() => {})
    await spawn(system, 'a@m1')
    await system.spawn('bank@m2', PUPPET, null, { restart: 'permanent' })
    await system.run()
    proxy.cut('hang')
    await until(() => said.some((text) => text.endsWith('its lease could not be renewed')), said)
    assert.ok(!said.includes('host h2 is silent'))
    await until(() => said.includes('host h2 is silent'), said)
    assert.equal(
      system.actors.map(({ address, status }) => `${address} ${status.type}`),
      ['a@m1 alive', 'bank@m2 alive'],
    )
    proxy.heal()
    await until(() => said.includes('h2 takes part again'), said)
    await system.run()
  })

  test('a host that only renews its lease, and sends nothing else, ends its actors before others may run them', async () => {
    await open(server, ['h1'])
    const said: string[] = []
    const hear = (text: string) => said.push(text)
    let isMute = false
    const connection = await connectTo(accessTo(server.url), 'h2', '--nats')
    const toRun = /^bourse\.live\.[^.]+\.0\./
    const publish: typeof connection.publish = (subject, ...more) => {
      if (!isMute || !toRun.test(subject)) connection.publish(subject, ...more)
    }
    const end = new AbortController()
    const mute = Object.assign(Object.create(connection), { publish })
    const channel = meeting(mute, nanoid())
    answerTo(channel, 'h2')
    const over = serveHost({ channel, secret: SECRET, name: 'h2', note: hear, signal: end.signal })
    ends.push(async () => {
      end.abort()
      await over
      await connection.close()
    })
    const system = systemOn({ note: hear })
    system.onDeath(() => {})
    await spawn(system, 'a@m1')
    await system.spawn('bank@m2', PUPPET, null, { restart: 'permanent' })
    await system.run()
    isMute = true
    await until(() => said.includes('h2 has not been heard of for long'), said)
    await until(() => said.some((text) => text.endsWith('its lease was taken away')), said)
    assert.not.ok(said.includes('host h2 is silent'))
    await until(() => said.includes('host h2 is silent'), said)
    assert.match(said.at(-2) ?? '', /^h2 leaves the run .*: its lease was taken away$/)
    await until(() => system.actors.every(({ status }) => status.type === 'alive'))
  })

  test.run()
}
