import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ENVELOPES_MAX, requireSequenceNumber } from '../../lib/memory/sequence.ts'
import { throwsSaying } from '../throws.ts'

test('an incarnation that has used all sequence numbers gets an error, and its numbers do not turn negative', () => {
  requireSequenceNumber(ENVELOPES_MAX - 1)
  assert.is((ENVELOPES_MAX - 1) | 0, ENVELOPES_MAX - 1)
  throwsSaying(
    () => requireSequenceNumber(ENVELOPES_MAX),
    'one incarnation of an actor can send 2147418112 envelopes (limit ENVELOPES_MAX)',
  )
})

test.run()
