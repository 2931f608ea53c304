import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HOLD_BOUNDS } from '../../lib/actor/schedule.ts'
import { units } from '../../lib/core/time.ts'
import { deviationsFor, parseSchedule, printSchedule, settingsDigest } from '../../lib/scenario/schedule-string.ts'
import { throwsSaying } from '../throws.ts'

const test = suite('a schedule string')

const deviations = {
  holds: [
    { thing: '7.0.2', until: 3 },
    { thing: '2.1.t0', until: 14 },
  ],
  lost: ['7.0>2.0'],
  doubled: ['8.0>4.2'],
}
const options = { seed: 3, about: { scenario: 'bidding/market', tasks: 6 } }
const given = { deviations, seed: 3, digest: settingsDigest(options) }
const text = printSchedule(given)

test('reads as it was printed', () => {
  assert.is(text.replace(/[0-9a-f]{6}$/, ''), `b1:${given.digest}:3:7.0.2+3,2.1.t0+14,-7.0/2.0,=8.0/4.2:`)
  assert.equal(parseSchedule(text, '--schedule'), given)
  assert.equal(deviationsFor(given, options, '--schedule'), deviations)
  const none = printSchedule({ ...given, deviations: { holds: [], lost: [], doubled: [] } })
  assert.equal(parseSchedule(none, '--schedule').deviations, { holds: [], lost: [], doubled: [] })
})

test('tells the bounds of its holds, unless they are the usual ones', () => {
  const bounds = { longest: units(0.5), calm: units(300) }
  const bounded = printSchedule({ ...given, deviations: { ...deviations, bounds } })
  assert.match(bounded, /,@0\.5,%300:[0-9a-f]{6}$/)
  assert.equal(parseSchedule(bounded, '--schedule').deviations, { ...deviations, bounds })
  const usual = { ...given, deviations: { ...deviations, bounds: HOLD_BOUNDS } }
  assert.is(printSchedule(usual), text)
})

test('tells how late copies come', () => {
  const late = [{ passage: '9.0>4.2', by: units(12.5) }]
  const string = printSchedule({ ...given, deviations: { ...deviations, late } })
  assert.match(string, /,=8\.0\/4\.2,=9\.0\/4\.2\+12\.5:[0-9a-f]{6}$/)
  assert.equal(parseSchedule(string, '--schedule').deviations, { ...deviations, late })
  assert.match(string, UNQUOTED)
})

const UNQUOTED = /^[\w@%+=:,./-]+$/

test('needs no quotes in a shell', () => {
  assert.match(text, UNQUOTED)
})

test('is refused with one digit changed, wherever it is', () => {
  for (let at = 0; at < text.length; at++) {
    const digit = text[at] ?? ''
    if (!/[0-9a-f]/.test(digit)) continue
    const changed = text.slice(0, at) + (digit === '1' ? '2' : '1') + text.slice(at + 1)
    throwsSaying(() => parseSchedule(changed, '--schedule'), '--schedule ')
  }
})

test('of another version, of other settings or another seed is refused by name', () => {
  throwsSaying(
    () => parseSchedule(text.replace('b1', 'b2'), '--schedule'),
    'a schedule of version b1, not of version b2',
  )
  throwsSaying(
    () => deviationsFor(given, { ...options, seed: 4 }, '--schedule'),
    '--schedule is a schedule of seed 3, but this run has seed 4',
  )
  const others = { ...options, about: { scenario: 'bidding/market', tasks: 7 } }
  throwsSaying(
    () => deviationsFor(given, others, '--schedule'),
    `settings (${given.digest.slice(0, 8)}) than those of this run (${settingsDigest(others).slice(0, 8)}): the scenario's own flags differ`,
  )
})

test('settings that differ are named, and a schedule without their digits is accepted', () => {
  throwsSaying(
    () => deviationsFor(given, { ...options, order: 'causal', mailbox: 7 }, '--schedule'),
    ': --order and the option mailbox differ; give all flags of the command',
  )
  const older = { ...given, digest: given.digest.slice(0, 8) }
  assert.equal(deviationsFor(older, options, '--schedule'), deviations)
})

test('two fates of one message are refused', () => {
  const late = [{ passage: '7.0>2.0', by: units(1) }]
  const string = printSchedule({ ...given, deviations: { ...deviations, late } })
  throwsSaying(
    () => parseSchedule(string, '--schedule'),
    '--schedule needs one fate for each message, not two for "7.0>2.0"',
  )
})

test('an invented schedule is refused with the form of a schedule', () => {
  throwsSaying(
    () => parseSchedule('lifo', '--schedule'),
    'must be fifo, an integer >= 0, or a schedule (b1:...), not "lifo"',
  )
})

test.run()
