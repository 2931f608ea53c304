/** Pairs of clients held to their tickets, on schedules worked out by hand. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Evenness } from '../../scenarios/shares/oracle/evenness.ts'

const test = suite('evenness')

const worstOf = (tickets: Readonly<Record<string, number>>, schedule: string): number => {
  const evenness = new Evenness(new Map(Object.entries(tickets)))
  for (const client of schedule) evenness.add(client, 1)
  return evenness.worst
}

test('two clients in turn are at most half a quantum from their halves', () => {
  assert.is(worstOf({ A: 1, B: 1 }, 'ABABAB'), 1 / 2)
})

test('a client that waits two quanta too long is detected', () => {
  assert.is(worstOf({ A: 1, B: 1 }, 'ABAAA'), 3 / 2)
  assert.is(worstOf({ A: 1, B: 3 }, 'AABBBBBB'), 3 / 2)
})

test('the worst pair counts, at its worst', () => {
  // A had 3 quanta and C none, where each should have had half; then C catches up
  assert.is(worstOf({ A: 1, B: 2, C: 1 }, 'ABABBACCC'), 3 / 2)
})

test('clients without tickets do not count', () => {
  assert.is(worstOf({ A: 1 }, 'ABBB'), 0)
})

test.run()
