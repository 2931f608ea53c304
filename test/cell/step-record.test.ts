import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EnvelopeId, Handled } from '../../lib/actor/step-report.ts'
import { itemIn } from '../../lib/cell/inbox.ts'
import { type SendOutcome, StepLog } from '../../lib/cell/step-log.ts'
import { SYSTEM } from '../../lib/core/address.ts'
import type { Message } from '../../lib/core/data.ts'
import { CLASS_REPORT, CLASS_TRACE } from '../../lib/memory/envelope.ts'
import { sizeOf } from '../../lib/memory/layout.ts'
import { mailOf } from '../../lib/memory/memory.ts'
import { collectedBy } from '../memory/collected.ts'

const CAUSE: EnvelopeId = [2, 1, 7]
const nameOf = (slot: number): string => `b@m${slot}`
const EMPTY = { type: 'step' } as const

/** A log of the actor in slot 3, and the report that it has sent. */
function logOf(isShared: boolean) {
  const mail = mailOf(sizeOf({ actors: 7, memoryMB: 1, mailbox: 9 }), isShared)
  const tape = mail.tape(Number.POSITIVE_INFINITY, () => true)
  let before = 0
  const endpoint = mail.endpoint(3, 0)
  endpoint.moveTo(5, 0)
  endpoint.cause = CAUSE
  const log = new StepLog(endpoint)
  const send = (seq: number, outcome: SendOutcome, message: Message): void => {
    endpoint.pack(message)
    log.notePacked()
    log.addSend([3, 0, seq], 4, outcome)
  }
  const mailed = () => {
    endpoint.publish()
    mail.link(3, () => {})
    const [envelope] = collectedBy(mail, SYSTEM)
    const item = envelope && itemIn(envelope, nameOf)
    envelope?.addTo(tape)
    const words = tape.words - before
    before = tape.words
    return { what: item?.what, cause: item?.cause, kind: envelope?.class, words }
  }
  return { log, send, mailed }
}

const timer: Handled = { timer: 'wait', n: 4, kind: 'protocol', event: { type: 'late', of: [1] }, cause: CAUSE }

for (const [where, isShared] of [
  ['shared memory', true],
  ['one thread', false],
] as const) {
  for (const [what, on] of Object.entries<Handled>({
    mail: { mail: CAUSE, type: 'bid' },
    'a timer': timer,
    'the start': { start: true },
  })) {
    test(`the record of a step that handled ${what} has the actions of the step (${where})`, () => {
      const { log, send, mailed } = logOf(isShared)
      log.begin()
      send(5, 1000, { type: 'ask', price: 0.5 })
      send(6, { due: 2000, copyOf: [3, 0, 5] }, { type: 'ask', price: 0.5 })
      log.end({ ...EMPTY, on, unhandled: undefined, state: { busy: 'here' } })
      const { what: record, cause, kind } = mailed()
      assert.equal(record, {
        ...EMPTY,
        on,
        sends: [
          { id: [3, 0, 5], to: 'b@m4', message: { type: 'ask', price: 0.5 }, due: 1000 },
          { id: [3, 0, 6], to: 'b@m4', message: { type: 'ask', price: 0.5 }, due: 2000, copyOf: [3, 0, 5] },
        ],
        state: { busy: 'here' },
      })
      assert.equal(cause, CAUSE)
      assert.is(kind, CLASS_TRACE)
    })
  }

  test(`an untraced step without effects for the system leaves no record (${where})`, () => {
    const { log, mailed } = logOf(isShared)
    log.begin()
    log.end({ ...EMPTY, on: undefined, facts: undefined })
    assert.is(mailed().what, undefined)
  })

  test(`the record of an untraced step has only its lost and its unhandled messages, and the system reads it (${where})`, () => {
    const { log, send, mailed } = logOf(isShared)
    log.begin()
    send(5, { lost: 4 }, { type: 'ask' })
    log.end({ ...EMPTY, unhandled: 'bid' })
    const { what, kind } = mailed()
    const sends = [{ id: [3, 0, 5], to: 'b@m4', message: { type: 'ask' }, lost: 4 }]
    assert.equal(what, { ...EMPTY, sends, lost: [4], unhandled: 'bid' })
    assert.is(kind, CLASS_REPORT)
  })

  test(`the record of a step has nothing of an earlier step that failed (${where})`, () => {
    const { log, send, mailed } = logOf(isShared)
    log.begin()
    send(5, { lost: 4 }, { type: 'ask' })
    log.begin()
    log.end({ ...EMPTY, state: 'idle' })
    const { what, kind } = mailed()
    assert.equal(what, { ...EMPTY, state: 'idle' })
    assert.is(kind, CLASS_TRACE)
  })

  test(`a message to several recipients is recorded once, with its slots and any address without an actor (${where})`, () => {
    const { log, send, mailed } = logOf(isShared)
    const on = { start: true } as const
    log.begin()
    send(5, 1000, { type: 'ask' })
    log.addSend([3, 0, 6], 5, 1001)
    log.addSend([3, 0, 7], 'c@m9', { lost: 6 })
    log.end({ ...EMPTY, on })
    const once = mailed()
    assert.equal(once.what, {
      ...EMPTY,
      on,
      sends: [
        { id: [3, 0, 5], to: 'b@m4', message: { type: 'ask' }, due: 1000 },
        { id: [3, 0, 6], to: 'b@m5', message: { type: 'ask' }, due: 1001 },
        { id: [3, 0, 7], to: 'c@m9', message: { type: 'ask' }, lost: 6 },
      ],
      lost: [6],
    })
    log.begin()
    send(5, 1000, { type: 'ask' })
    send(6, 1001, { type: 'ask' })
    log.addSend([3, 0, 7], 'c@m9', { lost: 6 })
    log.end({ ...EMPTY, on })
    assert.ok(once.words < mailed().words)
  })
}

test('a report takes as much room in a recording, however it has travelled', () => {
  const words = [true, false].map((isShared) => {
    const { log, send, mailed } = logOf(isShared)
    log.begin()
    send(5, 1000, { type: 'ask', price: 0.5, of: ['a long text with more than 24 letters', null, { deep: true }] })
    log.addSend([3, 0, 7], 'c@m9', { lost: 6 })
    log.end({ ...EMPTY, on: timer, state: { busy: 'here' }, facts: [{ type: 'asked', price: 0.5 }] })
    return mailed().words
  })
  assert.is(words[0], words[1])
  assert.ok((words[0] ?? 0) > 30)
})

test.run()
