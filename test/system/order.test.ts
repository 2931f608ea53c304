import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import {
  does,
  factsOf,
  later,
  network,
  nextRuntimes,
  note,
  notes,
  notesOf,
  type Options,
  spawnPuppets,
  tellTo,
  withSystem,
} from './harness.ts'

/** Lets a send a cause to c, and then a message to b, which sends the effect to c. It does so 60 times, so that jitter reorders some. */
async function seenBeforeCause(options: Options): Promise<number> {
  return withSystem(options, async (system) => {
    const facts = factsOf(system)
    await spawnPuppets(system, 'a@m1', 'b@m2', 'c@m3')
    const times = Array.from({ length: 60 }, (_, i) => i)
    const story = (i: number) => does(note('c@m3', 2 * i), tellTo('b@m2', does(note('c@m3', 2 * i + 1))))
    await system.tell('a@m1', does(...times.map((i) => later(units(20 * i), story(i), { id: `t${i}` }))))
    await system.run()
    const seen = notesOf(facts, 'c@m3')
    assert.is(seen.length, 120)
    return times.filter((i) => seen.indexOf(2 * i + 1) < seen.indexOf(2 * i)).length
  })
}

for (const runtime of nextRuntimes()) {
  test(`with order fifo an effect may be seen before its cause, and always in the same places (${runtime})`, async () => {
    const count = await seenBeforeCause({ runtime, network: network(1, 6) })
    assert.ok(count > 0)
    assert.is(await seenBeforeCause({ runtime, network: network(1, 6) }), count)
  })

  test(`with order causal no effect is seen before its cause (${runtime})`, async () => {
    assert.is(await seenBeforeCause({ runtime, order: 'causal', network: network(1, 6) }), 0)
  })
}

test('with constant latency, or none, no effect overtakes its cause under either order', async () => {
  for (const order of ['fifo', 'causal'] as const) {
    for (const latency of [0, 1]) {
      assert.is(await seenBeforeCause({ runtime: 'inline', order, network: network(latency) }), 0)
    }
  }
})

test('under order causal no schedule puts an effect before its cause', async () => {
  for (let schedule = 1; schedule <= 10; schedule++) {
    assert.is(await seenBeforeCause({ runtime: 'inline', order: 'causal', schedule, network: network(1, 6) }), 0)
  }
})

/** Six senders that each send twenty messages to one recipient in one round. */
async function arrivals(options: Options): Promise<{ seen: string; hash: string }> {
  const system = { hash: '' }
  const seen = await withSystem({ trace: true, ...options }, async (running) => {
    const facts = factsOf(running)
    const senders = Array.from({ length: 6 }, (_, i) => `s@m${i}`)
    await spawnPuppets(running, 'r@m9', ...senders)
    for (const [i, sender] of senders.entries()) await running.tell(sender, does(...notes('r@m9', 20, 100 * i)))
    await running.run()
    await running.stop()
    system.hash = running.traceHash
    return notesOf(facts)
  })
  for (let sender = 0; sender < 6; sender++) {
    const own = seen.map(Number).filter((n) => Math.floor(n / 100) === sender)
    assert.equal(
      own,
      Array.from({ length: 20 }, (_, k) => 100 * sender + k),
    )
  }
  return { seen: seen.join(), hash: system.hash }
}

test('schedule fifo takes the mail of a round in the order of spawning', async () => {
  const { seen } = await arrivals({ runtime: 'threads' })
  assert.is(seen, Array.from({ length: 120 }, (_, i) => 100 * Math.floor(i / 20) + (i % 20)).join())
})

test('each schedule number gives an order of its own, always the same, and keeps the order between each pair of actors', async () => {
  const orders = new Set<string>()
  for (let schedule = 1; schedule <= 8; schedule++) {
    const inline = await arrivals({ runtime: 'inline', schedule })
    orders.add(inline.seen)
    if (schedule <= 3) assert.equal(await arrivals({ runtime: 'threads', schedule }), inline)
  }
  assert.ok(orders.size >= 7, `${orders.size} orders of 8 schedules`)
})

test.run()
