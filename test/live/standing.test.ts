/** The promises of a run on its live page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { units } from '../../lib/actor.ts'
import { Standing } from '../../lib/live/standing.ts'
import type { Violation } from '../../lib/scenario/oracle.ts'

const NAMED = [
  { name: 'one holder', eventually: false },
  { name: 'every task ends', eventually: true },
]

test('promises are kept until they are found broken, and those of the end are not asked before', () => {
  const broken: Violation[] = []
  const standing = new Standing(
    () => ({ named: NAMED, broken }),
    (text) => [text],
  )
  const told = (at: number) => {
    standing.measure(units(at))
    return standing.shown.map(({ name, standing, since, broken }) => [name, standing, since, broken.length])
  }
  const later = ['every task ends', 'asked at the end', null, 0]
  assert.equal(told(1), [['one holder', 'kept', null, 0], later])
  broken.push({ property: 'one holder', text: 'a@m1 and b@m2 held it' })
  assert.equal(told(2), [['one holder', 'broken', units(2), 1], later])
  for (let i = 0; i < 9; i++) broken.push({ property: 'one holder', text: 'again' })
  broken.push({ property: 'no name was given', text: 'x' })
  assert.equal(told(3), [['one holder', 'broken', units(2), 3], ['no name was given', 'broken', units(3), 1], later])
})

test('before the run begins there is nothing to tell', () => {
  const standing = new Standing(
    () => undefined,
    (text) => [text],
  )
  standing.measure(0)
  assert.equal(standing.shown, [])
})

test.run()
