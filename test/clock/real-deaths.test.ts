/** Random deaths in real time: threads end, and actors are killed, restarted and paused, while mail is on its way. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Message, units } from '../../lib/actor.ts'
import { stream } from '../../lib/core/random.ts'
import { Replay } from '../../lib/replay/replay.ts'
import type { System } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import type { Act } from '../fixtures/actors/puppet.ts'
import { repeats } from '../repeats.ts'
import { does, factsOf, later, network, notesOf, type Options, PUPPET, tellTo, withSystem } from '../system/harness.ts'

const NAMES = Array.from({ length: 6 }, (_, i) => `p@m${i}`)
const DEATHS = 12
const RELIABLE: Options = { reliable: true, network: { ...network(0.5, 0.5), loss: 0.05 } }

const livingOf = (system: System): string[] =>
  system.actors.filter(({ status }) => status.type === 'alive').map(({ address }) => address)

/** Lets actors that always restart send each other mail, and end some of them meanwhile. */
async function scene(system: System, seed: number): Promise<void> {
  const next = stream(seed, 'deaths in real time')
  const upTo = (n: number) => Math.floor(next() * n)
  const any = () => NAMES[upTo(NAMES.length)] ?? ''
  let noted = 0
  const work = (depth: number): Message =>
    does(
      ...Array.from({ length: 3 }, (): Act => {
        if (depth > 0 && next() < 0.7) return tellTo(any(), work(depth - 1))
        const message = { type: 'note', n: noted++ }
        return next() < 0.5 ? tellTo(any(), message) : later(units(5 * next()), message, { id: `note ${message.n}` })
      }),
    )
  const strike = (who: string): Promise<void> => {
    const how = ['exit', 'throw', 'kill', 'restart', 'pause'][upTo(5)]
    if (how === 'kill') return system.kill(who)
    if (how === 'restart') return system.restart(who)
    if (how === 'pause') return system.pause(who, units(3))
    return system.tell(who, does(how === 'exit' ? { act: 'exit' } : { act: 'throw', text: 'on purpose' }))
  }
  for (const who of NAMES) await system.spawn(who, PUPPET, null, { restart: 'permanent', intensity: 10 * DEATHS })
  for (let i = 0; i < 20; i++) await system.tell(any(), work(3))
  const run = system.run()
  for (let i = 0; i < DEATHS; i++) {
    await strike(any())
    await system.tell(any(), work(3))
  }
  assert.is((await run).ended, 'idle')
}

for (const [runtime, rounds] of [
  ['threads', 2],
  ['pool', 8],
] as const) {
  test(`in real time random deaths lose no actor and double no message, and the run ends and is replayed (${runtime})`, async () => {
    for (let seed = 1; seed <= repeats(rounds); seed++) {
      const options: Options = { runtime, poolThreads: 3, ...(seed % 2 === 0 && RELIABLE) }
      await withSystem({ ...options, time: 'real', record: true, memoryMB: 32 }, async (system) => {
        const facts = factsOf(system)
        system.onDeath(() => {})
        await scene(system, seed)
        assert.equal(livingOf(system), NAMES, `seed ${seed}`)
        const notes = notesOf(facts)
        assert.is(new Set(notes).size, notes.length, `seed ${seed}`)
        await system.stop()
        const steps = [...(await Replay.open(traceOf([...system.recorded()])))].length
        assert.ok(steps > 100, `${steps} steps with seed ${seed}`)
      })
    }
  })
}

test.run()
