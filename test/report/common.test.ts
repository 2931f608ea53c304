/** What the runs of a page have in common: the same thing has the same colour in all of them. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commonOf } from '../../lib/report/common.ts'
import { shownRun } from '../../lib/report/model.ts'
import { marketPage } from '../../scenarios/bidding/page.ts'
import { marketLines } from '../trace/traces.ts'

const FAULTS = ['kill @m3 at 60', 'restart @m3 at 120']

test('tones, types and states of several runs have one order, whichever run begins with which of them', async () => {
  const [calm, faulty] = await Promise.all(
    [[], FAULTS].map(async (faults) =>
      shownRun({ name: '', lines: await marketLines({ tasks: 12, faults }), page: marketPage }),
    ),
  )
  assert.ok(calm && faulty)
  const common = commonOf([calm, faulty])
  assert.equal([common.until], [Math.max(calm.until, faulty.until)])
  for (const { bars, texts } of [calm, faulty]) {
    for (const tone of bars.tone) assert.ok(common.tones.has(texts[tone] ?? ''))
  }
  assert.ok(common.tones.has('lost in a death'), 'a tone of the second run alone')
  assert.is(common.types.size, 5)
  const own = commonOf([calm]).types
  assert.ok([...own.keys()].some((type) => common.types.has(type)))
  assert.is(new Set(common.types.values()).size, 5, 'each of the frequent types has a colour of its own')
  const states = common.states.get('contractor@m1') ?? []
  assert.ok(states.includes('trading.free') && states.includes('trading.busy'), states.join())
})

test.run()
