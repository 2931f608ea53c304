/** Mail within one thread is compared with mail in shared memory. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM } from '../../lib/core/address.ts'
import type { Plain } from '../../lib/core/data.ts'
import { CLASS_MAIL } from '../../lib/memory/envelope.ts'
import { sizeOf } from '../../lib/memory/layout.ts'
import type { Mail } from '../../lib/memory/mail.ts'
import { mailOf } from '../../lib/memory/memory.ts'
import { collectedBy } from './collected.ts'

const SIZE = sizeOf({ actors: 7, memoryMB: 4, mailbox: 9 })
const [shared, local] = [mailOf(SIZE, true), mailOf(SIZE, false)]

/** Sends a message to two actors, and returns what each is handed; or the reason why it cannot travel. */
function passed(mail: Mail, message: unknown): readonly unknown[] {
  const sender = mail.endpoint(SYSTEM, 0)
  try {
    sender.pack(message as Plain)
  } catch (error) {
    return [String(error)]
  }
  for (const to of [1, 2]) sender.post(to, CLASS_MAIL, 0)
  sender.publish()
  mail.link(SYSTEM, () => {})
  return [1, 2].flatMap((slot) =>
    collectedBy(mail, slot).map((envelope) => {
      const read = envelope.read()
      envelope.release()
      return read
    }),
  )
}

/** Values that travel, and values that do not, at any depth. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -0, Number.NaN, Infinity, 2 ** 53, '', 'type', undefined),
    fc.double(),
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 8 }),
    fc.constantFrom<unknown>(
      1n,
      () => 0,
      Symbol('s'),
      new Map(),
      new Date(0),
      new Array(2),
      { $bytes: 1 },
      Object.create({}),
    ),
  ),
})).value

test('within one thread a message arrives, or is refused, as in shared memory', () => {
  let [arrived, refused] = [0, 0]
  fc.assert(
    fc.property(value, (message) => {
      const [one, other] = [passed(shared, message), passed(local, message)]
      assert.ok(isDeepStrictEqual(other, one))
      assert.is(JSON.stringify(other), JSON.stringify(one))
      if (one.length === 2) arrived++
      else refused++
    }),
    { numRuns: 3000 },
  )
  assert.ok(arrived > 500 && refused > 500, `${arrived} arrived, ${refused} refused`)
})

test('each recipient within one thread has a copy of its own, as if it had come from another thread', () => {
  const part = { n: 1 }
  const bytes = new Uint8Array([1, 2])
  const message = { type: 'news', part, again: part, bytes, list: [part] }
  const [one, other] = passed(local, message) as (typeof message)[]
  assert.equal(one, message)
  assert.equal(other, message)
  const parts = [part, one?.part, one?.again, one?.list[0], other?.part, other?.again, other?.list[0]]
  assert.is(new Set(parts).size, parts.length)
  bytes[0] = 9
  assert.equal([one?.bytes[0], other?.bytes[0]], [1, 1])
})

test('data nested 64 deep arrives, and deeper data is refused with its path', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) })
  for (const depth of [64, 65]) assert.equal(passed(local, nested(depth)), passed(shared, nested(depth)))
  const [why] = passed(local, nested(65))
  assert.match(String(why), /^NotPlainError: message(\.in){64} is nested more than 64 deep/)
})

test.run()
