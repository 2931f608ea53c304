import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EnvelopeId, Handled } from '../../lib/actor/step-report.ts'
import { reportOf, type SendOutcome, StepRecord } from '../../lib/cell/step-record.ts'
import type { Message, Plain } from '../../lib/core/data.ts'
import { blockOf } from '../../lib/memory/block.ts'
import { Codec } from '../../lib/memory/codec.ts'

const DEFINITIONS = 4096
const CAUSE: EnvelopeId = [2, 1, 7]

const block = blockOf(new ArrayBuffer(8 * 2 * DEFINITIONS))
block.i32[0] = 1
const codec = new Codec(block, { pointer: 0, start: 1, end: DEFINITIONS })

function send(account: StepRecord, seq: number, way: SendOutcome, message: Message): void {
  codec.encode(message)
  account.noteEncoded()
  account.addSend([3, 0, seq], 4, way)
}

const nameOf = (slot: number): string => `b@m${slot}`

function told(cause: EnvelopeId | null): unknown {
  codec.endList()
  codec.store(DEFINITIONS)
  const list: Plain = codec.decode(DEFINITIONS)
  return Array.isArray(list) && reportOf(list, [3, 0, 99], cause, nameOf)
}

const timer: Handled = { timer: 'wait', n: 4, kind: 'protocol', event: { type: 'late', of: [1] }, cause: CAUSE }

for (const [what, on] of Object.entries<Handled>({
  mail: { mail: CAUSE, type: 'bid' },
  'a timer': timer,
  'the start': { start: true },
})) {
  test(`the record of a step that handled ${what} has the actions of the step`, () => {
    const account = new StepRecord(codec)
    account.begin(on)
    send(account, 5, 1000, { type: 'ask', price: 0.5 })
    send(account, 6, { due: 2000, copyOf: [3, 0, 5] }, { type: 'ask', price: 0.5 })
    account.addDetail({ state: { busy: 'here' } })
    assert.not(account.isLossy)
    assert.equal(told(CAUSE), {
      type: 'step',
      on,
      sends: [
        { id: [3, 0, 5], to: 'b@m4', message: { type: 'ask', price: 0.5 }, due: 1000 },
        { id: [3, 0, 6], to: 'b@m4', message: { type: 'ask', price: 0.5 }, due: 2000, copyOf: [3, 0, 5] },
      ],
      state: { busy: 'here' },
    })
  })
}

test('the record of an untraced step has only its lost and its unhandled messages', () => {
  const account = new StepRecord(codec)
  account.begin()
  assert.ok(account.isEmpty)
  send(account, 5, { lost: 4 }, { type: 'ask' })
  account.addDetail({ unhandled: 'bid' })
  assert.ok(account.isLossy)
  const sends = [{ id: [3, 0, 5], to: 'b@m4', message: { type: 'ask' }, lost: 4 }]
  assert.equal(told(null), { type: 'step', sends, unhandled: 'bid' })
})

test('the record of a step has nothing of an earlier step that failed', () => {
  const account = new StepRecord(codec)
  account.begin(timer)
  send(account, 5, { lost: 4 }, { type: 'ask' })
  account.begin()
  assert.ok(account.isEmpty)
  assert.not(account.isLossy)
  account.addDetail({ state: 'idle' })
  assert.equal(told(null), { type: 'step', state: 'idle' })
})

test('a message to several recipients is recorded once, with its slots and any address without an actor', () => {
  const account = new StepRecord(codec)
  account.begin({ start: true })
  send(account, 5, 1000, { type: 'ask' })
  account.addSend([3, 0, 6], 5, 1001)
  account.addSend([3, 0, 7], 'c@m9', { lost: 6 })
  const once = codec.endList()
  assert.equal(told(null), {
    type: 'step',
    on: { start: true },
    sends: [
      { id: [3, 0, 5], to: 'b@m4', message: { type: 'ask' }, due: 1000 },
      { id: [3, 0, 6], to: 'b@m5', message: { type: 'ask' }, due: 1001 },
      { id: [3, 0, 7], to: 'c@m9', message: { type: 'ask' }, lost: 6 },
    ],
  })
  account.begin({ start: true })
  send(account, 5, 1000, { type: 'ask' })
  send(account, 6, 1001, { type: 'ask' })
  account.addSend([3, 0, 7], 'c@m9', { lost: 6 })
  assert.is(once < codec.endList(), true)
})

test.run()
