/** Timers for the current instant: exhaustive exploration predicts their places in it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TimerKind } from '../../lib/core/time.ts'
import { exhaust } from '../../lib/explore/exhaustive.ts'
import { BEGINNING, dueAfter } from '../../lib/explore/instant.ts'
import type { Specification } from '../../lib/scenario/specification.ts'
import type { Act } from '../fixtures/actors/puppet.ts'

const MODULE = new URL('../fixtures/actors/puppet.ts', import.meta.url)
const KINDS: readonly TimerKind[] = ['completion', 'arrival', 'protocol']

const timer = (id: string, n: number, kind: TimerKind, delay: number): Act => ({
  act: 'timer',
  id,
  delay,
  kind,
  event: { type: 'note', n },
})

/** A timer of `first` sets one of `second` for its own instant. Two more timers of these kinds are due then. */
function stageOf(first: TimerKind, second: TimerKind): Specification {
  const setting: Act = {
    act: 'timer',
    id: 'sets',
    delay: 5,
    kind: first,
    event: {
      type: 'do',
      acts: [timer('late', 1, second, 0), { act: 'tell', to: 'a@m', message: { type: 'note', n: 4 } }],
    },
  }
  const start = [setting, timer('other', 2, first, 5), timer('another', 3, second, 5)]
  const specification: Specification = {
    options: { seed: 1 },
    faults: [],
    addresses: ['a@m'],
    tasks: 1,
    only: () => specification,
    open: async (system) => {
      const noted: unknown[] = []
      system.onFact(({ type, n }) => type === 'noted' && noted.push(n))
      await system.spawn('a@m', MODULE, { start })
      return { outcome: () => noted.join(), violations: () => [] }
    },
  }
  return specification
}

for (const first of KINDS) {
  for (const second of KINDS) {
    test(`a timer of kind ${first} sets one of kind ${second} for the same instant`, async () => {
      const found = await exhaust({
        specification: stageOf(first, second),
        reduce: false,
        depth: Number.POSITIVE_INFINITY,
        schedules: 100,
      })
      assert.equal(found.failures, [])
      // the mail may be handled before or after each of the two or three remaining timers
      const left = first === second || KINDS.indexOf(first) < KINDS.indexOf(second) ? 3 : 2
      assert.is(found.orders, left + 1)
    })
  }
}

test('the phases of an instant repeat within it', () => {
  assert.equal(BEGINNING, { at: 0, lap: 0, phase: 3 })
  assert.equal(dueAfter(BEGINNING, 0, 'protocol'), { at: 0, lap: 0, phase: 4 })
  assert.equal(dueAfter(BEGINNING, 0, 'arrival'), { at: 0, lap: 1, phase: 2 })
  assert.equal(dueAfter(BEGINNING, 0, 'mail'), BEGINNING)
  assert.equal(dueAfter(dueAfter(BEGINNING, 0, 'protocol'), 0, 'mail'), { at: 0, lap: 1, phase: 3 })
  assert.equal(dueAfter({ at: 3, lap: 2, phase: 4 }, 4, 'completion'), { at: 4, lap: 0, phase: 1 })
})

test.run()
