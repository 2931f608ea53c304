import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { System } from '../../lib/system.ts'
import { TYPESCRIPT } from '../typescript.ts'
import { errorOf, fixture, network, nextRuntimes, PUPPET, spawnPuppets } from './harness.ts'

for (const [runtime, time] of [
  ['threads', 'virtual'],
  ['inline', 'virtual'],
  ['threads', 'real'],
] as const) {
  const how = `${runtime}, ${time} time`
  const small = { runtime, time, memoryMB: 8, actors: 7, network: network(0.01) } as const

  test(`a system that is declared with await using stops at the end of its block (${how})`, async () => {
    let kept: System
    {
      await using system = new System(small)
      await spawnPuppets(system, 'a@m1')
      await system.run()
      kept = system
    }
    assert.match((await errorOf(kept.run())).message, 'the system has stopped')
  })

  test(`after stop no thread, port, timer or listener is left (${how})`, async () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)])
    const first = new System(small)
    await spawnPuppets(first, 'a@m1') // loads the modules that are loaded only once
    await first.stop()
    const [resources, ears] = [process.getActiveResourcesInfo().sort(), listeners()]
    const system = new System(small)
    await spawnPuppets(system, 'a@m1', 'b@m2')
    await system.run()
    await system.kill('b@m2')
    await system.stop()
    assert.equal(process.getActiveResourcesInfo().sort(), resources)
    assert.equal(listeners(), ears)
  })

  test(`stop in the middle of a run ends the run, and refuses everything that waits (${how})`, async () => {
    const system = new System(small)
    await system.spawn('a@m1', fixture('echo.ts'))
    await system.spawn('b@m2', fixture('echo.ts'))
    await system.tell('a@m1', { type: 'serve', to: 'b@m2' })
    const run = system.run()
    await system.tell('b@m2', { type: 'hello' })
    const call = errorOf(system.tell('b@m2', { type: 'hello' }))
    await Promise.all([system.stop(), system.stop()])
    assert.match((await call).message, 'the system has stopped')
    await run
    await system.stop()
    assert.is((await errorOf(system.tell('b@m2', { type: 'hello' }))).message, 'the system has stopped')
    assert.is((await errorOf(system.run())).message, 'the system has stopped')
  })

  test(`calls and asks of a planned act that have not begun when the system stops are refused (${how})`, async () => {
    const system = new System(small)
    await spawnPuppets(system, 'a@m1')
    const refused: Promise<Error>[] = []
    system.at(0, async () => {
      const spawning = system.spawn('b@m2', PUPPET).catch(() => {})
      refused.push(errorOf(system.ask('a@m1', { type: 'question', n: 1 }, { deadline: units(1e6) })))
      refused.push(errorOf(system.tell('a@m1', { type: 'note', n: 1 })))
      await Promise.all([system.stop(), spawning])
    })
    assert.is((await system.run()).ended, 'stopped')
    const messages = (await Promise.all(refused)).map(({ message }) => message)
    assert.equal(messages, ['the system has stopped', 'the system has stopped'])
  })
}

test('stop while actors are being spawned leaves no thread', async () => {
  const before = process.getActiveResourcesInfo().sort()
  const system = new System({ memoryMB: 8, actors: 7 })
  const spawning = ['a@m1', 'b@m2', 'c@m3'].map((address) => system.spawn(address, PUPPET).catch(() => {}))
  await system.stop()
  await Promise.all(spawning)
  assert.equal(process.getActiveResourcesInfo().sort(), before)
})

for (const runtime of nextRuntimes()) {
  test(`a process whose system has stopped ends by itself (${runtime})`, () => {
    const script = fileURLToPath(new URL('../fixtures/actors/main.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [...TYPESCRIPT, script, runtime], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    assert.is(status, 0, stderr)
    assert.is(stdout, 'answer 42\n')
  })
}

test.run()
