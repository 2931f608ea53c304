import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EnvelopeId, Handled, StepRecord } from '../../lib/actor/step-report.ts'
import { itemAt } from '../../lib/cell/inbox.ts'
import { type SendOutcome, StepLog } from '../../lib/cell/step-log.ts'
import type { Message } from '../../lib/core/data.ts'
import { CLASS, CLASS_REPORT, CLASS_TRACE, WORDS } from '../../lib/memory/envelope.ts'
import { sizeOf } from '../../lib/memory/layout.ts'
import { Log } from '../../lib/memory/log.ts'
import { memoryOf } from '../../lib/memory/memory.ts'
import { Outbox } from '../../lib/memory/outbox.ts'

const CAUSE: EnvelopeId = [2, 1, 7]
const { board, codec } = memoryOf(sizeOf({ actors: 7, memoryMB: 1, mailbox: 9 }), false)
const nameOf = (slot: number): string => `b@m${slot}`
const EMPTY = { type: 'step' } as const

/** A log of the actor in slot 3, and the records that it has written: by mail, or into a log of this thread. */
function logOf(local?: Log & { isOpen: boolean }) {
  const outbox = new Outbox(board, codec, 3, 0)
  const envelopeOf = (kind: number) => ({ to: 0, class: kind, due: 5, sentAt: 5, subround: 0, cause: CAUSE })
  const log = new StepLog(codec, outbox, envelopeOf, local)
  const send = (seq: number, outcome: SendOutcome, message: Message): void => {
    codec.encode(message)
    log.noteEncoded()
    log.addSend([3, 0, seq], 4, outcome)
  }
  const mailed = () => {
    const at = outbox.take()
    const item = at === 0 ? undefined : itemAt(board, codec, at, nameOf)
    const { i32 } = board
    return { what: item?.what, cause: item?.cause, kind: i32[2 * at + CLASS], words: i32[2 * at + WORDS] ?? 0 }
  }
  return { log, send, mailed }
}

const timer: Handled = { timer: 'wait', n: 4, kind: 'protocol', event: { type: 'late', of: [1] }, cause: CAUSE }

for (const [what, on] of Object.entries<Handled>({
  mail: { mail: CAUSE, type: 'bid' },
  'a timer': timer,
  'the start': { start: true },
})) {
  test(`the record of a step that handled ${what} has the actions of the step`, () => {
    const { log, send, mailed } = logOf()
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

test('an untraced step without effects for the system leaves no record', () => {
  const { log, mailed } = logOf()
  log.begin()
  log.end({ ...EMPTY, on: undefined, facts: undefined })
  assert.is(mailed().what, undefined)
})

test('the record of an untraced step has only its lost and its unhandled messages, and the system reads it', () => {
  const { log, send, mailed } = logOf()
  log.begin()
  send(5, { lost: 4 }, { type: 'ask' })
  log.end({ ...EMPTY, unhandled: 'bid' })
  const { what, kind } = mailed()
  const sends = [{ id: [3, 0, 5], to: 'b@m4', message: { type: 'ask' }, lost: 4 }]
  assert.equal(what, { ...EMPTY, sends, lost: [4], unhandled: 'bid' })
  assert.is(kind, CLASS_REPORT)
})

test('a record goes into the log of the thread if only a trace needs it and that log is open', () => {
  const local = Object.assign(new Log(), { isOpen: true })
  const { log, mailed } = logOf(local)
  const isMailed = (details: Omit<StepRecord, 'type'>): boolean => {
    const before = local.words
    log.begin()
    log.end({ ...EMPTY, ...details })
    const isSent = mailed().what !== undefined
    assert.is(local.words > before, !isSent)
    return isSent
  }
  for (const details of [{ on: timer }, { unhandled: 'bid' }, { state: 'idle' }]) {
    local.isOpen = true
    assert.not(isMailed(details))
    local.isOpen = false
    assert.ok(isMailed(details))
  }
  local.isOpen = true
  assert.ok(isMailed({ facts: [{ type: 'done' }] }))
  assert.ok(isMailed({ records: [1] }))
  assert.ok(isMailed({ computations: [{ end: 'c' }] }))
  assert.ok(isMailed({ stopped: true }))
  assert.ok(isMailed({ on: timer, crash: { name: 'Error', message: 'no', stack: '' } }))
})

test('the record of a step has nothing of an earlier step that failed', () => {
  const { log, send, mailed } = logOf()
  log.begin()
  send(5, { lost: 4 }, { type: 'ask' })
  log.begin()
  log.end({ ...EMPTY, state: 'idle' })
  const { what, kind } = mailed()
  assert.equal(what, { ...EMPTY, state: 'idle' })
  assert.is(kind, CLASS_TRACE)
})

test('a message to several recipients is recorded once, with its slots and any address without an actor', () => {
  const { log, send, mailed } = logOf()
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

test.run()
