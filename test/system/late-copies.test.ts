/** Late copies: a schedule makes a second copy of a message arrive outside the order of its link. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Deviations, HOLD_BOUNDS, NO_DEVIATIONS } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/actor.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { complete } from '../../lib/system/options.ts'
import type { SystemInit } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import { throwsSaying } from '../throws.ts'
import { linesOf } from '../trace/traces.ts'
import { does, factsOf, later, network, note, notesOf, spawnPuppets } from './harness.ts'

/** The copy of the first message of `a@m1` to `r@m9` comes six units after it. */
const LATE: Deviations = { ...NO_DEVIATIONS, late: [{ passage: '1.0>2.0', by: units(6) }] }

/** Sends 1 at once, 2 after two units and 3 after twenty. Returns the notes as they arrive, and the trace. */
async function sending(options: SystemInit) {
  let notes: readonly unknown[] = []
  const lines = await linesOf({ network: network(1), schedule: LATE, ...options }, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'r@m9')
    const third = later(units(20), does(note('r@m9', 3)), { id: 'third' })
    await system.tell('a@m1', does(note('r@m9', 1), later(units(2), does(note('r@m9', 2))), third))
    await system.run()
    notes = notesOf(facts)
  })
  return { notes, lines }
}

test('a late copy arrives after later mail of its link, which does not wait for it', async () => {
  const plain = await sending({ schedule: { ...NO_DEVIATIONS, doubled: ['1.0>2.0'] } })
  assert.equal(plain.notes, [1, 1, 2, 3])
  assert.equal((await sending({})).notes, [1, 2, 1, 3])
})

test('a late copy gives the same run on threads, on a pool and inline, which is replayed byte for byte', async () => {
  const { lines } = await sending({ runtime: 'inline' })
  for (const runtime of ['threads', 'pool'] as const) assert.equal((await sending({ runtime })).lines, lines)
  const replay = await Replay.open(traceOf(lines.map((line) => JSON.parse(JSON.stringify(line)))))
  assert.is([...replay].length, replay.run.steps.length)
  assert.ok(replay.run.steps.some(({ on }) => on.what === 'mail' && replay.run.sends.get(on.id)?.copyOf !== undefined))
})

test('no copy comes later than the calm begins, since nothing disturbs a run then', async () => {
  const calm = { ...LATE, bounds: { ...HOLD_BOUNDS, calm: units(2) } }
  assert.equal((await sending({ schedule: calm })).notes, [1, 1, 2, 3])
})

test('reliable delivery handles no message again for its late copy', async () => {
  assert.equal((await sending({ reliable: true })).notes, [1, 2, 3])
})

test('late copies are refused under causal order, which they would break, and so is one that is not late', () => {
  throwsSaying(() => complete({ order: 'causal', schedule: LATE }), 'option schedule: late copies need order fifo')
  const early: Deviations = { ...NO_DEVIATIONS, late: [{ passage: '1.0>2.0', by: 0 }] }
  throwsSaying(() => complete({ schedule: early }), 'option schedule: the lateness of a copy')
})

test.run()
