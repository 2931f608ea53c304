import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Ring } from './rounds.ts'

test('a token goes around a ring of threads in each way that is compared', async () => {
  const ring = await Ring.open(2)
  try {
    for (const cost of [
      await ring.inRounds(20),
      await ring.byHops(20),
      await ring.byMail(20),
      await ring.byCoordinator(20),
    ])
      assert.ok(cost.ms > 0)
  } finally {
    await ring.close()
  }
})

test.run()
