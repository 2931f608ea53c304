/** The fragment of a page's address: what it says is read back, and what it must not say is left out. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fragmentOf, type Place, placeIn } from '../../lib/report/address.ts'
import { dragged, type Grip } from '../../lib/report/brush.ts'
import { EVERYTHING } from '../../lib/report/filter.ts'
import { panned, type Viewport, zoomed } from '../../lib/report/viewport.ts'

const PLAIN: Place = {
  run: 0,
  event: -1,
  object: '',
  filter: EVERYTHING,
  axis: 'order',
  isWhole: false,
  window: null,
  columns: null,
  moment: null,
}
const FULL: Place = {
  run: 2,
  event: 11,
  object: 'task 3&event=1#<img src=x>',
  filter: { actors: 'm1, m2', type: 'rfb', topic: 'ä=3' },
  axis: 'time',
  isWhole: true,
  window: { from: 3_500_000, to: 20_000_001 },
  columns: { from: -0.5, to: 43.25 },
  moment: 4_000_001,
}

test('a place is read back from its fragment', () => {
  assert.is(fragmentOf(PLAIN), '#event=none&from=0&to=end')
  assert.equal({ ...PLAIN, ...placeIn(fragmentOf(PLAIN)) }, PLAIN)
  assert.match(fragmentOf(FULL), /^#run=3&event=12&object=task\+3%26event%3D1%23%3Cimg/)
  assert.equal(placeIn(fragmentOf(FULL)), FULL)
})

/** The window that the fragment of a window names. */
const backOf = (window: Viewport): Viewport | null | undefined => placeIn(fragmentOf({ ...PLAIN, window }))?.window

test('a window after drags, moves and zooms is read back from its fragment, to a millionth', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const grip = fc.constantFrom<Grip>('window', 'from', 'to', 'new')
  const lasting = fc.integer({ min: 1, max: 1e12 })
  fc.assert(
    fc.property(lasting, fc.array(fc.tuple(grip, part, part, part), { maxLength: 8 }), (until, steps) => {
      const bounds = { from: 0, to: until, least: Math.min(until, 1000) }
      let window: Viewport = bounds
      for (const [kind, start, now, factor] of steps) {
        window = dragged(window, kind, start * until, now * until, bounds)
        window = zoomed(window, 2 * factor, now * until, bounds)
        window = panned(window, (start - factor) * until, bounds)
      }
      assert.equal(backOf(window), { from: Math.round(window.from), to: Math.round(window.to) })
    }),
  )
  assert.equal(backOf({ from: 0.3, to: 15_802_468.8 }), { from: 0, to: 15_802_469 })
  assert.match(fragmentOf({ ...PLAIN, window: { from: 1, to: 3_500_000 } }), /&from=0\.000001&to=3\.5$/)
})

test('a fragment without an event is no place, but a link of a sentence, or nothing', () => {
  for (const fragment of ['', '#', '#at=60000000', '#object=task+3', '#results']) assert.is(placeIn(fragment), null)
})

test('what a fragment says is limited: other values are left out', () => {
  const { run: _, ...usual } = PLAIN
  const { window: __, ...without } = usual
  const long = 'x'.repeat(100_000)
  for (const fragment of [
    '#event=none',
    '#event=-5&run=-1&axis=__proto__&causes=<script>',
    '#event=1e9&run=0&from=-1&to=NaN',
    '#event=99999999999999999999&from=Infinity&to=1e400',
    '#event=%&from=5&to=4',
    '#event=none&from=1;alert(1)&to=2',
    '#event=none&columns=1.00_5.00&moment=-1',
    '#event=none&columns=5.00_1.00&moment=1e9',
    `#event=none&object=${long}&actors=${long}&type=${long}&topic=${long}`,
    '#event=none&event=7&constructor=1&__proto__=2',
  ])
    assert.equal(placeIn(fragment), without, fragment.slice(0, 60))
})

test.run()
