/**
 * Random faults over a toy family that uses every feature of the runtime: a tree of supervised actors, watches, asks, deferred
 * and urgent messages, receive timeouts, records with snapshots, and bytes. CONTRIBUTING.md has the command for many more.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { actorNamed } from '../../lib/core/code-registry.ts'
import { Replay } from '../../lib/replay/replay.ts'
import { parseFault, printFault } from '../../lib/scenario/faults.ts'
import { loadRegistered } from '../../lib/scenario/load.ts'
import type { System } from '../../lib/system/system.ts'
import type { SystemInit } from '../../lib/system.ts'
import { traceOf } from '../../lib/trace/read.ts'
import workshop from '../fixtures/workshop/workshop.ts'
import { repeats, sampled } from '../repeats.ts'

const SEED = 1
const TREE = [
  'owner.shop@s',
  'owner.shop.store@s',
  'owner.shop.crew@s',
  'owner.shop.crew.press@s',
  'owner.shop.crew.1@s',
]

test('a scenario lists the modules that its actors spawn, so that a replay in another process may load them', async () => {
  await loadRegistered('test/fixtures/workshop/workshop.ts')
  assert.ok(actorNamed('test/fixtures/workshop/press.ts'))
})

for (const [runtime, count] of [
  ['inline', repeats(4)],
  ['threads', 1],
] as const) {
  for (const reliable of [false, true]) {
    const plans = workshop.faultPlans(new Map(reliable ? [['reliable', []]] : []))
    const network = reliable ? 'with reliable delivery' : 'without reliable delivery'
    test(`random faults break no promise of the workshop, and each run comes to rest (${runtime}, ${network})`, async () => {
      for (const kind of runtime === 'inline' ? plans.kinds : sampled(plans.kinds)) {
        for (let n = 0; n < count; n++) {
          const { violations, faults } = await plans.broken(kind, { seed: SEED, n }, runtime)
          assert.equal(violations, [], `${kind}, plan ${n} of seed ${SEED}: ${faults.map(printFault).join('; ')}`)
        }
      }
    })
  }
}

test('each actor of the tree may be killed at any instant', async () => {
  const model = workshop.modelOf(new Map())
  for (const [i, who] of TREE.entries()) {
    const faults = [7, 13, 14, 31, 32].map((t, n) => parseFault(`kill ${TREE[(i + n) % TREE.length]} at ${t}`))
    const { broken, crashes, end } = await workshop.run(model, { runtime: 'inline', network }, faults)
    assert.equal([broken, crashes, end.ended], [[], [], 'idle'], who)
  }
})

test('a run of the workshop with faults is replayed, and is the same on threads and inline', async () => {
  const model = workshop.modelOf(new Map())
  const faults = TREE.map((who, i) => parseFault(`kill ${who} at ${9 + 5 * i}`))
  const hashes = new Set<string>()
  for (const runtime of ['inline', 'threads'] as const) {
    const options: SystemInit = { runtime, network, record: true, trace: true }
    let system: System | undefined
    const done = await workshop.run(model, options, faults, { onSystem: (opened) => (system = opened) })
    hashes.add(done.traceHash)
    const replay = await Replay.open(traceOf([...(system?.recorded() ?? [])]))
    assert.is([...replay].length, done.steps)
  }
  assert.is(hashes.size, 1)
})

const network = { latency: units(2), jitter: units(3), loss: 0.05, duplicate: 0.1 }

test.run()
