/** The checks that no actor runs in two places find violations. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Line } from '../../lib/trace/lines.ts'
import { brokenBy, Lives } from './one-place.ts'

const spawn = (incarnation: number): Line => ({ t: 'spawn', who: 'bank@m2', slot: 3, life: incarnation })
const send = (incarnation: number): Line => ({ t: 'send', from: 'bank@m2', id: `3.${incarnation}.1` })
const brokenIn = (...lines: readonly Line[]): readonly string[] => {
  const lives = new Lives()
  for (const line of lines) lives.hear(line)
  return lives.broken
}

test('a message of an earlier incarnation is found after the start of the next', () => {
  assert.equal(brokenIn(spawn(0), send(0), spawn(1), send(1), { t: 'send', from: 'system', id: '0.0.1' }), [])
  assert.equal(brokenIn(spawn(0), spawn(1), send(0)), ['bank@m2 sent 3.0.1 in incarnation 0, and is in incarnation 1'])
  assert.equal(brokenIn(spawn(1), spawn(1)), ['incarnation 1 of bank@m2 begins after incarnation 1'])
})

test('a host that is given up while it runs its actors is found', () => {
  const has = 'h2 has actors of the run r'
  const leaves = 'h2 leaves the run r: its lease could not be renewed'
  const silent = 'host h2 is silent'
  assert.equal(brokenBy([has, leaves, silent, has, leaves, silent]), [])
  assert.equal(brokenBy([has, leaves, has, silent]), ['h2 is given up while it runs its actors'])
  assert.equal(brokenBy([has, silent, leaves]), ['h2 is given up while it runs its actors'])
})

test.run()
