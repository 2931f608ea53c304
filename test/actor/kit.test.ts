/** The kit for authors of actors: turns, retries, failure detectors, event-sourced states and gathered answers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answered,
  asked,
  eventSourced,
  excused,
  heardOf,
  idleDetector,
  inspected,
  isAwaited,
  isComplete,
  LONGEST_PAUSE,
  observe,
  persist,
  probed,
  ref,
  retry,
  snapshot,
  type Turn,
  timer,
  turn,
  units,
} from '../../lib/actor.ts'
import { throwsSaying } from '../throws.ts'

test('a turn changes a draft of the context, and gives its effects in order', () => {
  type Context = { readonly bids: number; readonly seen: readonly string[] }
  const onBid = turn((it: Turn<Context>, { from }: { readonly from: string }) => {
    it.context.bids += 1
    it.do(observe({ type: 'heard' }))
    it.context.seen = [...it.context.seen, from]
    it.do(observe({ type: 'noted' }))
  })
  const before: Context = { bids: 1, seen: [] }
  const after = { bids: 2, seen: ['a@m1'] }
  assert.equal(onBid(before, { from: 'a@m1' }), [after, observe({ type: 'heard' }), observe({ type: 'noted' })])
  assert.equal(before, { bids: 1, seen: [] })
})

test('a reference is its address; what is no address of an actor or group is refused with the mend', () => {
  assert.is(ref('pong@there'), 'pong@there')
  assert.is(ref('pong@*'), 'pong@*')
  throwsSaying(() => ref('pong'), 'the address "pong" must be role@machine, such as client@m1')
  throwsSaying(() => ref('po ng@*'), 'the address "po ng@*" must be role@machine')
  throwsSaying(() => ref('system@m1'), 'choose another role than system')
})

test('pauses between repetitions double until they are too long, and without a pause nothing is repeated', () => {
  assert.equal(retry('again', units(2), { type: 'again' }), [units(4), timer('again', units(2), { type: 'again' })])
  assert.is(retry('again', LONGEST_PAUSE, { type: 'again' }).length, 2)
  assert.equal(retry('again', 2 * LONGEST_PAUSE, { type: 'again' }), [2 * LONGEST_PAUSE])
  assert.equal(retry('again', null, { type: 'again' }), [null])
})

test('a member that does not answer a probe is suspected, and any message of it clears it', () => {
  const first = probed(idleDetector<string>(), ['a', 'b', 'a'])
  assert.equal(first.silent, ['a', 'b'])
  assert.equal(inspected(heardOf(first, 'a'))[1], ['b'])
  assert.equal(inspected(heardOf(heardOf(first, 'a'), 'b'))[1], [])
})

test('a member is suspected after as many missed probes in a row as the actor says', () => {
  const twice = () => 2
  const [once, none] = inspected(probed(idleDetector<string>(), ['a', 'b']), twice)
  assert.equal(none, [])
  assert.equal(inspected(heardOf(probed(once, ['a', 'b']), 'a'), twice)[1], ['b'])
})

test('a state of records is the same after a restart, and one that need not be kept persists nothing', () => {
  const sums = eventSourced<{ total: number; last: number | null }, number>({
    empty: { total: 0, last: null },
    apply: ({ total }, n) => ({ total: total + n, last: n }),
    compact: ({ total }) => ({ total, last: null }),
  })
  assert.equal(sums.enter(sums.recover([1, 2]), 3, true), [{ total: 6, last: 3 }, persist(3)])
  assert.equal(sums.recover([1, 2, 3]), { total: 6, last: 3 })
  assert.equal(sums.recover([1, 2], { total: 10, last: null }), { total: 13, last: 2 })
  assert.equal(sums.enter(sums.recover(), 3, false), [{ total: 3, last: null }])
  assert.equal(sums.snapshot(6), [{ total: 6, last: 6 }, snapshot(6)])
})

test('a state of records tells what an entry led to when it is entered, and not when it is recovered', () => {
  const sums = eventSourced<{ total: number }, number>({
    empty: { total: 0 },
    apply: ({ total }, n) => [{ total: total + n }, observe({ type: 'added' })],
  })
  assert.equal(sums.enter(sums.recover([1, 2]), 3, true), [{ total: 6 }, persist(3), observe({ type: 'added' })])
  assert.equal(sums.enter({ total: 6 }, 4, false), [{ total: 10 }, observe({ type: 'added' })])
})

test('answers are gathered until every actor has answered; late, repeated and foreign ones are not awaited', () => {
  const round = answered(asked<string>(4, ['a@m1', 'b@m2', 'c@m3']), 'b@m2', 'yes')
  assert.ok(isAwaited(round, 'a@m1', 4))
  assert.not(isAwaited(round, 'a@m1', 3))
  assert.not(isAwaited(round, 'b@m2', 4))
  assert.not(isAwaited(round, 'd@m4', 4))
  const fewer = excused(answered(round, 'a@m1', 'no'), 'a@m1')
  assert.not(isComplete(fewer))
  const all = answered(fewer, 'c@m3', 'no')
  assert.ok(isComplete(all))
  assert.equal(
    [...all.answers],
    [
      ['b@m2', 'yes'],
      ['c@m3', 'no'],
    ],
  )
})

test.run()
