/** Seals without a server: frames that open, and frames that do not. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SEAL_BYTES, Seal } from '../../lib/distributed/seal.ts'
import { Secret } from '../../lib/distributed/secret.ts'
import { throwsSaying } from '../throws.ts'
import { SECRET } from './secret.ts'

const body = Buffer.from('what is said')
const seals = (self: string, purpose = 'run a', secret = SECRET) => new Seal(secret, purpose, self)

test('a sealed frame opens once, and names its sender', () => {
  const [sender, receiver] = [seals('7'), seals('0')]
  for (const n of [1, 2, 3]) {
    const { frame } = sender.seal('there', body)
    assert.ok(frame.length <= body.length + SEAL_BYTES)
    const opened = receiver.open('there', frame)
    assert.equal([opened?.from, opened?.n, String(opened?.body)], ['7', n, 'what is said'])
    assert.is(receiver.open('there', frame), undefined)
  }
})

test('a frame that was changed, sealed for another subject or key, or opened before does not open', () => {
  const { frame } = seals('7').seal('there', body)
  const opens = (receiver: Seal, subject: string, bytes: Uint8Array): boolean =>
    receiver.open(subject, bytes) !== undefined
  for (let bit = 0; bit < 8 * frame.length; bit++) {
    const changed = Uint8Array.from(frame)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.not(opens(seals('0'), 'there', changed), `bit ${bit}`)
  }
  for (let length = 0; length < frame.length; length++)
    assert.not(opens(seals('0'), 'there', frame.subarray(0, length)))
  assert.not(opens(seals('0'), 'there', Buffer.concat([frame, Buffer.alloc(1)])))
  assert.not(opens(seals('0'), 'elsewhere', frame))
  assert.not(opens(seals('0', 'run b'), 'there', frame))
  assert.not(opens(seals('0', 'run a', new Secret('another secret of more than 32 characters')), 'there', frame))
  assert.ok(opens(seals('0'), 'there', frame))
})

test('a frame that arrives after a later one does not open, and senders are counted separately', () => {
  const [one, other, receiver] = [seals('7'), seals('8'), seals('0')]
  const [first, second] = [one.seal('there', body).frame, one.seal('there', body).frame]
  assert.ok(receiver.open('there', second))
  assert.is(receiver.open('there', first), undefined)
  assert.ok(receiver.open('there', other.seal('there', body).frame))
})

test('an answer opens only for its own request', () => {
  const [asked, asker] = [seals('7'), seals('0')]
  const { frame } = asked.seal('answer 0 1', body)
  assert.ok(asker.read('answer 0 1', frame))
  assert.is(asker.read('answer 0 2', frame), undefined)
})

test('a name that is too long for a frame is refused', () => {
  throwsSaying(() => seals('x'.repeat(65)), 'a name of more than 64 bytes')
})

test.run()
