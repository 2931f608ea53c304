/** Message counts, in total and by type. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { System } from '../../lib/system.ts'
import { both, does, note, notes, spawnPuppets, tellTo } from './harness.ts'

both(
  'messages between machines are counted by type, over all incarnations and without steps that failed',
  async (system) => {
    await spawnPuppets(system, 'a@m1', 'b@m1', 'r@m9')
    const question = tellTo('r@m9', { type: 'question', n: 1 })
    const order = does(...notes('r@m9', 3), question, note('b@m1', 1), tellTo('r@m9', { type: 'stop' }))
    await system.tell('a@m1', does(note('r@m9', 1), note('r@m9', 2), { act: 'throw', text: 'after two notes' }))
    await system.run()
    await system.restart('a@m1')
    await system.tell('a@m1', order)
    await system.run()
    assert.equal(
      [...system.messagesByType],
      [
        ['question', 1],
        ['note', 3],
        ['answer', 1],
        ['never sent', 0],
      ],
    )
    assert.is(system.messages, 6) // includes the message whose type is not counted separately
    assert.is(system.localMessages, 1)
  },
  { count: ['question', 'note', 'answer', 'never sent'] },
)

test('more than 16 types to count, or one named twice, are refused, and the error names the option', () => {
  const types = Array.from({ length: 17 }, (_, i) => `t${i}`)
  for (const count of [types, ['a', 'a']])
    assert.throws(() => new System({ count }), /option count must be 16 different types at most, not/)
})

test.run()
