/** Recordings in memory inline are compared with others: inline with a listener, or on threads. */
import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Message } from '../../lib/actor.ts'
import { units } from '../../lib/core/time.ts'
import type { System } from '../../lib/system.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { does, later, note, type Options, PUPPET, tellTo, withSystem } from '../system/harness.ts'

type Drive = (system: System) => Promise<unknown>

/** Runs `drive`, and returns the recorded lines, the dead letters and the result of `drive`. */
function recordOf(options: Options, drive: Drive) {
  return withSystem({ record: true, ...options }, async (system) => {
    system.onDeath(() => {})
    const more = await drive(system)
    await system.stop()
    const lines = [...system.recorded()].map((line) => JSON.stringify(line))
    return { lines, lost: [...system.deadLetters], more }
  })
}

const mailed = (options: Options, drive: Drive) =>
  recordOf({ ...options, runtime: 'inline' }, (system) => {
    system.onLine(() => {})
    return drive(system)
  })

async function sameOnThreads(drive: Drive, options: Options = {}): Promise<void> {
  const inline = await recordOf({ ...options, runtime: 'inline' }, drive)
  assert.equal(await recordOf({ ...options, runtime: 'threads' }, drive), inline)
}

const spawn = async (system: System, ...names: readonly string[]): Promise<void> => {
  for (const name of names) await system.spawn(name, PUPPET, null, { restart: 'permanent', intensity: 99 })
}

/** A message that sets a timer at each of the first `count` units, so that its actor has as many rounds alone. */
const ticks = (count: number, type: 'note' | 'nothing'): Message =>
  does(...Array.from({ length: count }, (_, n) => ({ ...later(units(n), { type, n }), id: `${n}` })))

/** Runs three actors: some of their steps fail after they have reported, and some lose mail. */
const failing: Drive = async (system) => {
  await spawn(system, 'a@m1', 'b@m2', 'c@m2')
  const unfit: Act = { act: 'observe function' }
  for (let n = 0; n < 4; n++) {
    const all = [note('c@m2', n), note('b@*', n), note('nobody@*', n)]
    await system.tell('a@m1', does(...all, ...(n === 2 ? [unfit] : [])))
    await system.tell('b@m2', does(...all, ...(n % 2 === 1 ? [unfit] : []), tellTo('d@m1', { type: 'lost' })))
    await system.tell('c@m2', does(note('a@m1', n), tellTo('system', { type: 'late' })))
  }
  await system.run()
}

test('a step that fails after it has reported leaves nothing in the trace', () => sameOnThreads(failing))

test('an inline trace takes no room in mail memory', async () => {
  const { lines } = await recordOf({ runtime: 'inline', memoryMB: 1 }, async (system) => {
    await spawn(system, 'a@m1')
    const text = 'long'.repeat(60_000)
    await system.tell('a@m1', does(...['nothing', 'note'].map((type) => later(units(1), { type, text, n: 1 }))))
    await system.run()
  })
  assert.is(lines.filter((line) => line.startsWith('{"t":"timer"')).length, 2)
})

test('an inline trace is cut off at the same line as one with mailed steps, also among steps that fail', async () => {
  const whole = (await mailed({}, failing)).lines.length
  const lengths = new Set<number>()
  for (let traceBytes = 0; traceBytes < 11_000; traceBytes += 104) {
    const { lines } = await recordOf({ runtime: 'inline', traceBytes }, failing)
    assert.equal(lines, (await mailed({ traceBytes }, failing)).lines, `${traceBytes} bytes`)
    lengths.add(lines.length)
  }
  assert.ok(lengths.has(whole) && lengths.size > 20, `${[...lengths]} of ${whole} lines`)
})

test('the system has its turns at the same instants, so that a listener acts at the same instants', () =>
  sameOnThreads(
    async (system) => {
      await spawn(system, 'a@m1', 'b@m1')
      await system.tell('a@m1', ticks(1500, 'note'))
      let heard = 0
      system.onFact(() => {
        if (heard++ % 500 !== 0) return
        system.note({ t: 'seen', at: system.now })
        void system.tell('b@m1', { type: 'note', n: heard })
      })
      await system.run()
    },
    { memoryMB: 1 },
  ))

test('a listener that is added in a turn gets the steps after it, and the trace has all steps', () =>
  sameOnThreads(async (system) => {
    await spawn(system, 'a@m1', 'b@m2', 'c@m3')
    const heard: unknown[] = []
    const end = [() => {}]
    let facts = 0
    system.onFact(() => {
      facts++
      if (facts % 5 === 2) end.push(system.onLine((line) => heard.push(line)))
      if (facts % 5 === 4) end.push(system.onDelivery((line) => heard.push(line)))
      if (facts % 5 === 0) for (const unlisten of end.splice(0)) unlisten()
      heard.push([...system.recorded()].length)
    })
    await system.tell('a@m1', ticks(20, 'note'))
    await system.tell('b@m2', does(tellTo('c@m3', { type: 'long', text: 'long'.repeat(500) })))
    await system.tell('b@m2', ticks(20, 'note'))
    await system.tell('c@m3', ticks(21, 'nothing'))
    for (let n = 1; n <= 20; n += 2) {
      await system.run({ until: units(n) })
      heard.push([...system.recorded()].length)
    }
    assert.ok(facts > 40)
    return heard
  }))

test('a listener that is added and removed between two rounds changes nothing in the trace', async () => {
  const drive = async (system: System): Promise<void> => {
    await spawn(system, 'a@m1', 'b@m2')
    await system.tell('a@m1', ticks(2500, 'nothing'))
    await system.tell('b@m2', ticks(2500, 'nothing'))
    await system.run()
  }
  const { lines } = await recordOf({ runtime: 'inline' }, drive)
  let begun = 0
  const listened = await recordOf({ runtime: 'inline' }, async (system) => {
    let isOver = false
    const run = drive(system).finally(() => {
      isOver = true
    })
    for (let unlisten = () => {}; !isOver; await setImmediate()) {
      unlisten()
      if (system.now > 0) begun++
      unlisten = begun % 2 === 0 ? () => {} : system.onLine(() => {})
    }
    await run
  })
  assert.ok(begun > 3)
  assert.equal(listened.lines, lines)
})

test.run()
