import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToProcessor, Work } from '../../actors/processor/messages.ts'
import type { Plain } from '../../lib/actor.ts'
import { isObject } from '../../lib/core/data.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import { actorModule } from '../mutants/copied.ts'
import { both, type Fact, factsOf, fixture, linesOf, openHandles, until, withSystem } from '../system/harness.ts'

const PROCESSOR = actorModule('actors/processor/processor.ts')
const CALLS = new URL('../fixtures/modules/calls.ts', import.meta.url).href
const files = mkdtempSync(join(tmpdir(), 'bourse-processor-'))

async function employ(system: System, speed = 1): Promise<Fact[]> {
  const facts = factsOf(system)
  await system.spawn('processor@m1', PROCESSOR, { speed })
  await system.spawn('employer@m1', fixture('employer.ts'))
  return facts
}

const order = (system: System, message: ToProcessor) => system.tell('employer@m1', { type: 'order', order: message })

const run = (task: number, work: Work, setup = 0): ToProcessor => ({ type: 'run', task, attempt: 1, work, setup })
const call = (name: string, ...args: readonly Plain[]): Work => ({ module: CALLS, export: name, args })

/** The facts about one task, without their instants. */
const storyOf = (facts: readonly Fact[], task: number) =>
  facts.filter((fact) => fact['task'] === task).map(({ who, type }) => `${who} ${type}`)

const STORY = ['processor@m1 started', 'processor@m1 finished', 'employer@m1 heard']

both('simulated work takes its time at the speed of the machine, and yields nothing', async (system) => {
  const facts = await employ(system, 4)
  await order(system, run(1, units(60)))
  await system.run()
  assert.equal(storyOf(facts, 1), STORY)
  const [heard] = facts.filter(({ type }) => type === 'heard')
  assert.equal([heard?.at, heard?.['outcome'], heard?.['work']], [units(15), undefined, undefined])
})

test('a call is real work: its employer gets its result and the time that it took', async () => {
  await withSystem({ time: 'real' }, async (system) => {
    const facts = await employ(system)
    for (const [task, work] of [call('add', 2, 3), call('refuses', 8)].entries()) {
      await order(system, run(task, work))
      await system.run()
      assert.equal(storyOf(facts, task), STORY)
    }
    const [sum, refusal] = facts.filter(({ type }) => type === 'heard')
    assert.equal(sum?.['outcome'], { result: 5 })
    assert.match(JSON.stringify(refusal?.['outcome']), /"error":\{"name":"Refusal","message":"no deal at 8"/)
    for (const heard of [sum, refusal]) assert.ok(Number(heard?.['work']) > 0)
    // The processor was taken for longer than the function: its thread had to start.
    const [finished] = facts.filter(({ type }) => type === 'finished')
    assert.ok(Number(finished?.['busy']) > Number(sum?.['work']))
  })
})

test('the setup of a call precedes it, and the call does not begin if it is aborted meanwhile', async () => {
  await withSystem({ time: 'real' }, async (system) => {
    const facts = await employ(system)
    await order(system, run(1, call('add', 2, 3), units(30)))
    await system.run()
    const [started, finished] = facts.filter(({ who }) => who === 'processor@m1')
    assert.ok(Number(finished?.at) - Number(started?.at) >= units(30))
    const lines = linesOf(system, 'compute')
    await order(system, run(2, call('add', 2, 3), units(1e6)))
    await order(system, { type: 'abort', task: 2, attempt: 1 })
    assert.is((await system.run()).ended, 'idle')
    assert.equal(lines, [])
  })
})

test('a call without a setup begins at once, and only once whatever happens meanwhile', async () => {
  await withSystem({ time: 'real', trace: true }, async (system) => {
    await employ(system)
    const lines = linesOf(system, 'timer', 'computed', 'send')
    const [begun, go] = [join(files, 'begun'), join(files, 'go')]
    await order(system, run(1, call('waits', begun, go)))
    const running = system.run()
    await until(() => existsSync(begun))
    rmSync(begun)
    await order(system, { type: 'withdraw', job: 'x' })
    await order(system, { type: 'probe', task: 1, attempt: 1 })
    await until(() => lines.some(({ message }) => isObject(message) && message['type'] === 'progress'))
    writeFileSync(go, '')
    assert.is((await running).ended, 'idle')
    assert.not(existsSync(begun), 'the call has not begun again')
    assert.equal(
      lines.flatMap(({ t, who }) => (t !== 'send' && who === 'processor@m1' ? [t] : [])),
      ['computed'],
    )
  })
})

for (const end of [{ type: 'abort', task: 1, attempt: 1 }, { type: 'reset' }] as const) {
  test(`${end.type} stops a call that would never end, and the processor takes the next`, async () => {
    await withSystem({ time: 'real' }, async (system) => {
      const facts = await employ(system)
      await system.run()
      const idle = openHandles()
      const begun = join(files, end.type)
      await order(system, run(1, call('loops', begun)))
      const running = system.run()
      await until(() => existsSync(begun))
      await order(system, { type: 'probe', task: 1, attempt: 1 })
      await order(system, end)
      await order(system, run(2, call('add', 1, 1)))
      assert.is((await running).ended, 'idle')
      await until(() => openHandles() === idle)
      // two actors in real time: either may send first
      const [first, ...others] = storyOf(facts, 1)
      assert.equal([first, ...others.sort()], [STORY[0], 'employer@m1 progress', 'processor@m1 aborted'])
      assert.ok(facts.some(({ type, running }) => type === 'progress' && running === true))
      assert.equal(storyOf(facts, 2), STORY)
    })
  })
}

test('the task that finished last is not run again: the processor repeats that it is finished', async () => {
  await withSystem({ runtime: 'inline' }, async (system) => {
    const facts = await employ(system)
    await order(system, run(1, units(5)))
    await system.run()
    await order(system, run(1, units(5)))
    await order(system, run(2, units(5)))
    await system.run()
    assert.equal(storyOf(facts, 1), [...STORY, 'employer@m1 heard'])
    assert.equal(storyOf(facts, 2), STORY)
  })
})

test('a processor that is killed takes its call with it', async () => {
  await withSystem({ time: 'real' }, async (system) => {
    const facts = await employ(system)
    await system.run()
    const idle = openHandles()
    const begun = join(files, 'killed')
    await order(system, run(1, call('loops', begun)))
    const running = system.run()
    await until(() => existsSync(begun))
    await system.kill('processor@m1')
    await system.restart('processor@m1')
    await order(system, { type: 'probe', task: 1, attempt: 1 })
    assert.is((await running).ended, 'idle')
    await until(() => openHandles() === idle)
    const progress = facts.findLast(({ type }) => type === 'progress')
    assert.is(progress?.['running'], false)
  })
})

test.after(() => rmSync(files, { recursive: true }))
test.run()
